"""Which rows of the store are timed events, and how they are numbered."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.store.trace import Trace

NAMED = ("activity", "operator", "runtime", "annotation", "python", "sync", "other", "os_call")
"""Tables that hold timed events with a name."""

TABLES = (*NAMED, "cpu_sample", "thread_switch", "collective_record")
"""Tables that hold timed events. An event's number is its row, counted through all of them in this order."""


def offsets(trace: Trace) -> dict[str, int]:
    """Number of the first event of each table, and of none as ``""``: the number of all rows."""
    found = {}
    at = 0
    for table in TABLES:
        found[table] = at
        at += trace.rows(table)
    return found | {"": at}


def timed_events(trace: Trace) -> int:
    """How many events of a trace have a time, and a length or an event that ends them; without records of dumps."""
    whole = sum(trace.rows(table) for table in TABLES if table not in ("other", "collective_record"))
    return whole + int(timed_other(trace).sum()) if trace.rows("other") else whole


def timed_other(trace: Trace) -> npt.NDArray[np.bool_]:
    """Which rows of the table ``other`` are timed."""
    frame = trace.frame("other", ["start_ns", "duration_ns", "broken"])
    whole = (pl.col("broken") == 0).fill_null(True) & pl.col("start_ns").is_not_null()
    return frame.select(whole & (pl.col("duration_ns") >= 0).fill_null(False)).to_series().to_numpy()


def gpu_numbers(trace: Trace, frame: pl.DataFrame) -> pl.Series:
    """Number of the GPU that each row of a frame belongs to: its device, else its process where that is a number."""
    distinct = frame["process"].unique()
    text = trace.text(distinct)
    digits = pl.DataFrame([distinct, text.str.extract(r"^(\d{1,9})$", 1).cast(pl.Int64).alias("number")])
    number = frame.select("process").join(digits, "process", "left", maintain_order="left", nulls_equal=True)["number"]
    device = frame["device"] if "device" in frame.columns else pl.Series("device", [None] * len(frame), dtype=pl.Int64)
    return pl.select(pl.coalesce(device, number)).to_series().alias("gpu")
