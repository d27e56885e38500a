"""The critical path of some steps, as the timeline draws it: pieces for a window, sums of all of it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.critical_path import PATH_KINDS
from stepscope.analyses.critical_path.handovers import HANDOVERS
from stepscope.analyses.critical_path.path import step_windows
from stepscope.analyses.critical_path.queue import gpu_queue
from stepscope.analyses.simulation.changes import parse_change
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.numeric.nested import Ints
from stepscope.timeline.job_path import job_path, joins_ranks
from stepscope.timeline.path_pieces import PathPieces, rank_path
from stepscope.timeline.timeline import Timeline, per_timeline
from stepscope.timeline.windows import moments

MOST_STEPS = 20
"""Steps whose path is drawn at once."""

LONGEST_CELL = 1 << 62

_LONGEST = 8
"""Names of the path that are listed."""

_CHANGES = {
    "compute": "kernel:{} x0.5",
    "communication": "overlap-communication",
    "memcpy": "kernel:{} x0.5",
    "memset": "kernel:{} x0.5",
    "gpu_gap": "cuda-graph",
    "launch_latency": "cuda-graph",
    "sync_return": "no-sync",
    "operator": "op:{} x0.5",
    "python": "host:{} x0.5",
    "data_loading": "no-data-wait",
    "other": "host:{} x0.5",
}
"""The change of what-if that shortens pieces of a kind."""

_CALLS = ((r"(?i)launch", "cuda-graph"), (r"(?i)synchronize", "no-sync"), ("", "host:{} x0.5"))
"""The same of a call, by its name: the first that matches."""


def answer_path(
    timeline: Timeline,
    window: tuple[int, int],
    pixels: int,
    rank: int | None,
    steps: tuple[int, int] | None,
    packed: bool,
) -> dict[str, Any]:
    """The critical path of steps.

    Args:
        window: offsets from the origin, in ns, that is looked at; as much again beside it is drawn.
        pixels: how wide the window is shown: shorter pieces in one pixel are put together.
        rank: whose path; None for that of the job, where clocks allow, else of the first rank.
        steps: first and last one; None for those whose path is in the window.

    Returns:
        ``state``: ``ok``, ``none`` (no path is known: ``notes`` say why) or ``too_many`` steps. ``steps``: numbers of
        the first and the last; ``rank``: whose path it is, None for that of the job; ``total_ns``, ``count`` of pieces,
        ``parts`` by kind and ``longest`` names, which add up to the total; ``pieces``: columns, those of `PathPieces`
        that reach into the window, and ``count``, how many one stands for, in order of time; ``names``, texts by place.
    """
    of_job = rank is None and joins_ranks(timeline)
    index = _index(timeline, rank)
    chosen = steps or _seen(timeline, window, None if of_job else index)
    if chosen is not None and chosen[1] - chosen[0] >= MOST_STEPS:
        return {"state": "too_many", "steps": list(chosen), "most": MOST_STEPS, "notes": []}
    path = _path(timeline, chosen, None if of_job else index, packed)
    if path is None:
        return {"state": "none", "notes": [Message("path-of-no-step")]}
    one = not of_job and rank is None and len(timeline.profile.ranks) > 1
    number = timeline.profile.ranks[index].number
    return {
        "state": "ok",
        "steps": [int(path.step.min()), int(path.step.max())],
        "rank": None if of_job else number,
        "notes": [*([Message("path-of-one-rank", rank=number)] if one else []), Message("path-as-recorded")],
        **_sums(timeline, chosen or (0, 0), None if of_job else index, packed),
        **_drawn(timeline, path, window, pixels),
    }


def _path(timeline: Timeline, steps: tuple[int, int] | None, index: int | None, packed: bool) -> PathPieces | None:
    """The path of steps of a rank by its index, or of the job without; None where there is none."""
    if steps is None:
        return None
    path = job_path(timeline, steps, packed) if index is None else rank_path(timeline, index, steps, packed)
    return path if len(path) else None


def _index(timeline: Timeline, rank: int | None) -> int:
    numbers = [one.number for one in timeline.profile.ranks]
    if rank is None:
        return 0
    if rank not in numbers:
        found = Message("error-timeline-rank", rank=rank, ranks=[str(number) for number in numbers])
        raise BadRequest(Message("error-cannot-show-path"), found, Message("error-name-one"))
    return numbers.index(rank)


def _seen(timeline: Timeline, window: tuple[int, int], index: int | None) -> tuple[int, int] | None:
    """First and last step whose path a window shows, of a rank by its index or, without, of any.

    The GPU may work on a step while the host is several steps ahead. Where no path is shown, the steps of the host are.
    """
    paths: list[int] = []
    host: list[int] = []
    for part in {part.rank: part for part in timeline.parts}.values():
        begin, end = moments(part.origin(timeline.origin_ns), window)
        steps = timeline.profile.ranks[part.rank].all_steps.ranges
        host += steps.filter((pl.col("start_ns") < end) & (pl.col("end_ns") > begin))["step"].to_list()
        if index in (None, part.rank):
            own = _paths(timeline, part.rank)
            paths += own.filter((pl.col("first") < end) & (pl.col("last") > begin))["step"].to_list()
    found = paths or host
    return (min(found), max(found)) if found else None


@per_timeline
def _paths(timeline: Timeline, index: int) -> pl.DataFrame:
    """The steps of a rank by its index, and where the path of each begins (first) and ends (last)."""
    rank = timeline.profile.ranks[index]
    windows = step_windows(rank, gpu_queue(rank))
    return pl.DataFrame({"step": windows.step, "first": windows.first, "last": windows.last})


@per_timeline
def _sums(timeline: Timeline, steps: tuple[int, int], index: int | None, packed: bool) -> dict[str, Any]:
    """What kinds and names of the pieces of `_path` add up to."""
    path = job_path(timeline, steps, packed) if index is None else rank_path(timeline, index, steps, packed)
    length = path.end - path.start
    total = int(length.sum())
    frame = pl.DataFrame({"kind": path.kind, "rank": path.rank, "name": path.name, "ns": length})
    kinds = frame.group_by("kind").agg(pl.col("ns").sum(), pl.len().alias("count")).sort("ns", "kind", descending=True)
    named = frame.group_by("kind", "rank", "name").agg(pl.col("ns").sum(), pl.len().alias("count"))
    named = named.with_columns(pl.Series("text", _texts(timeline, named["rank"], named["name"])))
    named = named.group_by("kind", "text").agg(pl.col("ns", "count").sum())
    named = named.sort("ns", "kind", "text", descending=[True, False, False])
    best = dict(reversed(named.select("kind", "text").rows()))
    return {
        "total_ns": total,
        "count": len(path),
        "parts": [_row(kind, best[kind], ns, count, total) for kind, ns, count in kinds.rows()],
        "longest": [_row(kind, text, ns, count, total) for kind, text, ns, count in named.head(_LONGEST).rows()],
    }


def _row(kind: int, name: str, ns: int, count: int, total: int) -> dict[str, Any]:
    share = 100 * ns / max(1, total)
    kind_name = PATH_KINDS[kind]
    change = change_of(kind_name, name)
    return {"kind": kind_name, "name": name, "duration_ns": ns, "share_pct": share, "count": count, "change": change}


def _texts(timeline: Timeline, rank: pl.Series, name: pl.Series) -> list[str]:
    """Texts of names, each of its rank; "" of what is no event's name."""
    found = np.full(len(name), "", object)
    for index in rank.unique().to_list():
        texts = timeline.profile.ranks[index].trace.texts
        mine = np.flatnonzero((rank.to_numpy() == index) & (name.to_numpy() < len(texts)))
        found[mine] = texts.gather(name[mine]).fill_null("").to_list()
    return list(found)


def change_of(kind: str, name: str) -> str:
    """The change of what-if that shortens such a piece, "" where there is none or it cannot be written."""
    form = _CHANGES.get(kind, "")
    if kind == "runtime":
        form = next(form for pattern, form in _CALLS if re.search(pattern, name))
    if "{}" not in form:
        return form
    text = form.replace("{}", name)
    try:
        return text if parse_change(text).name == name else ""
    except BadRequest:
        return ""


def _drawn(timeline: Timeline, path: PathPieces, window: tuple[int, int], pixels: int) -> dict[str, Any]:
    """The pieces of a window, with their names and changes."""
    origin = timeline.origin_ns
    room = (window[1] - window[0]) // 2
    begin, until = moments(origin, (window[0] - room, window[1] + room))
    which = (path.start < until) & (path.end > begin)
    inside = path if which.all() else path.chosen(which)
    shown, count = _merged(inside, min(max(1, (window[1] - window[0]) // max(1, pixels)), LONGEST_CELL))
    texts = pl.Series(_texts(timeline, pl.Series(shown.rank), pl.Series(shown.name)), dtype=pl.String)
    keys = pl.DataFrame({"kind": shown.kind, "name": texts})
    names = keys.unique(maintain_order=True).with_row_index("at")
    at = keys.join(names, ["kind", "name"], "left", maintain_order="left")["at"]
    named = names.select("kind", "name").rows()
    numbers = [rank.number for rank in timeline.profile.ranks]
    columns = {
        "rank": [numbers[index] for index in shown.rank.tolist()],
        "step": shown.step.tolist(),
        "lane": shown.lane.tolist(),
        "row": shown.row.tolist(),
        "start": (shown.start - origin).tolist(),
        "end": (shown.end - origin).tolist(),
        "kind": [PATH_KINDS[kind] for kind in shown.kind.tolist()],
        "handover": [HANDOVERS[one] for one in shown.handover.tolist()],
        "count": count.tolist(),
        "name": at.to_list(),
    }
    return {
        "pieces": columns,
        "names": [name for _, name in named],
        "kinds": {kind: Message(f"pathkind-{kind.replace('_', '-')}") for kind in PATH_KINDS},
        "changes": [change_of(PATH_KINDS[kind], name) for kind, name in named],
    }


def _merged(path: PathPieces, cell: int) -> tuple[PathPieces, Ints]:
    """Pieces of which those shorter than a cell are put together with their neighbours in it, and how many one is of.

    What stands for several is the longest of them, from the first one's begin to the last one's end.
    """
    if len(path) == 0:
        return path, np.empty(0, np.int64)
    length = path.end - path.start
    long = length >= cell
    same = (path.start[1:] // cell == path.start[:-1] // cell) & ~long[1:] & ~long[:-1]
    same &= path.end[:-1] == path.start[1:]
    first = np.append(True, ~same)
    group = np.cumsum(first) - 1
    begun = np.flatnonzero(first)
    longest = np.flatnonzero(length == np.maximum.reduceat(length, begun)[group])
    best = longest[np.searchsorted(group[longest], np.arange(len(begun)))]
    ended = np.append(begun[1:], len(path)) - 1
    start, end = path.start[begun], path.end[ended]
    shown = path.chosen(best)
    return PathPieces(
        *(shown.rank, shown.step, start, end, shown.kind, path.handover[begun], shown.name),
        *(shown.lane, shown.row, shown.activity),
    ), np.bincount(group)
