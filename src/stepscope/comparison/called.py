"""Operators that the compared steps call, counted once for all who ask."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.threads import host_threads
from stepscope.comparison.recorded import compared_steps
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_INPUTS = ["name", "input_dims", "input_types"]


@per_rank
def called_operators(rank: Rank) -> pl.DataFrame:
    """Columns name, input_dims, input_types (codes), place (of the step), runs (on a thread that runs the steps) and
    calls, how many of these there are.

    Where nothing tells which threads run the steps, all do.
    """
    rows = rank.trace.frame("operator", [*_INPUTS, "start_ns"])
    threads = host_threads(rank)
    number, _ = threads.numbered(rank, "operator")
    # The last one is of no thread, which has the number -1.
    runs = np.isin(np.arange(int(number.max(initial=0)) + 2), [threads.main, *threads.engine]) | (threads.main < 0)
    place = compared_steps(rank).holding(rows["start_ns"].to_numpy())
    rows = rows.select(*_INPUTS, pl.Series("place", place.astype(np.int32)), pl.Series("runs", runs[number]))
    counted = rows.filter(pl.col("place") >= 0).group_by(*_INPUTS, "place", "runs").len("calls")
    return counted.cast({"place": pl.Int64, "calls": pl.Int64})
