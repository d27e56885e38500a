"""Which call launched an activity, inside which operator, and whether it communicates.

Launch (see docs/tables/): the call with the activity's correlation (0 and none do not link; of several, the one a
flow of that number starts at, else the last to start); else the call where the flow that ends at the activity starts.
One launch may own many activities (CUDA graphs).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.nested import NOBODY
from stepscope.schema import KERNEL
from stepscope.store.communication import is_communication_name, is_communication_operator
from stepscope.store.freed_memory import give_back
from stepscope.store.memo import per_trace_on_disk
from stepscope.store.nesting import PLACE, host_nesting, rows_of_places
from stepscope.store.ties import places
from stepscope.store.trace import Trace

GRAPH_EDGE = 1 << 40
"""Flows of this number and above are dependencies between nodes of a CUDA graph, and no launches."""


@per_trace_on_disk
def links(trace: Trace) -> pl.DataFrame:
    """One row per activity, in file order.

    Columns: ``launch`` (row of table ``runtime``), ``by_flow``, ``launch_start_ns``, ``operator`` (row of table
    ``operator`` that is innermost at the launch's start on its thread), ``communication``. Unlinked: null.
    """
    activity = trace.frame("activity", ["correlation", *PLACE, "start_ns", "activity", "name", "collective"])
    activity = activity.with_row_index("row")
    columns = ["correlation", "name", *PLACE, "start_ns", "duration_ns"]
    runtime = trace.frame("runtime", columns).with_row_index("launch")
    by_number = _calls_by_correlation(trace, runtime)
    linked = activity.select("row", "correlation").join(by_number, "correlation", "left", maintain_order="left")
    unlinked = linked.filter(pl.col("launch").is_null())["row"]
    launch = linked["launch"]
    by_flow = pl.repeat(False, len(activity), eager=True)
    if len(unlinked) and len(runtime):
        found = _through_flows(trace, activity.select("row", *PLACE, "start_ns")[unlinked], runtime)
        both = linked.select("row").join(found, "row", "left", maintain_order="left")["found"]
        by_flow = both.is_not_null()
        launch = pl.select(pl.coalesce(launch, both)).to_series()
    frame = pl.DataFrame({"launch": launch.cast(pl.UInt32), "by_flow": by_flow})
    calls = runtime.select("launch", *PLACE, pl.col("start_ns").alias("launch_start_ns"))
    placed = frame.join(calls, "launch", "left", maintain_order="left")
    # The operators come next, and are many more.
    activity = activity.select("activity", "name", "collective")
    del runtime, calls, frame, linked, by_number, launch, by_flow, unlinked
    give_back()
    operator = _operators_at(trace, placed)
    return placed.select(
        "launch",
        "by_flow",
        "launch_start_ns",
        operator.alias("operator"),
        _communication(trace, activity, operator).alias("communication"),
    )


def _calls_by_correlation(trace: Trace, runtime: pl.DataFrame) -> pl.DataFrame:
    """The one call of each correlation that may own activities: columns correlation, launch."""
    calls = runtime.filter(pl.col("correlation").is_not_null() & (pl.col("correlation") != 0))
    if calls["correlation"].n_unique() == len(calls):
        return calls.select("correlation", "launch")
    flows = _flows(trace, "s").select(pl.col("flow").alias("correlation"), *PLACE, "start_ns").unique()
    calls = calls.join(
        flows.with_columns(pl.lit(True).alias("starts_flow")),
        on=["correlation", *PLACE, "start_ns"],
        how="left",
        nulls_equal=True,
    ).with_columns(pl.col("starts_flow").fill_null(False))
    # Of calls that start together the longest, then by name, so that the order of events in the file decides nothing.
    shared = calls.filter(pl.col("correlation").is_duplicated())
    texts = [trace.text(shared[name]).alias(f"{name} text") for name in ("name", *PLACE)]
    shared = shared.with_columns(texts).sort("starts_flow", "start_ns", "duration_ns", *texts, "launch")
    own = calls.filter(pl.col("correlation").is_unique())
    return pl.concat(
        [
            own.select("correlation", "launch"),
            shared.unique("correlation", keep="last", maintain_order=True).select("correlation", "launch"),
        ]
    )


def _flows(trace: Trace, phase: str) -> pl.DataFrame:
    """Flow points of one phase between host and device; those of the backward pass and inside graphs are left out."""
    flows = trace.frame("flow", ["phase", "category", "flow", *PLACE, "start_ns"])
    phases = trace.codes(lambda text: text == phase)
    other = trace.codes(lambda text: text.is_in(["fwdbwd", "critical_path"]))
    return flows.filter(
        pl.col("phase").is_in(phases.implode()) & ~pl.col("category").is_in(other.implode()).fill_null(False)
    ).filter((pl.col("flow") < GRAPH_EDGE) & pl.col("start_ns").is_not_null())


def _through_flows(trace: Trace, unlinked: pl.DataFrame, runtime: pl.DataFrame) -> pl.DataFrame:
    """Calls found through flows: columns row, found."""
    if trace.rows("flow") == 0:
        return pl.DataFrame(schema={"row": pl.UInt32, "found": pl.UInt32})
    ends = _flows(trace, "f").select("flow", "category", *PLACE, "start_ns")
    starts = _flows(trace, "s").select(
        "flow",
        "category",
        *(pl.col(name).alias(f"from_{name}") for name in PLACE),
        pl.col("start_ns").alias("from_ns"),
    )
    arrows = unlinked.join(ends, on=[*PLACE, "start_ns"], how="inner", nulls_equal=True).join(
        starts, on=["flow", "category"], how="inner", nulls_equal=True
    )
    if len(arrows) == 0:
        return pl.DataFrame(schema={"row": pl.UInt32, "found": pl.UInt32})
    threads = runtime.select(*PLACE).unique(maintain_order=True).with_row_index("lane")
    calls = runtime.join(threads, PLACE, "left", maintain_order="left", nulls_equal=True)
    asked = arrows.join(
        threads.rename({name: f"from_{name}" for name in PLACE}),
        on=[f"from_{name}" for name in PLACE],
        how="inner",
        nulls_equal=True,
    )
    found = _innermost(calls, _ties(trace, calls), asked["lane"], asked["from_ns"])
    times = runtime.select(pl.col("launch").alias("found"), "start_ns", "duration_ns")
    times = times.with_columns(pl.Series("place", places(trace, "runtime")))
    return (
        pl.DataFrame({"row": asked["row"], "found": found})
        .filter(pl.col("found").is_not_null())
        .join(times, "found", "left")
        .sort("row", "start_ns", "duration_ns", "place")
        .unique("row", keep="last", maintain_order=True)
        .select("row", "found")
    )


def _ties(trace: Trace, calls: pl.DataFrame) -> npt.NDArray[np.int64]:
    """What decides between calls of equal start and end: their correlation and name, not the order in the file."""
    keys = calls.select("correlation", trace.text(calls["name"]).alias("text")).with_row_index("row")
    keys = keys.sort("correlation", "text").with_columns(pl.struct("correlation", "text").rle_id().alias("tie"))
    return keys.sort("row")["tie"].cast(pl.Int64).to_numpy()


def _innermost(calls: pl.DataFrame, ties: npt.NDArray[np.int64], lane: pl.Series, at: pl.Series) -> pl.Series:
    """Row of the call that is open on a lane at a time."""
    from stepscope.numeric.nesting import innermost_at, nest

    thread = calls["lane"].cast(pl.Int32).to_numpy()
    start = calls["start_ns"].to_numpy()
    # A call counts as open at its own start even when it took no time.
    end = start + np.maximum(calls["duration_ns"].to_numpy(), 1)
    nesting = nest(thread, start, end, ties)
    rows = innermost_at(nesting, thread, start, end, lane.cast(pl.Int64).to_numpy(), at.to_numpy())
    return pl.Series("found", np.where(rows == NOBODY, 0, rows).astype(np.uint32)).set(pl.Series(rows == NOBODY), None)


def _operators_at(trace: Trace, placed: pl.DataFrame) -> pl.Series:
    """Row of the operator that is innermost where each launch starts."""
    if trace.rows("operator") == 0:
        return pl.Series("operator", [None] * len(placed), dtype=pl.UInt32)
    from stepscope.numeric.nesting import innermost_at

    host = host_nesting(trace, "operator", ["order", "parent"])
    at = placed["launch_start_ns"].fill_null(0).to_numpy()
    known = placed["launch"].is_not_null().to_numpy()
    asked = np.where(known, rows_of_places(host.lanes, placed), NOBODY)
    rows = innermost_at(host.nesting, host.thread, host.start, host.end, asked, at)
    return pl.Series("operator", np.where(rows == NOBODY, 0, rows).astype(np.uint32)).set(
        pl.Series(rows == NOBODY), None
    )


def _communication(trace: Trace, activity: pl.DataFrame, operator: pl.Series) -> pl.Series:
    """Whether each activity is a communication kernel."""
    named = trace.codes(is_communication_name)
    by_operator = pl.repeat(False, len(activity), eager=True)
    if operator.is_not_null().any():
        names = trace.frame("operator", ["name"])["name"].gather(operator)
        by_operator = names.is_in(trace.codes(is_communication_operator).implode()).fill_null(False)
    return activity.select(
        (pl.col("activity") == KERNEL)
        & (
            pl.col("collective").is_not_null()
            | pl.lit(by_operator)
            | pl.col("name").is_in(named.implode()).fill_null(False)
        )
    ).to_series()
