"""Whether the work of a rank is launched by the threads that a training step has."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.activity_dependencies import bindings
from stepscope.analyses.critical_path.queue import gpu_queue
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
    threads, queue = host_threads(rank), gpu_queue(rank)
    if rank.trace.rows("operator") == 0:
        return False  # nothing tells the autograd engine's thread from others
    kernels = (rank.activity["activity"] == KERNEL).to_numpy() & (queue.call >= 0)  # another thread may copy ahead
    launched = bindings(rank).work.thread[kernels] if len(queue.start) else np.empty(0, np.int64)
    timed = np.isin(launched, [threads.main, *threads.engine])
    return len(timed) > 0 and bool(timed.mean() < _LEAST_OWN)
