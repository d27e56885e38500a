"""Where the rows of a table lie on the timeline: a kernel, an operator, a module, an annotation, by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from stepscope.analyses.host.annotated_modules import annotated_modules
from stepscope.analyses.host.module_calls import module_calls
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.numeric.nested import Ints
from stepscope.store.profile import Rank
from stepscope.timeline.event_search import event_of, stored_indices
from stepscope.timeline.timeline import Timeline
from stepscope.timeline.windows import Part

_TABLES = {
    "kernel": ("activity",),
    "operator": ("operator",),
    "annotation": ("annotation", "other"),
    "call": ("runtime",),
    "function": ("python",),
}
KINDS_OF_PLACES = (*_TABLES, "module")


def named_places(
    timeline: Timeline,
    kind: str,
    name: str,
    limit: int,
    steps: tuple[int, int] | None = None,
    packed: bool = True,
    at: int | None = None,
) -> dict[str, Any]:
    """Events of a name, longest first.

    Args:
        kind: kernel (memcpys and memsets too), operator, annotation, call, function or module.
        name: as the tables show it; of a module its name or its path.
        limit: how many to list.
        at: only those that start there, offset in ns.
        steps: first and last step; kernels count by their launch, the others by where they begin.

    Raises:
        BadRequest: there is no such kind, or no such step.
    """
    if kind not in KINDS_OF_PLACES:
        advice = Message("error-kinds", kinds=list(KINDS_OF_PLACES))
        raise BadRequest(Message("error-cannot-find-places"), Message("error-unknown-kind"), advice)
    profile = timeline.profile.select(steps=steps)
    found: list[_Place] = []
    total = 0
    for index, rank in enumerate(profile.ranks):
        part = next(part for part in timeline.parts if part.rank == index)
        whole = timeline.profile.ranks[index]
        tables = _module_rows(whole, name) if kind == "module" else _rows(whole, kind, name)
        for table, named in tables:
            rows = named if steps is None else _inside(rank, table, named)
            places = stored_indices(timeline, index, table, rows, packed)
            if at is not None:
                places = places[part.lanes["start"][places] == at + part.origin(timeline.origin_ns)]
            total += len(places)
            found += _longest(part, places, max(limit, 0))
    found.sort(key=lambda one: (one[0], one[1], one[2].rank, one[3]))
    return {"places": [event_of(timeline, one[2], one[3]).place() for one in found[: max(limit, 0)]], "total": total}


_Place: TypeAlias = tuple[int, int, Part, int]
"""Of an event its length below zero, its start on the job's clock, and where it lies."""


def _longest(part: Part, places: Ints, most: int) -> Iterator[_Place]:
    """The longest events of some, by their places."""
    start, end = part.lanes["start"][places], part.lanes["end"][places]
    for i in np.lexsort((start, start - end))[:most].tolist():
        yield int(start[i] - end[i]), int(start[i]) - part.shift, part, int(places[i])


def _rows(rank: Rank, kind: str, name: str) -> Iterator[tuple[str, Ints]]:
    """Tables and rows of a name."""
    codes = rank.trace.codes(lambda text: text == name)
    for table in _TABLES[kind]:
        if rank.trace.rows(table):
            yield table, rank.trace.rows_with(table, codes)


def _inside(rank: Rank, table: str, rows: Ints) -> Ints:
    """Those rows of a table that belong to the selected steps."""
    if table == "activity":
        return np.intersect1d(rows, rank.activity["row"].to_numpy())
    starts = rank.trace.frame(table, ["start_ns"])["start_ns"].gather(pl.Series(rows, dtype=pl.UInt32))
    inside: Ints = rows[rank.inside(starts).to_numpy()]
    return inside


def _module_rows(rank: Rank, name: str) -> Iterator[tuple[str, Ints]]:
    """Frames of the calls of a module, and kernels whose annotation names it or a module inside it."""
    calls, named = module_calls(rank), annotated_modules(rank)
    if calls is not None and len(calls.frame):
        known = (pl.col("name") == name) | (pl.col("path") == name) | (pl.col("class_path") == name)
        modules = np.flatnonzero(calls.modules.select(known).to_series().to_numpy())
        yield "python", calls.frame[np.isin(calls.module, modules)].astype(np.int64)
    if named is not None:
        path, inside = pl.col("path"), name.replace(".", "/") + "/"
        known = (pl.col("name") == name) | (path + "/").str.starts_with(inside) | (pl.col("class_path") == name)
        modules = np.flatnonzero(named.calls.modules.select(known).to_series().to_numpy())
        yield "activity", np.flatnonzero(np.isin(named.place.call, modules))
