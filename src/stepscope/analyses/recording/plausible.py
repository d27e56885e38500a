"""Checks of figures that cannot be true: times of days, kernels over others, occupancy above 100 %."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.gpu.cut_activity import cut_activity
from stepscope.analyses.recording.check import ERROR, WARNING, Check, counted
from stepscope.messages import Message
from stepscope.schema import KERNEL
from stepscope.store.profile import Rank
from stepscope.store.step_detection import whole_span
from stepscope.store.stream_overlaps import TOLERANCE_NS

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


def stream_overlaps(rank: Rank) -> Check | None:
    """Activities that run on over later ones of their stream."""
    cut = cut_activity(rank)
    if len(cut) == 0:
        return None
    first = cut.row(0, named=True)
    detail = Message(
        "check-stream-overlaps",
        activities=len(cut),
        tolerance_ns=TOLERANCE_NS,
        cut_ns=int(cut["cut_ns"].sum()),
        example="" if first["name"] is None else str(rank.trace.texts[first["name"]]),
        recorded_ns=first["recorded_ns"],
        kept_ns=first["kept_ns"],
    )
    return Check("stream_overlaps", ERROR, counted(len(cut)), detail)


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
