"""Waits of the host for counts that a kernel writes into host memory: no call says so, the host reads until they come.

Expert-parallel libraries (DeepEP and what follows its protocol) launch a kernel that exchanges how many tokens each
rank sends, and read the counts on the host, because the sizes of what is received depend on them
(DeepEP, csrc/deep_ep.cpp, ``moe_recv_counter``). The host goes on while that kernel still runs, or as it ends.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Queue
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.numeric.intervals import Ints
from stepscope.store.profile import Rank

_COUNTING = r"(?:^|::|\s)notify_dispatch\b"

_LEAST_NS = 100_000
"""After a launch the host is at its next event sooner where it does not wait."""


def counter_waits(rank: Rank, queue: Queue, skew_ns: int) -> tuple[Ints, Ints, Ints]:
    """Waits of the whole trace: row of the launch in the table runtime, end of the wait in ns, row of the kernel.

    Args:
        skew_ns: how far the GPU's clock may run ahead.
    """
    codes = rank.trace.codes(lambda text: text.str.contains(_COUNTING))
    kernel = rank.trace.rows_with("activity", codes)
    kernel = kernel[queue.call[kernel] >= 0]
    if len(kernel) == 0:  # as in most traces
        return kernel, kernel, kernel
    call = queue.call[kernel]
    until = _next_event(rank, call)
    waited = (until - _ends(rank)[call] >= _LEAST_NS) & (until >= queue.start[kernel])
    waited &= until <= queue.end[kernel] + skew_ns
    return call[waited], until[waited], kernel[waited]


def _ends(rank: Rank) -> Ints:
    times = rank.trace.frame("runtime", ["start_ns", "duration_ns"])
    ends: Ints = times.select(pl.col("start_ns") + pl.col("duration_ns")).to_series().to_numpy()
    return ends


def _next_event(rank: Rank, call: Ints) -> Ints:
    """When an operator or call of the same thread begins or ends for the first time after each call's end."""
    threads = host_threads(rank)
    of_call, _ = threads.numbered(rank, "runtime")
    after = np.full(len(call), (1 << 62) - 1)
    end = _ends(rank)[call]
    for thread in np.unique(of_call[call]).tolist():
        edges = []
        for table in ("operator", "runtime"):
            number, times = threads.numbered(rank, table)
            start, duration = (times[name].to_numpy()[number == thread] for name in ("start_ns", "duration_ns"))
            edges += [start, start + duration]
        sorted_edges = np.sort(np.concatenate(edges))
        mine = np.flatnonzero(of_call[call] == thread)
        place = np.searchsorted(sorted_edges, end[mine], side="right")
        found = place < len(sorted_edges)
        after[mine[found]] = sorted_edges[place[found]]
    return after
