"""Every row of a comparison with its difference, the range of that, and what is known of it."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.comparison.host_index import Flags
from stepscope.comparison.recorded import PHASE, SIDE
from stepscope.comparison.sampled import STEP, Floats, Sampled
from stepscope.comparison.testing import CHANGED, GONE, NEW, SAME, UNKNOWN, Outcomes, against_noise, outcomes
from stepscope.numeric.intervals import Ints

_WHOLE = (SIDE, PHASE)
"""Levels whose rows sum to the step."""


def comparison_rows(
    keys: pl.DataFrame,
    sides: tuple[Sampled, Sampled],
    shift: tuple[Floats, Floats],
    bounds: tuple[Floats, Floats],
    same: Flags,
) -> pl.DataFrame:
    """Columns level, of, key, base_ns, new_ns, delta_ns, low_ns, high_ns, smallest_ns, base_calls, new_calls, p, status
    and larger_ns, time of a step, the larger of both sides.

    ``low_ns`` and ``high_ns`` are the ends of the difference with the host's factor taken off, on a host as fast as the
    mean of both sides; of what one side lacks, the difference itself. The largest difference comes first in each level.

    Args:
        shift: by side, logarithms of the host's factor, rows by recordings.
        bounds: see `noise.bounds`.
        same: see `host_index.same_inputs`.
    """
    base, new = (side.mean.mean(axis=1) for side in sides)
    calls = [side.calls.mean(axis=1) for side in sides]
    level = keys["level"].to_numpy()
    larger = max(float(base[level == STEP][0]), float(new[level == STEP][0]))
    found = against_noise(*sides, shift, bounds, _numbered(keys, "of"), same & (calls[0] == calls[1]))
    adjusted = [side.typical.mean(axis=1) * np.exp(-by.mean(axis=1)) for side, by in zip(sides, shift, strict=True)]
    told = outcomes(found, _numbered(keys, "level", "of"), np.sqrt(adjusted[0] * adjusted[1]), larger)
    rows = _timed(keys, base, new).with_columns(
        *_ranges(told, base, new),
        pl.Series("base_calls", calls[0]).fill_nan(None),
        pl.Series("new_calls", calls[1]).fill_nan(None),
        pl.Series("p", found.p).fill_nan(None),
        pl.Series("status", _status(told, base, new)),
        pl.lit(larger).alias("larger_ns"),
    )
    return rows.sort("level", -pl.col("delta_ns").abs(), "of", "key")


def _numbered(keys: pl.DataFrame, *columns: str) -> Ints:
    """Rows with the same values of some columns have the same number."""
    number: Ints = keys.select(pl.struct(columns).rank("dense").cast(pl.Int64)).to_series().to_numpy()
    return number


def _timed(keys: pl.DataFrame, base: Floats, new: Floats) -> pl.DataFrame:
    level = keys["level"].to_numpy()
    whole = _rounded(level, base), _rounded(level, new)
    return keys.with_columns(
        pl.Series("base_ns", whole[0]), pl.Series("new_ns", whole[1]), pl.Series("delta_ns", whole[1] - whole[0])
    )


def _ranges(told: Outcomes, base: Floats, new: Floats) -> list[pl.Series]:
    single = (base == 0) | (new == 0)
    return [
        _whole("low_ns", np.where(single, new - base, told.low)),
        _whole("high_ns", np.where(single, new - base, told.high)),
        _whole("smallest_ns", np.where(single, 0, told.smallest)),
    ]


def _status(told: Outcomes, base: Floats, new: Floats) -> np.ndarray:
    cases = [(base == new, SAME), (base == 0, NEW), (new == 0, GONE), (told.changed, CHANGED), (told.same, SAME)]
    return np.select([case for case, _ in cases], [status for _, status in cases], UNKNOWN)


def _whole(name: str, values: Floats) -> pl.Series:
    return pl.Series(name, np.rint(values).astype(np.int64))


def _rounded(level: np.ndarray, values: Floats) -> Ints:
    """Values as whole numbers; those of a level that divides the step sum to it."""
    whole = np.rint(values).astype(np.int64)
    step = int(whole[level == STEP][0])
    for one in _WHOLE:
        parts = np.flatnonzero(level == one)
        if values[parts].any():
            whole[parts] = largest_remainders(values[parts], step)
    return whole


def largest_remainders(values: Floats, total: int) -> Ints:
    """Whole numbers near some values that sum to a total near their sum.

    >>> largest_remainders(np.array([1.4, 1.4, 1.2]), 4).tolist()
    [2, 1, 1]
    """
    floor = np.floor(values).astype(np.int64)
    order = np.argsort(-(values - floor), kind="stable")
    floor[order[: total - int(floor.sum())]] += 1
    return floor
