"""How long steps take, on the side that decides."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.numeric.intervals import Ints


def step_lengths(table: pl.DataFrame) -> Ints:
    """Time of each step: of the host, or where the GPU lags behind it, of the GPU.

    Args:
        table: rows of the table steps, without those that were cut.
    """
    host = table["duration_ns"].to_numpy()
    behind = (table["lag_ns"].fill_null(0) > 0).all()
    return np.maximum(host, table["period_ns"].fill_null(0).to_numpy()) if behind else host
