"""Time of the thread that runs the steps in which nothing is recorded: Python without stacks, sleep, native code.

It lies in no frame. What tells one piece of it from another is the outermost frame that ended in front of it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.critical_path.threads import Threads, host_threads
from stepscope.analyses.host.frame_trees import called
from stepscope.analyses.host.host_stacks import KINDS, HostStacks
from stepscope.analyses.simulation.bottleneck_sides import HOST
from stepscope.comparison.recorded import Steps
from stepscope.numeric.intervals import Ints, Union, merge, union, without
from stepscope.numeric.nested import NOBODY
from stepscope.store.profile import Rank

UNTRACED = "untraced"
"""Kind of these frames."""

NO_FRAME = "(untraced)"
"""Name of the frame around them all."""


def untraced_tree(rank: Rank, stacks: HostStacks, steps: Steps) -> list[pl.DataFrame]:
    """Such time as a tree like that of `frame_tree`: a frame around all of it, and one in it for each frame that it
    follows, called as often as that one. None where no thread is known to run the steps."""
    threads = host_threads(rank)
    if threads.main < 0 or len(steps) == 0:
        return []
    lanes = stacks.host.lanes.sort("lane")
    thread = threads.numbers(lanes)[stacks.host.thread]
    row, until = _outermost(stacks, thread == threads.main)
    recorded = [union(stacks.host.start[row], until), *_elsewhere(rank, stacks, threads, thread)]
    start, end = without(union(steps.begin, steps.stop), merge(*recorded))
    frame = stacks.name[row] >= 0
    row, until = row[frame], until[frame]
    before = np.searchsorted(until, start, side="right") - 1
    # In front of all frames the place is -1: that of the last one here.
    pieces = pl.DataFrame({"code": np.append(stacks.codes[row], NOBODY)[before], HOST: end - start})
    begun = stacks.codes[row][steps.holding(stacks.host.start[row]) >= 0]
    return [_tree(rank, pieces, pl.DataFrame({"code": begun}), len(steps))]


def _outermost(stacks: HostStacks, mine: npt.NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Events of a thread that lie in no other one, in order, and when each ends.

    Frames of the profiler are recorded, too; ranges of steps lie around everything, and copies of ranges on the GPU are
    not the thread's.
    """
    order = stacks.host.nesting.order
    recorded = mine & ((stacks.name >= 0) | (stacks.kind == KINDS.index("python")))
    row = order[recorded[order]].astype(np.int64)
    until = np.maximum.accumulate(stacks.host.end[row])
    outer = np.append(True, until[1:] > until[:-1])[: len(row)]
    return row[outer], until[outer]


def _elsewhere(rank: Rank, stacks: HostStacks, threads: Threads, thread: Ints) -> Iterator[Union]:
    """When the thread calls the CUDA API outside of frames, or may wait for threads of the autograd engine."""
    number, times = threads.numbered(rank, "runtime")
    start, duration = (times[name].to_numpy()[number == threads.main] for name in ("start_ns", "duration_ns"))
    yield union(start, start + duration)
    for one in threads.engine:
        row, until = _outermost(stacks, thread == one)
        yield union(stacks.host.start[row], until)


def _tree(rank: Rank, pieces: pl.DataFrame, begun: pl.DataFrame, steps: int) -> pl.DataFrame:
    """The tree of some pieces, by the code of the frame in front; of frames that begin in no step it is the whole's."""
    calls = begun.group_by("code").len("calls").cast(pl.Int64)
    spent = pieces.group_by("code").agg(pl.col(HOST).sum())
    each = calls.join(spent, "code", "left").with_columns(pl.col(HOST).fill_null(0)).sort("code")
    rest = int(pieces[HOST].sum()) - int(each[HOST].sum())
    names = called(rank, each["code"].to_numpy())[0].alias("name")
    inside = each.select(pl.lit(0, pl.Int64).alias("outer"), names, pl.lit(UNTRACED).alias("kind"), "calls", HOST)
    around = {"outer": NOBODY, "name": NO_FRAME, "kind": UNTRACED, "calls": steps, HOST: rest}
    return pl.concat([pl.DataFrame([around], schema=inside.schema), inside])
