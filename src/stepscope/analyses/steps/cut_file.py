"""Which steps of a file that was cut off hold all of their GPU work.

Recorders write what the host did before what the GPU did, and that in the order of time. So the host's events of every
step may be there where the GPU's end in the middle of one: that step and the later ones lack GPU work.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.store.profile import Rank
from stepscope.store.step_detection import WHOLE


def lost_steps(rank: Rank, ranges: pl.DataFrame) -> list[bool]:
    """Whether each step lacks GPU work because the file was cut off; none where it holds no GPU work at all.

    The last step that has any is whole only if it has as many activities as an earlier one. Where the launch calls are
    behind the cut, none is whole.

    Args:
        ranges: the steps, columns start_ns and end_ns.
    """
    none = [False] * len(ranges)
    if rank.trace.truncated is None or rank.all_steps.source == WHOLE:
        return none
    launched = np.sort(rank.whole.activity["launch_start_ns"].drop_nulls().to_numpy())
    edges = (np.searchsorted(launched, ranges[name].to_numpy()) for name in ("start_ns", "end_ns"))
    first, behind = edges
    counts = behind - first
    worked = np.flatnonzero(counts)
    if len(worked) == 0:
        return [len(rank.whole.activity) > 0] * len(ranges)
    last = int(worked[-1])
    earlier = counts[worked[:-1]]
    whole = len(earlier) > 0 and counts[last] >= earlier.min()
    return [at >= last + whole for at in range(len(ranges))]
