"""The simulated step on the timeline: the pieces of one rank's step, each on the lane of its event."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.hosttime import TABLES_OF_EVENTS
from stepscope.analyses.simulation.changes import Change
from stepscope.analyses.simulation.estimates import Answer
from stepscope.analyses.simulation.model import timed_ranks
from stepscope.analyses.simulation.simulated_step import Pieces, SimulatedStep, longest_stream, simulated_step
from stepscope.errors import BadRequest
from stepscope.findings.kept_tables import made_table
from stepscope.findings.what_if import what_if
from stepscope.numeric.nested import NOBODY, Ints
from stepscope.store.profile import Profile, Rank
from stepscope.timeline.kinds import OTHER
from stepscope.timeline.lanes import NOWHERE
from stepscope.timeline.stored_events import offsets
from stepscope.timeline.timeline import Timeline, per_timeline
from stepscope.timeline.tracks import HOST
from stepscope.timeline.windows import Part


@dataclass(frozen=True, eq=False)
class Placed:
    """Pieces on the lanes of a timeline, in order of lane and time; an element for each.

    Attributes:
        lane: of the timeline; where nothing was recorded, the first of the thread's track.
        row: in the lane, -1 where nothing was recorded.
        start, end: from the begin of the step, in ns.
        recorded: when it began in the recording, in ns.
        kind, name: as the timeline numbers them; a name is -1 where nothing was recorded.
    """

    lane: Ints
    row: Ints
    start: Ints
    end: Ints
    recorded: Ints
    kind: Ints
    name: Ints

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True, eq=False)
class Ghost:
    """A simulated step of a rank.

    Attributes:
        part: the rank's lanes.
        steps: how many steps were simulated.
        recorded_ns: mean time of a step as recorded.
        answer: what the changes bring, as what-if says it.
        step: which one it is, and how long.
        pieces: of the simulated step.
        recorded: of the recorded one; their lengths are the work.
        stream: on which most of what the step then waits for runs.
    """

    part: Part
    steps: int
    recorded_ns: float
    answer: Answer
    step: SimulatedStep
    pieces: Placed
    recorded: Placed
    stream: int | None


def simulate(timeline: Timeline, profile: Profile, changes: Sequence[Change], packed: bool) -> Ghost:
    """The step of median length of the first rank of a profile on which changes can be made, after them.

    Raises:
        BadRequest: there is none.
    """
    found = what_if(profile, changes)[0]
    rank, model = next(one for one in timed_ranks(profile) if one[0].number == found.rank)
    step = simulated_step(rank, model, found.edit, found.together.after.best)
    numbers = [one.number for one in timeline.profile.ranks]
    part = next(part for part in timeline.parts if part.rank == numbers.index(found.rank))
    own = timeline.profile.ranks[part.rank]
    pieces, recorded = (_placed(own, part, one, packed) for one in (step.pieces, step.recorded))
    stream = longest_stream(rank, model, found.edit)
    return Ghost(part, model.of_steps, model.recorded_ns, found.together, step, pieces, recorded, stream)


@per_timeline
def simulated(
    timeline: Timeline, changes: tuple[Change, ...], rank: int | None, steps: tuple[int, int] | None, packed: bool
) -> Ghost:
    """The same of the rank that is asked for, else of the one that says most about the changes; of steps, or of all."""
    first, *others = [rank] if rank is not None else _likely(timeline, changes)
    profile = timeline.profile
    try:
        return simulate(timeline, profile.select([first], steps), changes, packed)
    except BadRequest:
        for number in others:
            with suppress(BadRequest):
                return simulate(timeline, profile.select([number], steps), changes, packed)
        raise


def _likely(timeline: Timeline, changes: tuple[Change, ...]) -> list[int]:
    """Ranks in the order in which the changes are tried on them: first the one whose recommendation it is."""
    numbers = [one.number for one in timeline.profile.ranks]
    named = [one.rank for one in changes if one.rank is not None]
    if not named and len(numbers) > 1:
        findings = made_table(timeline.profile, "findings", "", False).frame.filter(pl.col("largest"))
        ids = [one.name for one in changes]
        named = findings.filter(pl.col("id").is_in(ids) & pl.col("rank").is_not_null())["rank"].to_list()
    first = [number for number in named if number in numbers]
    return [*dict.fromkeys([*first, *numbers])]


def _placed(rank: Rank, part: Part, pieces: Pieces, packed: bool) -> Placed:
    """Pieces on the lanes of a rank."""
    place = _places(rank, part, pieces, packed)
    known = place >= 0
    lane = np.where(known, np.searchsorted(part.lanes["lane_first"], place, side="right") - 1, -1)
    lane = np.where(known, lane, _first_lanes(part, pieces, lane))
    at = np.maximum(place, 0)
    kind = np.where(known, part.lanes["kind"][at], OTHER).astype(np.int64)
    name = np.where(known, part.name[part.lanes["name"][at]].astype(np.int64), -1)
    row = np.where(known, place - part.lanes["lane_first"][np.maximum(lane, 0)], -1)
    order = np.lexsort((pieces.end, pieces.start, lane))
    columns = (part.first_lane + lane, row, pieces.start, pieces.end, pieces.recorded, kind, name)
    return Placed(*(column[order] for column in columns))


def _places(rank: Rank, part: Part, pieces: Pieces, packed: bool) -> Ints:
    """Place among the events of a part of the event of each piece, or -1."""
    found = np.full(len(pieces), int(NOWHERE), np.int64)
    first = offsets(rank.trace)
    for number, name in enumerate(TABLES_OF_EVENTS):
        mine = np.flatnonzero((pieces.row >= 0) & (pieces.table == number))
        alone = name == "activity" and not packed and len(part.lanes["single"]) > 0
        column = part.lanes["single" if alone else "position"]
        found[mine] = column[pieces.row[mine] + (0 if alone else first[name])]
    return np.where(found == int(NOWHERE), NOBODY, found)


def _first_lanes(part: Part, pieces: Pieces, lane: Ints) -> Ints:
    """The first lane of the track on which most of each piece's thread lies."""
    tracks, first = part.lanes.track_of_lane, np.array([one.first_lane for one in part.lanes.tracks] or [0])
    found = np.full(len(pieces), next((one.first_lane for one in part.lanes.tracks if one.section == HOST), 0))
    for thread in np.unique(pieces.thread).tolist():
        mine = (pieces.thread == thread) & (lane >= 0)
        if mine.any():
            found[pieces.thread == thread] = first[int(np.bincount(tracks[lane[mine]]).argmax())]
    return found
