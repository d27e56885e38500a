"""An order of names that does not depend on where they stand in the file, for what is equal in everything else."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.numeric.intervals import Ints
from stepscope.store.trace import Trace


def text_places(trace: Trace, codes: pl.Series) -> Ints:
    """Place of each code's text among the distinct texts of a column, in alphabetical order; -1 for null."""
    distinct = codes.drop_nulls().unique()
    if len(distinct) == 0:
        return np.full(len(codes), -1, np.int64)
    ranks = trace.text(distinct).rank("dense").cast(pl.Int64)
    # Codes are dense enough for a table; the last place stands for null.
    table = np.full(int(distinct.max() or 0) + 2, -1, np.int64)  # type: ignore[arg-type]
    table[distinct.to_numpy()] = ranks.to_numpy()
    places: Ints = table[codes.cast(pl.Int64).fill_null(-1).to_numpy()]
    return places
