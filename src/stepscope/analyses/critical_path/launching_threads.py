"""Whether the work of a rank is launched by the threads that a training step has."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.threads import host_threads
from stepscope.schema import KERNEL
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_LEAST_OWN = 0.5
"""Share of the kernels that the main thread and the autograd engine's launch where they are what the steps wait for."""


@per_rank
def several_launch(rank: Rank) -> bool:
    """Whether most kernels are launched by threads other than the main one and the autograd engine's, as by a server's.

    What one of them does is not what the GPU waits for, so such steps have no critical path and cannot be simulated.
    """
    if rank.trace.rows("operator") == 0:
        return False  # nothing tells the autograd engine's thread from others
    threads = host_threads(rank)
    kernels = rank.activity["launch"].filter(rank.activity["activity"] == KERNEL)  # another thread may copy ahead
    thread, _ = threads.numbered(rank, "runtime")
    timed = np.isin(thread[kernels.drop_nulls().to_numpy()], [threads.main, *threads.engine])
    return len(timed) > 0 and bool(timed.mean() < _LEAST_OWN)
