"""What people call a thread: main thread, autograd thread, data loader worker; else its number."""

from __future__ import annotations

import re

import numpy as np
import polars as pl

from stepscope.messages import Message
from stepscope.store.autograd import EVALUATE
from stepscope.store.trace import Trace
from stepscope.timeline.events import Group
from stepscope.timeline.tracks import Track

MAIN, _AUTOGRAD = Message("lane-main"), Message("lane-autograd")
_WORKER, _PINNING, _FEEDER = Message("lane-worker"), Message("lane-pinning"), Message("lane-feeder")
_WATCHDOG = Message("lane-watchdog")

_BY_LABEL = (
    (re.compile(r"pt_main_thread|main ?thread", re.IGNORECASE), MAIN),
    (re.compile(r"pt_autograd", re.IGNORECASE), _AUTOGRAD),
    (re.compile(r"pt_data_pin|pin_?memory", re.IGNORECASE), _PINNING),
    (re.compile(r"pt_data_worker|data_?loader", re.IGNORECASE), _WORKER),
)
"""What names that programs give their threads mean."""

_ROLES = (MAIN, _AUTOGRAD, _WORKER, _PINNING, _FEEDER)
"""In the order in which threads of these are shown; others follow."""

_STEP = r"^(ProfilerStep|Optimizer\.(step|zero_grad))#"
_FEEDING = r"multiprocessing/queues\.py\(\d+\): _feed$"
_WATCHED = ["cudaEventQuery", "cudaThreadExchangeStreamCaptureMode", "cudaPointerGetAttributes", "hipEventQuery"]
"""Calls that are all that a thread makes which looks after collectives."""

_NUMBERED = re.compile(r"^thread \S+ \((.*)\)$")
"""How the profiler names a thread: by its number, with the name of the process or of the thread."""

_PROFILER = re.compile(r"^PyTorch Profiler \(\d+\)$")
"""An event that only says that the profiler was on."""

Place = tuple[int, int]
"""Codes of a process and a thread."""


def name_threads(trace: Trace, groups: list[Group], texts: list[str]) -> None:
    """Give the tracks of host threads their titles, and the names of their processes.

    Args:
        groups: all groups of a trace.
        texts: the names of their events.
    """
    host = [group for group in groups if any(track.place for track in group.tracks)]
    tracks = [track for group in host for track in group.tracks if track.place]
    labels = _labels(trace, "thread_name")
    processes = {process: text for (process, _), text in _labels(trace, "process_name").items()}
    titles = _by_contents(host, texts) | _by_labels(labels)
    own = {track.place for track in tracks if track.place and not track.shared and _has_number_of_process(track)}
    with_main = {process for process, _ in own}
    taken: dict[tuple[int, Message], set[Place]] = {}
    for track in tracks:
        if track.shared:
            continue
        place = track.place or (-1, -1)
        title = MAIN if place in own else titles.get(place) if track.thread != "0" else None
        if title is None or (title == MAIN and place not in own and place[0] in with_main):
            title = _plain(track, labels.get(place, ""))
        track.title = title
        taken.setdefault((place[0], title), set()).add(place)
    for track in tracks:
        process = track.place[0] if track.place else -1
        if not track.shared and len(taken[process, track.title]) > 1:
            track.title = Message("lane-numbered", title=track.title, thread=_shown(track.thread))
        track.process = " ".join(part for part in (processes.get(process, ""), track.process or "") if part) or None


def role(title: Message) -> int:
    """The place of a thread's title among those that are shown first; of one that is numbered, too."""
    inner = next((value for name, value in title.params if name == "title"), None)
    plain = inner if isinstance(inner, Message) else title
    return _ROLES.index(plain) if plain in _ROLES else len(_ROLES)


def mark_profiler(groups: list[Group], texts: list[str]) -> None:
    """Say of tracks that all of their events only say that the profiler was on."""
    says = np.array([_PROFILER.match(text) is not None for text in texts], np.bool_)
    for group in groups:
        if not says.any() or all(track.kind != "other" for track in group.tracks):
            continue
        others = np.bincount(group.track[~says[group.events.name]], minlength=len(group.tracks))
        for track, count in zip(group.tracks, others.tolist(), strict=True):
            track.profiler = count == 0


def _has_number_of_process(track: Track) -> bool:
    """Whether a thread has the number of its process, as the first one of each has on Linux."""
    return track.thread == track.process and (track.thread or "").isdigit() and track.thread != "0"


def _plain(track: Track, label: str) -> Message:
    """What a thread is called of which nothing is known but its number or label."""
    if track.kind == "other" and track.thread and not track.thread.isdigit():
        return Message("text-plain", text=_shown(track.thread))
    if label and not _NUMBERED.match(label):
        return Message("text-plain", text=_shown(label))
    if track.thread == "0" and track.kind == "python":
        return Message("lane-threads-without-number")
    return Message("lane-thread", thread=_shown(track.thread))


def _shown(text: str | None) -> str | None:
    return text if text is None or len(text) <= 60 else f"{text[:57]}..."


def _by_labels(labels: dict[Place, str]) -> dict[Place, Message]:
    """Titles of threads that the program named."""
    found = {}
    for place, label in labels.items():
        numbered = _NUMBERED.match(label)
        name = numbered.group(1) if numbered else label
        title = next((title for pattern, title in _BY_LABEL if pattern.search(name)), None)
        if title is not None:
            found[place] = title
    return found


def _labels(trace: Trace, kind: str) -> dict[Place, str]:
    """Labels of one kind by codes of process and thread; those of a process have the thread -1."""
    if trace.rows("label") == 0:
        return {}
    frame = trace.frame("label", ["name", "process", "thread", "label_name"])
    named = trace.codes(lambda text: text == kind)
    frame = frame.filter(pl.col("name").is_in(named.implode()) & pl.col("label_name").is_not_null())
    codes = frame.select(pl.col("process", "thread").cast(pl.Int64).fill_null(-1)).rows()
    texts = trace.text(frame["label_name"]).to_list()
    whole = kind == "process_name"
    return {(process, -1 if whole else thread): text for (process, thread), text in zip(codes, texts, strict=True)}


def _by_contents(groups: list[Group], texts: list[str]) -> dict[Place, Message]:
    """Titles of threads that their events give away."""
    frame = pl.Series("text", texts, dtype=pl.String).to_frame()
    column = pl.col("text")
    # The last rule wins: where the backward pass runs on the main thread it stays the main thread.
    rules = (
        (column.is_in(_WATCHED), _WATCHDOG),
        (column.str.starts_with(EVALUATE), _AUTOGRAD),
        (column.str.contains(_FEEDING), _FEEDER),
        (column.str.contains("_pin_memory_loop", literal=True), _PINNING),
        (column.str.contains("_worker_loop", literal=True), _WORKER),
        (column.str.contains(_STEP), MAIN),
    )
    found: dict[Place, Message] = {}
    for rule, title in rules:
        named = frame.select(rule).to_series().to_numpy()
        if not named.any():
            continue
        for group in groups:
            hits = np.bincount(group.track[named[group.events.name]], minlength=len(group.tracks))
            whole = np.bincount(group.track, minlength=len(group.tracks))
            right = (hits == whole) if title == _WATCHDOG else hits > 0
            tracks = [track for track, known in zip(group.tracks, right, strict=True) if known]
            found |= {track.place: title for track in tracks if track.place}
    return found
