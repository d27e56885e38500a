"""What is innermost on a thread at a moment, for moments given by the codes of process and thread."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.nested import NOBODY
from stepscope.store.nesting import HostNesting

Ints: TypeAlias = npt.NDArray[np.int64]

_PLACE = ["process", "thread"]


def rows_at(host: HostNesting, process: pl.Series, thread: pl.Series, at_ns: Ints) -> Ints:
    """Row that is innermost on each thread at each moment, or `NOBODY`.

    Args:
        process, thread: codes as in the stored tables, one per moment; a null thread has no rows.
        at_ns: moments on the host's clock; of those with a null thread any value.
    """
    from stepscope.numeric.nesting import innermost_at

    asked = pl.DataFrame([process.alias("process"), thread.alias("thread")])
    lanes = host.lanes.with_columns(pl.col("lane").cast(pl.Int64))
    lane = asked.join(lanes, _PLACE, "left", maintain_order="left", nulls_equal=True)["lane"]
    return innermost_at(host.nesting, host.thread, host.start, host.end, lane.fill_null(NOBODY).to_numpy(), at_ns)
