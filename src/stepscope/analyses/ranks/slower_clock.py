"""Whether a rank computes longer because its GPU ran at a lower clock, by telemetry of both ranks' GPUs."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.gpu.hardware import values_in
from stepscope.analyses.gpu.metrics import REASONS, SM_CLOCK, measured
from stepscope.analyses.gpu.throttling import reason_of
from stepscope.messages import Message
from stepscope.numeric.intervals import Union, contains, union
from stepscope.schema import KERNEL
from stepscope.store.devices import used_devices
from stepscope.store.profile import Rank

CLOCK = "cause-slower-clock"
"""The message that names the clock."""

_LEAST_SAMPLES = 3
_SLOWER, _EXPLAINED, _SAME = 1.02, 0.5, 0.1
"""A clock so many times as fast, such a part of the longer computation, kernels whose number differs by so little."""


def slower_clock(late: Rank, other: Rank, windows: tuple[Union, Union], ratio: float) -> Message | None:
    """That the late rank's GPU ran at a lower SM clock, where that explains half or more of its longer computation.

    A kernel that is bound by computing takes longer by as much as the clock is lower; one that is bound by memory by
    less. So this is the most that the clock explains. Both have to have run as many kernels.

    Args:
        windows: starts and ends on each rank's own clock.
        ratio: how many times as long the late rank computed.
    """
    mine, theirs = (_clock(rank, window) for rank, window in zip((late, other), windows, strict=True))
    if mine is None or theirs is None or mine <= 0 or ratio <= 1:
        return None
    times = theirs / mine
    kernels = [_kernels(rank, window) for rank, window in zip((late, other), windows, strict=True)]
    if times < _SLOWER or times - 1 < _EXPLAINED * (ratio - 1) or abs(kernels[0] - kernels[1]) > _SAME * kernels[1]:
        return None
    return Message(
        CLOCK,
        mhz=round(mine),
        other_mhz=round(theirs),
        rank=other.number,
        explained_pct=min(100.0, 100.0 * (times - 1) / (ratio - 1)),
        reason=_reason(late, windows[0]) or None,
    )


def _clock(rank: Rank, window: Union) -> float | None:
    """Mean SM clock of a rank's GPUs in some time, in MHz; None from few samples."""
    counters = measured(rank)
    values = [values_in(counters.get((gpu, SM_CLOCK)), union(*window)) for gpu in used_devices(rank.whole)]
    known = np.concatenate(values) if values else np.zeros(0)
    return float(known.mean()) if len(known) >= _LEAST_SAMPLES else None


def _kernels(rank: Rank, window: Union) -> int:
    kernels = rank.whole.activity.filter((pl.col("activity") == KERNEL) & ~pl.col("communication"))
    return int(contains(union(*window), kernels["start_ns"].to_numpy()).sum())


def _reason(rank: Rank, window: Union) -> str:
    """What held the clock down in most samples."""
    counters = measured(rank)
    for gpu in used_devices(rank.whole):
        bits = values_in(counters.get((gpu, REASONS)), union(*window)).clip(0, 2**62).astype(np.int64)
        known, counts = np.unique(bits, return_counts=True)
        samples: dict[str, int] = {}
        for one, count in zip(known.tolist(), counts.tolist(), strict=True):
            samples[reason_of(one)] = samples.get(reason_of(one), 0) + count
        most = max(samples, key=lambda reason: samples[reason], default="")
        if most:
            return most
    return ""
