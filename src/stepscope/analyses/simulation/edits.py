"""What edits are made of: ranges of the host and what was launched in them, work slowed down, activities stretched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.analyses.steps.unions import loader_ranges
from stepscope.numeric.intervals import Ints, contains, union
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank


@dataclass(frozen=True, eq=False)
class Ranges:
    """Host ranges: number of the thread, start and end in ns."""

    thread: Ints
    start: Ints
    end: Ints

    def chosen(self, which: Flags | Ints) -> Ranges:
        """Some of them."""
        return Ranges(self.thread[which], self.start[which], self.end[which])

    def and_those(self, others: Ranges) -> Ranges:
        """These and others."""
        return Ranges(*(np.concatenate([getattr(one, part.name) for one in (self, others)]) for part in fields(Ranges)))


def named_ranges(rank: Rank, model: StepModel, codes: pl.Series, tables: Sequence[str]) -> Ranges:
    """Ranges of some host tables by their names' codes, as far as they touch the steps."""
    parts = [ranges_of(rank, model, table, rank.trace.rows_with(table, codes)) for table in tables]
    return Ranges(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(Ranges)))


def ranges_of(rank: Rank, model: StepModel, table: str, which: Flags | Ints | None = None) -> Ranges:
    """Ranges of a host table's rows, of all or of some, as far as they touch the steps."""
    if which is not None and len(which) == 0:
        return Ranges(*(np.empty(0, np.int64) for _ in fields(Ranges)))
    number, times = host_threads(rank).numbered(rank, table)
    start, duration = times["start_ns"].to_numpy(), times["duration_ns"].to_numpy()
    if which is not None:
        number, start, duration = number[which], start[which], duration[which]
    some = Ranges(number, start, start + duration)
    first, last = model.window
    # The GPU's copies of annotations are on no thread of the host.
    return some.chosen((some.start < last) & (some.end > first) & (some.thread >= 0))


@per_rank
def loading(rank: Rank, model: StepModel) -> Ranges:
    """Ranges of the data loader, as far as they touch the steps."""
    frame = loader_ranges(rank.trace)
    start, end = frame["start_ns"].to_numpy(), frame["end_ns"].to_numpy()
    first, last = model.window
    return Ranges(host_threads(rank).numbers(frame), start, end).chosen((start < last) & (end > first))


def shares(model: StepModel, ranges: Ranges) -> tuple[Floats, ...]:
    """Share of each interval of each clock that lies inside the ranges, initialization left out.

    Kept for the last few ranges: a fix is simulated once for each effort.
    """
    return model.shares.get(ranges, lambda: _shares(model, ranges))


def _shares(model: StepModel, ranges: Ranges) -> tuple[Floats, ...]:
    inside = (
        clock.inside(ranges.start[ranges.thread == clock.thread], ranges.end[ranges.thread == clock.thread])
        for clock in model.host.clocks
    )
    return tuple(np.maximum(0.0, mine - once) for mine, once in zip(inside, model.once, strict=True))


def slowed(edit: Edit, inside: Sequence[Floats], factor: float) -> Edit:
    """An edit with the host's work multiplied inside some shares of its intervals."""
    pace = tuple(pace * (1 - share * (1 - factor)) for pace, share in zip(edit.pace, inside, strict=True))
    return replace(edit, pace=pace)


def worked_ns(model: StepModel, edit: Edit, inside: Sequence[Floats]) -> float:
    """Work of the host in some shares of its intervals after an edit, over all steps."""
    clocks = zip(model.host.clocks, edit.pace, inside, strict=True)
    return sum(float((clock.length * pace * share).sum()) for clock, pace, share in clocks)


def launched_inside(rank: Rank, model: StepModel, ranges: Ranges) -> Flags:
    """Which activities were launched inside the ranges, on their threads."""
    gpu = model.gpu
    at = gpu_queue(rank.whole).call_start[gpu.rows]
    inside = np.zeros(len(at), np.bool_)
    for thread in np.unique(ranges.thread).tolist():
        mine, of = gpu.thread == thread, ranges.thread == thread
        inside[mine] = contains(union(ranges.start[of], ranges.end[of]), at[mine])
    return inside


def busy_by_stream(model: StepModel, stream: Ints, work: Ints | Floats) -> tuple[Ints, Floats]:
    """Number of each activity's stream, from 0, and how long each stream works in a step, in ns."""
    number = np.unique(stream, return_inverse=True)[1]
    return number, np.bincount(number, work) / model.steps


def stretched(edit: Edit, which: Flags, factor: float | Floats) -> Edit:
    """An edit with the duration of some activities multiplied; with a factor of 0 they are no longer launched."""
    activities, gone = edit.activities, edit.gone
    duration = np.where(which, np.rint(activities.duration * factor), activities.duration).astype(np.int64)
    if np.isscalar(factor) and factor == 0:
        gone = gone | which
    return replace(edit, activities=activities._replace(duration=duration), gone=gone)


def gathered(edit: Edit, which: Flags, few: int, share: float) -> Edit:
    """An edit in which about ``few`` of some activities do the work of all, in a share of their time."""
    kept = np.zeros(len(which), np.bool_)
    mine = np.flatnonzero(which)
    kept[mine[:: max(1, len(mine) // max(1, few))]] = True
    total = float(edit.activities.duration[which].sum())
    left = float(edit.activities.duration[kept].sum())
    edit = stretched(edit, which & ~kept, 0)
    return stretched(edit, kept, np.where(kept, share * total / max(1.0, left), 1.0))


def ns_per_step(model: StepModel, total_ns: float) -> int:
    """A time over all steps, for one of them."""
    return round(total_ns / model.steps)


def count_per_step(model: StepModel, count: int) -> int | float:
    """How many of something a step has."""
    return count / model.steps if count % model.steps else count // model.steps
