"""The occurrences of findings on the timeline: each where it lies, and on which event."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from stepscope.findings.kept_tables import made_table
from stepscope.numeric.nested import Ints
from stepscope.timeline.timeline import Timeline, per_timeline
from stepscope.timeline.tracks import HOST
from stepscope.timeline.windows import Part


def answer_marks(timeline: Timeline) -> dict[str, Any]:
    """Every finding with its occurrences.

    Returns:
        ``findings``, those worth fixing first, each once: ``id``, ``severity``, ``title`` (a message), ``what_if``, the
            change that simulates its fix ("" for none), and ``of``, how
        many occurrences it has on all ranks; ``marks``: columns ``finding`` (place in ``findings``), ``rank``,
        ``step``, ``start``, ``end`` (offsets), ``lane`` and ``row`` of the event (-1 where it is none), in the order of
        time; ``notes`` of the table ``occurrences``.
    """
    return _marks(timeline)


@per_timeline
def _marks(timeline: Timeline) -> dict[str, Any]:
    findings = made_table(timeline.profile, "findings", "", False).frame
    made = made_table(timeline.profile, "occurrences", "", False)
    shown = findings.filter(pl.col("largest")).select("id", "severity", "title", "what_if")
    of = made.frame.unique(["rank", "id"]).group_by("id").agg(pl.col("of").sum())
    shown = shown.join(of, "id", "inner", maintain_order="left").with_row_index("finding")
    frame = made.frame.join(shown.select("id", "finding"), "id", "inner", maintain_order="left")
    frame = pl.concat(
        [frame.clear().with_columns(_EMPTY), *(_placed(timeline, *one) for one in _by_rank(timeline, frame))]
    )
    frame = frame.sort("start", "end", "finding", "rank")
    return {
        "findings": shown.drop("finding").to_dicts(),
        "marks": {name: frame[name].to_list() for name in ("finding", "rank", "step", "start", "end", "lane", "row")},
        "notes": made.notes,
    }


_EMPTY = [pl.lit(0, pl.Int64).alias(name) for name in ("start", "end", "lane", "row")]


def _by_rank(timeline: Timeline, frame: pl.DataFrame) -> list[tuple[int, pl.DataFrame]]:
    """Occurrences of each rank, by its index."""
    numbers = [rank.number for rank in timeline.profile.ranks]
    return [(index, frame.filter(rank=number)) for index, number in enumerate(numbers)]


def _placed(timeline: Timeline, index: int, frame: pl.DataFrame) -> pl.DataFrame:
    """Occurrences of a rank with start, end, lane and row."""
    part = next(part for part in timeline.parts if part.rank == index)
    start = frame["start_ns"].to_numpy()
    end = start + frame["duration_ns"].to_numpy()
    place = _places(part, start, end, frame["name"])
    lane = np.where(place >= 0, np.searchsorted(part.lanes["lane_first"], place, side="right") - 1, 0)
    row = np.where(place >= 0, place - part.lanes["lane_first"][lane], -1)
    origin = part.origin(timeline.origin_ns)
    return frame.with_columns(
        pl.Series("start", start - origin, pl.Int64),
        pl.Series("end", end - origin, pl.Int64),
        pl.Series("lane", np.where(place >= 0, part.first_lane + lane, -1), pl.Int64),
        pl.Series("row", row, pl.Int64),
    )


def _places(part: Part, start: Ints, end: Ints, names: pl.Series) -> Ints:
    """Place among the events of a part of the event of the host with these times and this name; -1 for none."""
    found = np.full(len(start), -1, np.int64)
    numbers = part.lanes.name_of
    name = np.array([numbers.get(one, -1) if one is not None else -1 for one in names.to_list()], np.int64)
    starts, ends, codes = (part.lanes[column] for column in ("start", "end", "name"))
    for lane in np.flatnonzero(part.lanes.lanes_of_tracks("section", HOST)).tolist():
        first, last = part.lanes["lane_first"][lane : lane + 2].tolist()
        if first == last:
            continue
        at = first + np.searchsorted(starts[first:last], start)
        at = np.minimum(at, last - 1)
        same = (starts[at] == start) & (ends[at] == end) & (codes[at] == name) & (found < 0)
        found[same] = at[same]
    return found
