"""Dependencies between the nodes of a CUDA graph, where they were recorded.

With ``enable_graph_dependencies`` the profiler writes an arrow for each edge of a graph, from the end of one activity
of a replay to the start of another, with numbers from 2^40 on (`store.linking.GRAPH_EDGE`). The clocks of both may
differ by microseconds: an arrow that runs backwards is an edge all the same.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Queue
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.linking import GRAPH_EDGE
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank
from stepscope.store.ties import places

_NONE = pl.DataFrame(schema={"flow": pl.Int64, "before": pl.Int64, "after": pl.Int64})

_ROUNDING_NS = 2
"""Times of arrows are sums of floats: how far they may lie from the event's."""


@per_rank(whole=True)
def graph_edges(rank: Rank) -> pl.DataFrame:
    """One row per recorded edge: columns flow, before and after (rows of the table activity; null for none).

    Edges from or to nodes that are no activity, as records of events and calls of the host, have a null.
    """
    numbers = rank.trace.frame("flow", ["flow"])["flow"]
    if not (numbers >= GRAPH_EDGE).any():  # as in most traces: nothing else of all arrows is read
        return _NONE
    flows = rank.trace.frame("flow", ["phase", "flow", *PLACE, "start_ns"])
    flows = flows.filter((pl.col("flow") >= GRAPH_EDGE) & pl.col("start_ns").is_not_null())
    if len(flows) == 0:
        return _NONE
    flows = flows.with_columns(rank.trace.text(flows["phase"]).alias("phase"))
    activity = rank.trace.frame("activity", [*PLACE, "start_ns", "duration_ns"])
    activity = activity.with_row_index("row").with_columns(
        pl.col("row").cast(pl.Int64),
        (pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns"),
        pl.Series("order", places(rank.trace, "activity")),
    )
    ends = _at(flows.filter(phase="s"), activity, "end_ns").select("flow", pl.col("row").alias("before"))
    starts = _at(flows.filter(phase="f"), activity, "start_ns").select("flow", pl.col("row").alias("after"))
    return ends.join(starts, "flow", "full", coalesce=True).sort("flow", "before", "after")


def _at(flows: pl.DataFrame, activity: pl.DataFrame, edge: str) -> pl.DataFrame:
    """Flow points with the row of the activity of their place that starts or ends there."""
    # What ends at once need not have begun at once.
    ordered = activity.with_columns(pl.col(edge).alias("at")).sort("at", "start_ns", "end_ns", "order")
    at = ordered.select("row", *PLACE, "at")
    points = flows.select("flow", *PLACE, pl.col("start_ns").alias("at")).sort("at", "flow")
    return points.join_asof(
        at, on="at", by=list(PLACE), strategy="nearest", tolerance=_ROUNDING_NS, check_sortedness=False
    )


def node_waits(rank: Rank, queue: Queue) -> Ints:
    """By activity: row of the activity before it in its graph that ended last, or `NOBODY`."""
    edges = graph_edges(rank).drop_nulls()
    before, after = edges["before"].to_numpy(), edges["after"].to_numpy()
    # Nothing waits for what started later than itself.
    possible = queue.place[before] < queue.place[after]
    before, after = before[possible], after[possible]
    order = np.lexsort((queue.place[before], queue.end[before], after))
    found = np.full(len(queue.start), NOBODY, np.int64)
    found[after[order]] = before[order]  # of several the last one stays
    return found
