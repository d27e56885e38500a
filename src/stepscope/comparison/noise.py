"""How much rows differ between two recordings of one program.

Measured on five recordings of one program, ten pairs of them: kernels by half a per cent, a row of the host by a tenth
or more beside the common factor of the host, which is a third itself.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.comparison.host_index import MOST_PER_CALL_NS, Flags, named_host_rows
from stepscope.comparison.recorded import AS_DEVIATION, IDLE, PHASE, SIDE
from stepscope.comparison.sampled import KEY, STEP, Floats, Sampled
from stepscope.comparison.work import GPU, HOST

GPU_FLOOR, HOST_FLOOR, PART_FLOOR = 0.01, 0.10, 0.25
"""Least standard deviation of the logarithm of a ratio: of work of the GPU, of work of the host by name with the host's
factor taken off, and of times that depend on the host as a whole."""

GPU_MOST = 0.03
"""Largest one of work of the GPU: rows differed by 2 % at most."""

ON_GPU = ("compute", "communication", "memcpy", "memset")
"""Sides of a step in which the GPU works."""


def bounds(keys: pl.DataFrame, base: Sampled, new: Sampled, index: float) -> tuple[Floats, Floats]:
    """Least standard deviation of a recording's logarithm by row, and the most that a pair of recordings tells.

    Where most of the GPU's work changed, its differences are no noise; those of the host are bounded by nothing.
    """
    level, of, key = (keys[name].to_numpy() for name in KEY)
    on_gpu = (of == GPU) | ((level == SIDE) & np.isin(key, ON_GPU))
    part = max(PART_FLOOR, abs(index))
    floor = np.select([on_gpu, of == HOST], [GPU_FLOOR, HOST_FLOOR], part)
    # A step varies by as much of it as the GPU idles in; the host's factor is taken off there, too.
    busy = [side.mean[(level == SIDE) & np.isin(key, ON_GPU)].mean(axis=1).sum() for side in (base, new)]
    whole = [side.mean[level == STEP].mean() for side in (base, new)]
    share = sum(busy) / max(sum(whole), 1.0)
    own = _long_calls(keys, base, new) / max(sum(whole), 1.0)
    parts = (share * GPU_FLOOR, max(1 - share - own, 0.0) * HOST_FLOOR, min(own, 1 - share) * part)
    floor = np.where(level == STEP, float(np.hypot(np.hypot(*parts[:2]), parts[2])), floor)
    floor = np.where((level == PHASE) | (level == IDLE), part, floor)
    return floor / np.sqrt(2), np.where(on_gpu, GPU_MOST, np.inf) / np.sqrt(2)


def _long_calls(keys: pl.DataFrame, base: Sampled, new: Sampled) -> float:
    """Time a step in rows of the host whose calls take long, of both sides together: the host's factor does not tell
    how fast their own work is done."""
    rows = named_host_rows(keys)
    found = 0.0
    for side in (base, new):
        mean, calls = side.mean[rows].mean(axis=1), np.nan_to_num(side.calls[rows].mean(axis=1))
        found += float(mean[mean > MOST_PER_CALL_NS * calls].sum())
    return found


def host_noise(keys: pl.DataFrame, base: Sampled, new: Sampled, own: tuple[Floats, Floats], same: Flags) -> float:
    """Standard deviation of the logarithm of the ratio of both sides of a row of the host, its factor taken off.

    Args:
        own: logarithms of that factor, of the recordings of each side.
        same: see `host_index.same_inputs`.
    """
    rows = named_host_rows(keys) & same
    sides = [side.typical[rows] for side in (base, new)]
    often = [side.calls[rows].mean(axis=1) for side in (base, new)]
    alike = (sides[0] > 0).all(axis=1) & (sides[1] > 0).all(axis=1) & (often[0] == often[1])
    if not alike.any():
        return PART_FLOOR
    logs = [(np.log(side[alike]) - by).mean(axis=1) for side, by in zip(sides, own, strict=True)]
    return max(HOST_FLOOR, AS_DEVIATION * float(np.median(np.abs(logs[1] - logs[0]))))
