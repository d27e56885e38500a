"""What leads to a launch: the host's time since the launch before, which goes when the launch goes.

Python, modules, hooks and the autograd node around an operator are there for its launch. A change that does away with
launches takes these with them, not only the operators' own time.
"""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.simulation.edits import Ranges
from stepscope.analyses.simulation.model import StepModel
from stepscope.numeric.intervals import Ints
from stepscope.store.profile import Rank

LONGEST = 8.0
"""A stretch this many times as long as the usual one leads to more than the launch at its end."""


def lead_ups(rank: Rank, model: StepModel, which: Flags) -> Ranges:
    """The stretches before the calls all of whose activities are among some.

    Each lasts from the end of the launch before it on its thread to its own end; of one that is much longer than
    usual, which has the data loader, a log or the next step in it, only the last part counts.

    Args:
        which: by activity of the model.
    """
    queue = gpu_queue(rank.whole)
    _, first, number = np.unique(queue.call[model.gpu.rows], return_index=True, return_inverse=True)
    start, end = (times[model.gpu.rows][first] for times in (queue.call_start, queue.call_end))
    thread = model.gpu.thread[first]
    since = _ended_before(thread, start, end)
    usual = float(np.median((end - since)[since > 0])) if (since > 0).any() else 0.0
    since = np.maximum(since, np.minimum(start, end - round(LONGEST * usual)))
    gone = np.bincount(number, ~which) == 0
    return Ranges(thread, since, end).chosen(gone & (thread >= 0))


def _ended_before(thread: Ints, start: Ints, end: Ints) -> Ints:
    """End of the call before each on its thread; 0 without one."""
    order = np.lexsort((start, thread))
    before = np.zeros(len(order), np.int64)
    same = thread[order][1:] == thread[order][:-1]
    before[order[1:][same]] = end[order[:-1]][same]
    return before
