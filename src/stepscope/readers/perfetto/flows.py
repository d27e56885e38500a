"""Flows: arrows between slices, and the edges of CUDA graphs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric import packet_state as st
from stepscope.readers.perfetto.rows import Rows
from stepscope.readers.perfetto.tables import GRAPH_EDGE, StoredTables
from stepscope.schema import PART, STORE_TABLES

_TYPES = STORE_TABLES["flow"] | {PART: pl.UInt16}


def flow_frame(rows: Rows, stored: StoredTables) -> pl.DataFrame:
    """Points of flows, in order of time: where one starts, goes on and ends. Columns of ``flow``, without ``event``."""
    several = pl.concat([_between_slices(rows, stored), _edges(rows, stored)])
    if len(several) == 0:
        return several.drop("row")
    row = several["row"].to_numpy()
    process, thread = rows.place
    columns = [process.gather(row), thread.gather(row)]
    if stored.parts is not None:
        columns.append(pl.Series(PART, stored.parts[row]))
    frame = several.drop("row").with_columns(columns)
    return frame.select(pl.col(name).cast(_TYPES[name]) for name in frame.columns)


def _between_slices(rows: Rows, stored: StoredTables) -> pl.DataFrame:
    """A flow runs through all that name it; what alone names it is none."""
    parts = []
    for key in (st.FLOW, st.LAST_FLOW):
        row, flow = rows.arguments.pairs(key)
        parts.append(pl.DataFrame({"row": row, "flow": flow}))
    found = pl.concat(parts)
    found = found.with_columns(stored.start.gather(found["row"]))
    found = found.sort("flow", "start_ns", "row").unique(["flow", "row"], keep="first", maintain_order=True)
    size, place = pl.len().over("flow"), pl.int_range(pl.len()).over("flow")
    phase = pl.when(place == 0).then(rows.code("s")).when(place == size - 1).then(rows.code("f"))
    found = found.with_columns(phase.otherwise(rows.code("t")).alias("phase"), (size > 1).alias("joins"))
    return _finished(found.filter("joins").drop("joins"), rows, "flow")


def _edges(rows: Rows, stored: StoredTables) -> pl.DataFrame:
    """From the end of what a node of a graph waits for to its start."""
    row, waits = rows.arguments.pairs(st.WAITS)
    own, number = rows.arguments.pairs(st.EVENT_ID)
    known = pl.DataFrame({"event": number, "before": own}).unique("event", keep="first", maintain_order=True)
    found = pl.DataFrame({"row": row, "event": waits}).join(known, "event", maintain_order="left")
    flow: npt.NDArray[np.int64] = GRAPH_EDGE + 1 + np.arange(len(found))
    before, after = found["before"], found["row"]
    ends = stored.start.gather(before) + stored.duration.gather(before)
    both = pl.concat(
        [
            pl.DataFrame([before.alias("row"), pl.Series("flow", flow), ends.alias("start_ns")]).with_columns(
                pl.lit(rows.code("s")).alias("phase")
            ),
            pl.DataFrame([after.alias("row"), pl.Series("flow", flow), stored.start.gather(after)]).with_columns(
                pl.lit(rows.code("f")).alias("phase")
            ),
        ]
    )
    return _finished(both, rows, "ac2g")


def _finished(frame: pl.DataFrame, rows: Rows, category: str) -> pl.DataFrame:
    code = rows.code(category)
    types = {"row": pl.Int64, "flow": pl.Int64, "start_ns": pl.Int64, "phase": pl.Int64}
    frame = frame.select(pl.col(name).cast(dtype) for name, dtype in types.items())
    return frame.with_columns(pl.lit(code, pl.Int64).alias("category"), pl.lit(code, pl.Int64).alias("name"))
