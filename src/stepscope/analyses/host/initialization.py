"""What CUDA does once in a process: loading the code of kernels, and setting itself and its libraries up.

The code of a kernel is loaded when it is first launched (since CUDA 11.7), and libraries such as cuBLAS and cuDNN set
themselves up in the call that needs them first. A recording without warm-up holds these calls. They take from
milliseconds to seconds each while the GPU idles, and no later step has them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.steps.steps import step_times, uncut
from stepscope.analyses.steps.unions import rank_unions
from stepscope.numeric.intervals import Union, covered_within, merge, union
from stepscope.schema import KERNEL
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank

LEAST_NS = 1_000_000
"""A launch takes microseconds; one that takes so long while the GPU idles does something else."""

_SETS_UP = (
    r"(?i)^(?:cuda|hip)(?:Free|StreamCreate\w*|GetSymbolAddress|Func[GS]et\w+|Occupancy\w+|DeviceGet\w+|GetDevice\w*)$"
    r"|^(?:cu|hip)(?:Init|CtxCreate|Module(?:Load|Get)\w+|Library(?:Load|Get)\w+|Kernel(?:Get)\w+)"
)
"""Calls that take microseconds otherwise. Libraries free nothing (``cudaFree(0)``) to have CUDA set up."""


@dataclass(frozen=True)
class Initialization:
    """Calls of the selected steps that ran once.

    Attributes:
        time_ns: their time while the GPU idles.
        share_pct: of the steps' time on the host.
        longest_ns: the longest.
    """

    time_ns: int
    share_pct: float
    longest_ns: int


@per_rank
def initialization(rank: Rank) -> Initialization:
    """The one-time calls of a rank's selected steps."""
    calls = one_time_calls(rank.whole)
    steps = uncut(step_times(rank))
    begin = steps["start_ns"].to_numpy()
    end = begin + steps["duration_ns"].to_numpy()
    place = np.searchsorted(begin, calls["start_ns"].to_numpy(), side="right") - 1
    calls = calls.filter(pl.Series((place >= 0) & (calls["start_ns"].to_numpy() < end[np.maximum(place, 0)])))
    inside = union(calls["start_ns"].to_numpy(), calls["end_ns"].to_numpy())  # a call of the driver lies in one of CUDA
    idle_ns = inside[1] - inside[0] - covered_within(_busy(rank.whole), *inside)
    total, time_ns = max(1, int((end - begin).sum())), int(idle_ns.sum())
    return Initialization(time_ns, 100.0 * time_ns / total, int(idle_ns.max(initial=0)))


@per_rank
def one_time_calls(rank: Rank) -> pl.DataFrame:
    """Calls of a whole recording that ran once: columns process, thread, start_ns, end_ns."""
    calls = rank.trace.frame("runtime", ["name", *PLACE, "start_ns", "duration_ns"]).with_row_index("launch")
    calls = calls.filter(pl.col("duration_ns") >= LEAST_NS)
    sets_up = rank.trace.codes(lambda text: text.str.contains(_SETS_UP)).implode()
    first = _first_launches(rank).implode()
    calls = calls.filter(pl.col("launch").is_in(first) | pl.col("name").is_in(sets_up)).select(
        *PLACE, "start_ns", (pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns")
    )
    begin, end = calls["start_ns"].to_numpy(), calls["end_ns"].to_numpy()
    idle_ns = end - begin - covered_within(_busy(rank), begin, end)
    return calls.filter(pl.Series(idle_ns >= LEAST_NS, dtype=pl.Boolean)).sort("start_ns")


def _busy(rank: Rank) -> Union:
    compute, communication, memory = rank_unions(rank)
    return merge(compute, communication, memory)


def _first_launches(rank: Rank) -> pl.Series:
    """The launch (row) of each kernel's first run, by name."""
    kernels = rank.activity.filter((pl.col("activity") == KERNEL) & pl.col("launch").is_not_null())
    first = kernels["launch_start_ns"] == kernels.select(pl.col("launch_start_ns").min().over("name")).to_series()
    return kernels["launch"].filter(first)
