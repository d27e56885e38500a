"""How long one of some steps took as recorded, whichever side took longer.

The host's time of the steps and the GPU's are the same in the long run, but not where some steps are cut out of it: at
either edge the GPU may be behind the host by another time (its lag).
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.critical_path.queue import Queue
from stepscope.analyses.simulation.gpu_side import GpuSide
from stepscope.numeric.intervals import length, union


def recorded_step_ns(table: pl.DataFrame, window: tuple[int, int], queue: Queue, gpu: GpuSide, held_ns: int) -> float:
    """Time of one of some steps, in ns.

    - The host's: from the first step's start to the last one's end. What it waited for work from before the steps is
      left out, as far as the steps left less work behind than they found: in a step that repeats nobody waits for that.
    - The GPU's, if that is longer: from the end of the work before the steps to the end of their own, or from the end
      of the first step's to the end of the last one's. Of these the shorter: the former is too long if the GPU had
      caught up before the steps, the latter if the first step was a short one. For a single step only the former is
      known, and it is taken if work from before still ran when the step launched its first; else how long the GPU
      works on it, which is the least that a step that repeats can take.

    Args:
        table: the steps, columns of the table steps.
        window: first and last moment of them.
        held_ns: how long the host waited in them for work from before.
    """
    steps, ends = len(table), table["device_end_ns"].drop_nulls()
    host = float(window[1] - window[0])
    if len(ends) == 0:
        return host / steps
    found = max(0, int(gpu.backlog.busy.max(initial=0)))
    end: int = ends.max()  # type: ignore[assignment]
    left = max(0, end - window[1])
    host -= min(held_ns, max(0, found - left))
    own = float(end - window[0] - found)
    if len(ends) > 1:
        own = min(own, steps * (ends[-1] - ends[0]) / (len(ends) - 1))
    elif len(gpu.rows) == 0 or queue.call_start[gpu.rows[0]] - window[0] > found:
        own = _busy_ns(queue, gpu)
    return max(host, own) / steps


def _busy_ns(queue: Queue, gpu: GpuSide) -> float:
    """How long the GPU works on the steps, whatever it waits for."""
    return float(length(union(queue.start[gpu.rows], queue.end[gpu.rows])))
