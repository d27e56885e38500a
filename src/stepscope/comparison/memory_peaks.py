"""The most memory that was allocated and reserved in the compared steps: exact, as the allocator counts it."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.memory.memory_timeline import devices_of, levels_of
from stepscope.comparison.recorded import Steps
from stepscope.numeric.intervals import Ints
from stepscope.store.profile import Rank

_HOST_DEVICE = "cpu"


def memory_peaks(rank: Rank, steps: Steps) -> dict[str, Ints]:
    """By what was counted, the largest level in any of the steps, in bytes; nothing where memory was not recorded.

    Of several GPUs that one process uses, the one with the highest peak counts; host memory only without any GPU.
    """
    found: dict[str, int] = {}
    devices = devices_of(rank.whole)
    on_gpu = [device for device in devices if device.name != _HOST_DEVICE]
    where = "memory" if on_gpu else "host_memory"
    for device in on_gpu or devices:
        levels = _within(levels_of(rank.whole, device), steps)
        for what in ("allocated", "reserved"):
            most = levels[f"{what}_bytes"].max()
            if isinstance(most, int) and most > 0:
                key = f"{where}_{what}_peak_bytes"
                found[key] = max(found.get(key, 0), most)
    return {key: np.array([most]) for key, most in found.items()}


def _within(levels: pl.DataFrame, steps: Steps) -> pl.DataFrame:
    """The levels in the steps, with that at the beginning of each; all where nothing tells when they were."""
    if len(steps) == 0 or levels["at_ns"].null_count():
        return levels
    at = levels["at_ns"].to_numpy()
    before = np.searchsorted(at, steps.begin, side="right") - 1
    inside = np.flatnonzero(steps.holding(at) >= 0)
    rows = np.union1d(inside, before[before >= 0])
    return levels[rows] if len(rows) else levels
