"""Checks of figures that cannot be true: times of days, occupancy above all, registers below none."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.recording.check import WARNING, Check
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
    found = [f"{long:,} events last more than a day"] if long else []
    if end - start > DAY_NS:
        found.append(f"first and last event are {(end - start) / DAY_NS:,.1f} days apart")
    detail = f"{'; '.join(found)}: times are broken or of two clocks, and what is summed of them is too"
    return Check("absurd_times", WARNING, f"{long:,}" if long else "span", detail)


def kernel_details(rank: Rank) -> Check | None:
    """Recorded details of kernels that no kernel can have."""
    frame = rank.trace.frame("activity", ["activity", "occupancy_pct", "registers"])
    kernels = frame.filter(pl.col("activity") == KERNEL)
    share = kernels["occupancy_pct"].fill_nan(None)
    outside = int(((share < 0) | (share > 100)).sum())
    negative = int((kernels["registers"] < 0).sum())
    if outside + negative == 0:
        return None
    parts = [f"{outside:,} kernels with an occupancy outside 0 to 100 %, left out"] if outside else []
    parts += [f"{negative:,} with a negative number of registers"] if negative else []
    return Check("kernel_details", WARNING, f"{outside + negative:,}", "; ".join(parts))
