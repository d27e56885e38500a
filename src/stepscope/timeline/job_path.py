"""The critical path of a job: it changes rank at each collective, towards the rank that arrived last.

A collective moves nothing before its last rank has come: until then the kernels of the others wait. So where the path
of one rank lies in such a kernel, it goes on, from the arrival of the last rank back, on that rank. It begins on the
rank whose step ends last. All of it is on the job's clock, and its pieces cover its time exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stepscope.analyses.critical_path.handovers import COLLECTIVE
from stepscope.analyses.critical_path.path import critical_path_of, path_until
from stepscope.analyses.ranks.alignment import rank_clocks
from stepscope.analyses.ranks.waiting import shared_calls
from stepscope.numeric.nested import Ints
from stepscope.timeline.path_pieces import PathPieces, joined, placed, rank_path, selected_rank
from stepscope.timeline.timeline import Timeline, per_timeline


@dataclass(frozen=True, eq=False)
class _Calls:
    """Collectives that another rank arrived last at.

    Attributes:
        last: by index of a rank and row of its activity: index of the last rank, and row of the activity there.
        begun: by index of a rank and row of its activity: when it began, in ns on the job's clock.
    """

    last: dict[tuple[int, int], tuple[int, int]]
    begun: dict[tuple[int, int], int]


def joins_ranks(timeline: Timeline) -> bool:
    """Whether a path over all ranks can be told: they share collectives, and their clocks are joined."""
    profile = timeline.profile
    if len(profile.ranks) < 2 or len(shared_calls(profile)) == 0:
        return False
    return all(clock.uncertainty_ns is not None for clock in rank_clocks(profile).values())


@per_timeline
def job_path(timeline: Timeline, steps: tuple[int, int], packed: bool) -> PathPieces:
    """The path of some steps of a job."""
    calls = _calls(timeline)
    found = [part for step in range(steps[0], steps[1] + 1) for part in _of_step(timeline, step, calls, packed)]
    return joined(found or [rank_path(timeline, 0, steps, packed)])


@per_timeline
def _calls(timeline: Timeline) -> _Calls:
    index = {rank.number: i for i, rank in enumerate(timeline.profile.ranks)}
    shift = {part.rank: part.shift for part in timeline.parts}
    unsure = max(clock.uncertainty_ns or 0 for clock in rank_clocks(timeline.profile).values())
    frame = shared_calls(timeline.profile)
    rows = frame.select("collective", "rank", "row", "start_ns", "last_rank", "wait_ns").rows()
    of_rank = {(collective, rank): row for collective, rank, row, *_ in rows}
    last, begun = {}, {}
    for collective, rank, row, start, late, wait in rows:
        if rank not in index:
            continue
        begun[index[rank], row] = start - shift[index[rank]]
        theirs = of_rank.get((collective, late))
        if late != rank and late in index and theirs is not None and wait > unsure:
            last[index[rank], row] = (index[late], theirs)
    return _Calls(last, begun)


def _of_step(timeline: Timeline, step: int, calls: _Calls, packed: bool) -> list[PathPieces]:
    """The path of one step, in parts that each lie on one rank, latest first."""
    ends = [_end(timeline, index, step) for index in range(len(timeline.profile.ranks))]
    rank = int(np.argmax(ends))
    if ends[rank] == _NEVER:
        return []
    found: list[PathPieces] = []
    pieces = rank_path(timeline, rank, (step, step), packed)
    while True:
        at, hop = _hop(pieces, rank, calls)
        if hop is None:
            return [*found, pieces]
        late, row = hop
        arrival = calls.begun[hop]
        found.append(_from(pieces.chosen(slice(at, None)), arrival))
        rank, pieces = late, _before(timeline, late, step, row, arrival, packed)


_NEVER = -(1 << 62)


def _end(timeline: Timeline, index: int, step: int) -> int:
    """When the path of a rank's step ends, on the job's clock."""
    windows = critical_path_of(selected_rank(timeline, index, (step, step))).windows
    shift = next(part.shift for part in timeline.parts if part.rank == index)
    return int(windows.last[0]) - shift if len(windows.last) else _NEVER


def _hop(pieces: PathPieces, rank: int, calls: _Calls) -> tuple[int, tuple[int, int] | None]:
    """The latest piece that waits for another rank, and the activity there that ended the wait."""
    for at in _collectives(pieces)[::-1].tolist():
        late = calls.last.get((rank, int(pieces.activity[at])))
        if late is not None and pieces.start[at] < calls.begun[late] < pieces.end[at]:
            return at, late
    return 0, None


_COMMUNICATION = 1
"""Number in `PATH_KINDS`."""


def _collectives(pieces: PathPieces) -> Ints:
    return np.flatnonzero((pieces.kind == _COMMUNICATION) & (pieces.activity >= 0))


def _from(pieces: PathPieces, moment: int) -> PathPieces:
    """Pieces whose first begins at a moment, with the arrival of another rank."""
    start, handover = pieces.start.copy(), pieces.handover.copy()
    start[0], handover[0] = moment, COLLECTIVE
    return replace(pieces, start=start, handover=handover)


def _before(timeline: Timeline, index: int, step: int, row: int, moment: int, packed: bool) -> PathPieces:
    """The path that led to the start of an activity of a rank at a moment, within a step."""
    pieces = rank_path(timeline, index, (step, step), packed)
    at = np.flatnonzero((pieces.activity == row) & (pieces.start == moment))
    if len(at):
        return pieces.chosen(slice(0, int(at[0])))
    rank = selected_rank(timeline, index, (step, step))
    led = placed(timeline, index, rank, path_until(rank, step, row), packed)
    return led.chosen(led.end <= moment)
