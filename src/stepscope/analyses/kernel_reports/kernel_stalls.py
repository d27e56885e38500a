"""What the warps of profiled kernels waited for (see docs/tables/).

Cycles are those of all warps of a scheduler for each instruction that it issued, ``selected`` (the issue itself)
included, so that they add up to `LATENCY`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.analyses.kernel_reports.emptiness import why_empty
from stepscope.analyses.kernel_reports.reports import Values, rows_of
from stepscope.messages import Message
from stepscope.store.profile import Profile

LATENCY = "smsp__average_warp_latency_per_inst_issued.ratio"
"""Cycles of a warp between two of its instructions."""

REASONS = (
    *("barrier", "branch_resolving", "dispatch_stall", "drain", "gmma", "imc_miss", "lg_throttle", "long_scoreboard"),
    *("math_pipe_throttle", "membar", "mio_throttle", "misc", "no_instruction", "not_selected", "selected"),
    *("short_scoreboard", "sleeping", "tex_throttle", "wait"),
)
"""Warp states as Nsight Compute names them."""

METRICS = {f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio": reason for reason in REASONS}


def kernel_stalls(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_stalls``, by kernel, most cycles first."""
    return rows_of(profile, "kernel_stalls", [LATENCY, *METRICS], stalls)


notes = why_empty("kernel_stalls")


def stalls(values: Values) -> Iterator[dict[str, Any]]:
    """The states of a kernel's warps that took any time, most cycles first."""
    latency = values.get(LATENCY)
    found = sorted(((values.get(name, 0.0), reason) for name, reason in METRICS.items()), key=lambda one: -one[0])
    for cycles, reason in found:
        if cycles > 0:
            yield {
                "reason": reason,
                "cycles": cycles,
                "share_pct": 100 * cycles / latency if latency else None,
                "means": Message(f"kernel-stall-{dashed(reason)}").encoded(),
                "advice": Message(f"kernel-stall-{dashed(reason)}-advice").encoded(),
            }


def dashed(word: str) -> str:
    """A word of Nsight Compute, or of this package, as ids of messages have it."""
    return word.replace("_", "-")
