"""Memory that grows from step to step, and what of it stays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.memory.allocations import MemoryDevice, allocating_operators, memory_changes, sources
from stepscope.analyses.memory.memory_timeline import device_timeline
from stepscope.analyses.steps.steps import rank_steps
from stepscope.store.profile import Rank
from stepscope.store.step_detection import WHOLE

_LEAST_BYTES = 1 << 20
_LEAST_SHARE = 0.001
"""A step must add a MiB or a thousandth of the peak: what is lost to losses kept for a log is not worth a word."""


@dataclass(frozen=True)
class Growth:
    """A device whose total is higher at the end of each step than at that of the step before.

    Attributes:
        per_step_bytes: mean growth of a step.
        steps: how many steps grew, the first of the recording not counted.
        kept_bytes: allocated in these steps and not released.
        op, source: what allocated most of that, and the line it was on; None where unknown.
    """

    per_step_bytes: int
    steps: int
    kept_bytes: int
    op: str | None
    source: str | None


def growth(rank: Rank, device: MemoryDevice) -> Growth | None:
    """Growth of a device over the selected steps; None where a step did not grow, or too little, or steps are few."""
    steps = rank_steps(rank).filter(~pl.col("cut"))
    if rank.all_steps.source == WHOLE or len(steps) < 3:
        return None
    levels = device_timeline(rank, device)
    ends = (steps["start_ns"] + steps["duration_ns"]).to_numpy()
    last = np.maximum(np.searchsorted(levels["at_ns"].to_numpy(), ends, side="left") - 1, 0)
    grown = np.diff(levels["allocated_bytes"].to_numpy()[last])
    least = min(_LEAST_BYTES, _LEAST_SHARE * int(levels["allocated_bytes"].to_numpy().max()))
    if (grown <= 0).any() or grown.min() < least:
        return None
    changes = memory_changes(rank)
    kept = changes.filter(
        (pl.col("device") == device.number)
        & (pl.col("change_bytes") > 0)
        & pl.col("address").is_not_null()
        & pl.coalesce("partner", "reused").is_null()
        & pl.col("at_ns").is_between(int(ends[0]), int(ends[-1]), closed="left")
    )
    owners = kept.select("change_bytes", allocating_operators(rank, kept), sources(rank, kept))
    owners = owners.group_by("op", "source").agg(pl.col("change_bytes").sum())
    owners = owners.sort("change_bytes", "op", "source", descending=[True, False, False])
    op, source, _ = owners.row(0) if len(owners) else (None, None, 0)
    return Growth(int(grown.mean()), len(grown), int(owners["change_bytes"].sum()), op, source)
