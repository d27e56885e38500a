"""What people call a thread: main thread, autograd thread, data loader worker; else its number."""

from __future__ import annotations

import re

import numpy as np
import polars as pl

from stepscope.store.autograd import EVALUATE
from stepscope.store.trace import Trace
from stepscope.timeline.events import Group
from stepscope.timeline.tracks import Track

MAIN, _AUTOGRAD, _WORKER, _PINNING = "main thread", "autograd thread", "data loader worker", "data loader pinning"

_BY_LABEL = (
    (re.compile(r"pt_main_thread|main ?thread", re.IGNORECASE), MAIN),
    (re.compile(r"pt_autograd", re.IGNORECASE), _AUTOGRAD),
    (re.compile(r"pt_data_pin|pin_?memory", re.IGNORECASE), _PINNING),
    (re.compile(r"pt_data_worker|data_?loader", re.IGNORECASE), _WORKER),
)
"""What names that programs give their threads mean."""

_STEP = r"^(ProfilerStep|Optimizer\.(step|zero_grad))#"
_NUMBERED = re.compile(r"^thread \S+ \((.*)\)$")
"""How the profiler names a thread: by its number, with the name of the process or of the thread."""

_Place = tuple[int, int]


def name_threads(trace: Trace, groups: list[Group], texts: list[str]) -> None:
    """Give the tracks of host threads their titles, and the names of their processes.

    Args:
        groups: all groups of a trace.
        texts: the names of their events.
    """
    host = [group for group in groups if any(track.place for track in group.tracks)]
    labels = _labels(trace, "thread_name")
    processes = {process: text for (process, _), text in _labels(trace, "process_name").items()}
    title = _by_contents(host, texts)
    taken: dict[tuple[int, str], set[_Place]] = {}
    for track in _tracks(host):
        place = track.place or (-1, -1)
        found = _by_label(labels.get(place, "")) or title.get(place) or _as_number(track, labels.get(place, ""))
        taken.setdefault((place[0], found), set()).add(place)
        track.title = found
        track.process = " ".join(part for part in (processes.get(place[0], ""), track.process or "") if part) or None
    for track in _tracks(host):
        if track.place and len(taken[track.place[0], track.title]) > 1:
            track.title = f"{track.title} {_shown(track.thread)}"


def _tracks(groups: list[Group]) -> list[Track]:
    return [track for group in groups for track in group.tracks]


def _as_number(track: Track, label: str) -> str:
    numbered = _NUMBERED.match(label)
    if track.kind == "other" and track.thread and not track.thread.isdigit():
        return _shown(track.thread)
    if track.thread and track.thread == track.process and track.thread.isdigit():
        return MAIN
    if label and not numbered:
        return _shown(label)
    return f"thread {_shown(track.thread)}"


def _shown(text: str | None) -> str:
    text = text or "(no name)"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _by_label(label: str) -> str | None:
    numbered = _NUMBERED.match(label)
    name = numbered.group(1) if numbered else label
    return next((title for pattern, title in _BY_LABEL if pattern.search(name)), None)


def _labels(trace: Trace, kind: str) -> dict[_Place, str]:
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


def _by_contents(groups: list[Group], texts: list[str]) -> dict[_Place, str]:
    """Titles of threads that their events give away."""
    frame = pl.Series("text", texts, dtype=pl.String).to_frame()
    column = pl.col("text")
    rules = (
        (column.str.starts_with(EVALUATE), _AUTOGRAD),
        (column.str.contains("_pin_memory_loop", literal=True), _PINNING),
        (column.str.contains("_worker_loop", literal=True), _WORKER),
        (column.str.contains(_STEP), MAIN),
    )
    found: dict[_Place, str] = {}
    for rule, title in rules:
        named = frame.select(rule).to_series().to_numpy()
        if not named.any():
            continue
        for group in groups:
            hit = np.bincount(group.track[named[group.events.name]], minlength=len(group.tracks)) > 0
            # The last rule wins: where the backward pass runs on the main thread it stays the main thread.
            named_tracks = [track for track, known in zip(group.tracks, hit, strict=True) if known]
            found |= {track.place: title for track in named_tracks if track.place}
    for track in _tracks(groups):
        if track.place and track.thread and track.thread == track.process and track.thread.isdigit():
            found[track.place] = MAIN
    return found
