"""The critical path on the timeline: its pieces, each on the lane of its event."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.critical_path.critical_path import path_pieces
from stepscope.analyses.critical_path.hosttime import TABLES_OF_EVENTS
from stepscope.analyses.critical_path.path import CriticalPath
from stepscope.numeric.nested import Ints
from stepscope.store.profile import Rank
from stepscope.timeline.lanes import NOWHERE
from stepscope.timeline.stored_events import offsets
from stepscope.timeline.timeline import Timeline, per_timeline
from stepscope.timeline.tracks import HOST
from stepscope.timeline.windows import Part


@dataclass(frozen=True, eq=False)
class PathPieces:
    """Pieces of a path in order of time, an element for each.

    Attributes:
        rank: index of its rank.
        step: number of its step.
        start, end: in ns on the job's clock.
        kind, handover: numbers of `PATH_KINDS` and `HANDOVERS`.
        name: code in the trace, as `path_pieces` has it.
        lane: of the timeline; where nothing was recorded, the first one of the thread's track.
        row: in the lane; -1 where nothing was recorded.
        activity: row of the activity that it lies in, else -1.
    """

    rank: Ints
    step: Ints
    start: Ints
    end: Ints
    kind: Ints
    handover: Ints
    name: Ints
    lane: Ints
    row: Ints
    activity: Ints

    def __len__(self) -> int:
        return len(self.start)

    def chosen(self, which: npt.NDArray[np.bool_] | Ints | slice) -> PathPieces:
        """Some of them."""
        return PathPieces(*(getattr(self, field.name)[which] for field in fields(self)))

    def clipped(self, begin: int, end: int) -> PathPieces:
        """What lies between two moments."""
        inside = self.chosen((self.start < end) & (self.end > begin))
        return replace(inside, start=np.maximum(inside.start, begin), end=np.minimum(inside.end, end))


def joined(parts: list[PathPieces]) -> PathPieces:
    """Several as one, in the order of time."""
    every = PathPieces(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(PathPieces)))
    return every.chosen(np.lexsort((every.end, every.start)))


def selected_rank(timeline: Timeline, index: int, steps: tuple[int, int]) -> Rank:
    """A rank of the timeline, by its index, with some steps selected."""
    return timeline.profile.select([timeline.profile.ranks[index].number], steps).ranks[0]


@per_timeline
def rank_path(timeline: Timeline, index: int, steps: tuple[int, int], packed: bool) -> PathPieces:
    """The path of some steps of a rank, by the index of the rank."""
    return placed(timeline, index, selected_rank(timeline, index, steps), None, packed)


def placed(timeline: Timeline, index: int, rank: Rank, path: CriticalPath | None, packed: bool) -> PathPieces:
    """A path of a rank on its lanes; none without lanes, as of a memory snapshot, whose steps are counted."""
    part = next(part for part in timeline.parts if part.rank == index)
    pieces = path_pieces(rank, path).sort("start_ns")
    if not part.lanes.tracks:
        pieces = pieces.clear()
    place = _positions(rank, part, pieces, packed)
    known = place != NOWHERE
    lane = np.where(known, np.searchsorted(part.lanes["lane_first"], place, side="right") - 1, -1)
    row = np.where(known, place.astype(np.int64) - part.lanes["lane_first"][np.maximum(lane, 0)], -1)
    event = pieces["row"].cast(pl.Int64).fill_null(-1).to_numpy()
    in_event = pieces["kind"].to_numpy() <= _LAST_IN_ACTIVITY
    return PathPieces(
        np.full(len(pieces), index, np.int64),
        pieces["step"].to_numpy(),
        pieces["start_ns"].to_numpy() - part.shift,
        pieces["end_ns"].to_numpy() - part.shift,
        pieces["kind"].to_numpy().astype(np.int64),
        pieces["handover"].to_numpy().astype(np.int64),
        pieces["name"].to_numpy().astype(np.int64),
        part.first_lane + _filled(part, pieces["thread"], lane),
        row,
        np.where(in_event, event, -1),
    )


_LAST_IN_ACTIVITY = 3
"""The first kinds of `PATH_KINDS` are those of activities."""


def _positions(rank: Rank, part: Part, pieces: pl.DataFrame, packed: bool) -> npt.NDArray[np.uint32]:
    """Place among the events of a part of the event of each piece, or `NOWHERE`."""
    found = np.full(len(pieces), NOWHERE, np.uint32)
    first = offsets(rank.trace)
    table, row = pieces["table"].to_numpy(), pieces["row"].to_numpy()
    for number, name in enumerate(TABLES_OF_EVENTS):
        mine = np.flatnonzero(pieces["row"].is_not_null().to_numpy() & (table == number))
        alone = name == "activity" and not packed and len(part.lanes["single"]) > 0
        column = part.lanes["single" if alone else "position"]
        found[mine] = column[row[mine].astype(np.int64) + (0 if alone else first[name])]
    return found


def _filled(part: Part, thread: pl.Series, lane: Ints) -> Ints:
    """Lanes with those of pieces in which nothing was recorded: the first of the track that their thread was on."""
    frame = pl.DataFrame({"thread": thread, "lane": pl.Series(lane).replace(-1, None)})
    near = pl.col("lane").forward_fill().backward_fill()
    nearest = frame.with_columns(near.over("thread").alias("mine")).select(
        pl.coalesce("mine", pl.col("mine").forward_fill().backward_fill(), pl.lit(_host_lane(part)))
    )
    track = part.lanes.track_of_lane[nearest.to_series().to_numpy()]
    first = np.array([one.first_lane for one in part.lanes.tracks] or [0])[track]
    return np.where(lane >= 0, lane, first)


def _host_lane(part: Part) -> int:
    """A lane of the host, or 0."""
    return next((track.first_lane for track in part.lanes.tracks if track.section == HOST), 0)
