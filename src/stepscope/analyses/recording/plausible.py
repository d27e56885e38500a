"""Checks of figures that cannot be true: times of days, occupancy above all, registers below none."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.recording.check import WARNING, Check, counted
from stepscope.messages import Message
from stepscope.schema import KERNEL
from stepscope.store.profile import Rank
from stepscope.store.step_detection import whole_span

DAY_NS = 86_400 * 1_000_000_000
"""No recording of steps lasts a day."""

_TIMED = ("activity", "operator", "runtime", "annotation", "python")


def times(rank: Rank) -> Check | None:
    """Events, or a trace, of more than a day."""
    long = sum(int((rank.trace.frame(table, ["duration_ns"])["duration_ns"] > DAY_NS).sum()) for table in _TIMED)
    start, end = whole_span(rank.trace)
    if long == 0 and end - start <= DAY_NS:
        return None
    found = [Message("check-times-long", events=long)] if long else []
    if end - start > DAY_NS:
        found.append(Message("check-times-span", days=(end - start) / DAY_NS))
    value = counted(long) if long else Message("check-times-span-value")
    return Check("absurd_times", WARNING, value, Message("check-times", found=found))


def kernel_details(rank: Rank) -> Check | None:
    """Recorded details of kernels that no kernel can have."""
    frame = rank.trace.frame("activity", ["activity", "occupancy_pct", "registers"])
    kernels = frame.filter(pl.col("activity") == KERNEL)
    share = kernels["occupancy_pct"].fill_nan(None)
    outside = int(((share < 0) | (share > 100)).sum())
    negative = int((kernels["registers"] < 0).sum())
    if outside + negative == 0:
        return None
    detail = Message("check-kernel-details", occupancy=outside, registers=negative)
    return Check("kernel_details", WARNING, counted(outside + negative), detail)
