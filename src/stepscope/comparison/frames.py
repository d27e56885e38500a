"""Frames of both sides in one tree: what the host works and the GPU is given in each, a step.

A frame is a Python function, a range or an operator in the place where it is called; the number of its line and of an
instance of a module say nothing of what it does. A backward function, with what it launches, belongs to its forward
operator. Time in which nothing is recorded has frames of its own (`untraced`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.host.frame_trees import frame_tree, merged_trees
from stepscope.analyses.host.host_stacks import HostStacks, host_stacks
from stepscope.analyses.simulation.bottleneck_sides import COMMUNICATION, COMPUTE, COPIES, HOST
from stepscope.analyses.steps.totals import sum_by
from stepscope.comparison.bound import RESOURCES
from stepscope.comparison.names import nameless_places, waits_for_steps
from stepscope.comparison.recorded import Steps, undisturbed_steps
from stepscope.comparison.sampled import Floats
from stepscope.comparison.untraced import untraced_tree
from stepscope.comparison.work import calling_events, held_calls
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.schema import KERNEL
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

SUMS = ("calls", *RESOURCES)
"""What is counted of a frame: its calls, and the work of each resource in ns."""


@dataclass(frozen=True)
class Frames:
    """A tree of frames, each behind the one around it.

    Attributes:
        frame: columns name, kind.
        outer: row of the frame around each, or `NOBODY`.
        base, new: of each side, by name of `SUMS`, what each frame itself has a step.
    """

    frame: pl.DataFrame
    outer: Ints
    base: dict[str, Floats]
    new: dict[str, Floats]

    def inside(self, own: Floats) -> Floats:
        """Sums over each frame and all in it."""
        from stepscope.numeric.stack_paths import sums_inside

        return sums_inside(self.outer, np.rint(own).astype(np.int64)).astype(np.float64)


def frames(base: Sequence[Rank], new: Sequence[Rank]) -> Frames:
    """The tree of some recordings of both sides."""
    trees: list[pl.DataFrame] = []
    columns: list[str] = []
    for side, ranks in (("base", base), ("new", new)):
        for number, rank in enumerate(ranks):
            names = {name: f"{side} {number} {name}" for name in SUMS}
            columns += names.values()
            trees += [tree.rename(names, strict=False) for tree in rank_trees(rank)]
    tree = merged_trees(trees, columns)

    def own(side: str, ranks: Sequence[Rank], name: str) -> Floats:
        steps = [max(len(undisturbed_steps(rank)), 1) for rank in ranks]
        each = [tree[f"{side} {number} {name}"].to_numpy() for number in range(len(ranks))]
        return np.asarray(np.mean([one / of for one, of in zip(each, steps, strict=True)], axis=0))

    sides = [{name: own(*side, name) for name in SUMS} for side in (("base", base), ("new", new))]
    return Frames(tree.select("name", "kind"), tree["outer"].to_numpy(), *sides)


@per_rank
def rank_trees(rank: Rank) -> list[pl.DataFrame]:
    """Frames of a rank as of `frame_tree`, their names without places; none where nothing of the host was recorded."""
    from stepscope.numeric.stack_paths import number_paths

    stacks, steps = host_stacks(rank), undisturbed_steps(rank)
    if len(stacks.name) == 0:
        return []
    work, calls = _worked(rank, stacks, steps)
    paths = number_paths(stacks.backward, stacks.codes)
    tree = frame_tree(rank, paths, {"calls": calls, HOST: work, **_launched(rank, stacks, steps)})
    trees = [tree, *untraced_tree(rank, stacks, steps)]
    return [one.with_columns(nameless_places(pl.col("name"))) for one in trees]


def _worked(rank: Rank, stacks: HostStacks, steps: Steps) -> tuple[Ints, Ints]:
    """Work of the host in each event itself, and whether it is one that a step begins, as 1 or 0.

    Of the threads on which steps run: what others do costs a step nothing as long as it is not waited for.
    """
    from stepscope.numeric.stack_paths import self_within

    host, threads = stacks.host, host_threads(rank)
    numbers = threads.numbers(host.lanes)
    lanes = host.lanes["lane"].to_numpy()
    of_lane = np.full(int(lanes.max(initial=0)) + 1, NOBODY)
    of_lane[lanes] = numbers
    # Where nothing tells which thread runs the steps, all do.
    runs = np.isin(of_lane[host.thread], [threads.main, *threads.engine]) | (threads.main < 0)
    own = self_within(host.nesting.order, host.thread, host.start, host.end, (steps.begin, steps.stop))
    calls = held_calls(rank, steps)
    row = calling_events(rank)[calls["row"].to_numpy()]
    known = row >= 0
    own = own - sum_by(row[known], calls["duration_ns"].to_numpy()[known], len(own))
    is_wait = np.zeros(len(rank.trace.texts) + 1, np.bool_)
    is_wait[rank.trace.codes(waits_for_steps).to_numpy()] = True
    works = runs & ~is_wait[stacks.name]
    begun = (steps.holding(host.start) >= 0) & (stacks.name >= 0)
    return np.where(works, np.maximum(own, 0), 0), begun.astype(np.int64)


def _launched(rank: Rank, stacks: HostStacks, steps: Steps) -> dict[str, Ints]:
    """Work of the GPU that each event itself launches."""
    activity = rank.whole.activity.filter(pl.col("launch").is_not_null())
    activity = activity.filter(pl.Series(steps.holding(activity["launch_start_ns"].to_numpy()) >= 0))
    row = calling_events(rank)[activity["launch"].to_numpy()]
    duration = activity["duration_ns"].to_numpy()
    kernel, talks = (activity["activity"] == KERNEL).to_numpy(), activity["communication"].to_numpy()
    which = {COMPUTE: kernel & ~talks, COMMUNICATION: kernel & talks, COPIES: ~kernel}
    return {
        name: sum_by(row[mine & (row >= 0)], duration[mine & (row >= 0)], len(stacks.name))
        for name, mine in which.items()
    }
