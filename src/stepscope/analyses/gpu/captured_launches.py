"""Launches that were captured into a CUDA graph instead of being run: no activity follows them.

ROCm names the kernel with the call; CUDA does not, so there a capture tells nothing of what a replay runs.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.numeric.nested import NOBODY
from stepscope.store.further_arguments import further_argument
from stepscope.store.linking import links
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank


def captured_launches(rank: Rank) -> pl.DataFrame:
    """Calls that launched nothing and say what they would have, in order of time.

    Columns: call (row of table ``runtime``), element (the kernel's name), operator (row of the
    innermost one around the call, null outside of any), launch_start_ns.
    """
    trace = rank.trace
    calls = trace.frame("runtime", ["event", *PLACE, "start_ns"]).with_row_index("call")
    ran = links(trace)["launch"].unique().drop_nulls().implode()
    calls = calls.filter(~pl.col("call").is_in(ran))
    calls = calls.with_columns(further_argument(trace, calls["event"], "kernel").alias("element"))
    calls = calls.filter(pl.col("element").is_not_null()).sort("start_ns", "call")
    operator = innermost_rows(rank, "operator", calls.select(*PLACE, pl.col("start_ns").alias("at")))
    around = pl.Series("operator", np.where(operator == NOBODY, 0, operator), pl.UInt32)
    return calls.select(
        "call",
        "element",
        around.set(pl.Series(operator == NOBODY), None),
        pl.col("start_ns").alias("launch_start_ns"),
    )
