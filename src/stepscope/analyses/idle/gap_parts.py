"""Parts of gaps: how much of each gap has which cause, what happened meanwhile, and where to look for its source."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from stepscope.analyses.host.source import operator_sources, source_at
from stepscope.analyses.host.threads import runtime_calls
from stepscope.analyses.needs import NEEDS
from stepscope.numeric.intervals import Ints
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank

HOST_LATE = "host_late"
LAUNCH_LATENCY = "launch_latency"
SYNC = "sync"
DATA_LOADING = "data_loading"
MEMORY_COPY = "memory_copy"
COMMUNICATION_WAIT = "communication_wait"
DEPENDENCY = "dependency"
UNKNOWN = "unknown"

CAUSES = (SYNC, DATA_LOADING, COMMUNICATION_WAIT, MEMORY_COPY, HOST_LATE, LAUNCH_LATENCY, DEPENDENCY, UNKNOWN)
"""Of equal parts of a gap the first of these is its cause."""

EVENT = {"event": pl.String, "operator": pl.UInt32, "process": pl.Int64, "thread": pl.Int64, "at_ns": pl.Int64}
"""What happened (text, or null), the row of the operator it happened in, and the moment of a thread to look at."""

PARTS = {"gap": pl.UInt32, "cause": pl.String, "part_ns": pl.Int64, **EVENT}


def part(cause: str, amount: Ints, events: Callable[[Ints], pl.DataFrame]) -> pl.DataFrame:
    """Parts of all gaps that have one cause: columns `PARTS`.

    Args:
        amount: length of each gap's part, in gap order.
        events: columns `EVENT` of some gaps, given which.
    """
    gap = np.flatnonzero(amount > 0)
    if len(gap) == 0:
        return pl.DataFrame(schema=PARTS)
    return events(gap).select(
        pl.Series("gap", gap, dtype=pl.UInt32),
        pl.lit(cause).alias("cause"),
        pl.Series("part_ns", amount[gap], dtype=pl.Int64),
        *(pl.col(name).cast(dtype) for name, dtype in EVENT.items()),
    )


def no_event(gaps: Ints) -> pl.DataFrame:
    """Events of gaps of which nothing is known."""
    return pl.DataFrame(schema=EVENT).clear(len(gaps))


def calls_at(rank: Rank, launch: pl.Series, operator: pl.Series, named: bool = True) -> pl.DataFrame:
    """Events that are the launching calls themselves: "cudaLaunchKernel in aten::mm".

    Args:
        launch: rows of table runtime, or null.
        operator: rows of the operators around them, or null.
        named: whether the operator's name is part of the event's.
    """
    own = runtime_calls(rank).select(pl.col("name", "process", "thread", "start_ns").gather(launch))
    inside = operator if named else operator.clear(len(operator))
    return pl.DataFrame(
        [
            in_operator(rank, own["name"], inside).alias("event"),
            operator.alias("operator"),
            own["process"],
            own["thread"],
            own["start_ns"].alias("at_ns"),
        ]
    )


def in_operator(rank: Rank, call: pl.Series, operator: pl.Series) -> pl.Series:
    """Names of calls (codes) with the operators (rows) they were made in: "cudaMalloc in aten::empty"."""
    names = rank.trace.frame("operator", ["name"])["name"].gather(operator)
    texts = pl.DataFrame([rank.trace.text(call).alias("call"), rank.trace.text(names).alias("operator")])
    both = pl.when(pl.col("call") != pl.col("operator")).then(pl.concat_str("call", pl.lit(" in "), "operator"))
    return texts.select(pl.coalesce(both, "call").alias("event")).to_series()


def source_lines(rank: Rank, events: pl.DataFrame) -> pl.Series:
    """Source line of events (columns of `EVENT`): that of their operator, else of what their thread was in."""
    nothing = pl.Series("source", [None] * len(events), dtype=pl.String)
    if len(events) == 0 or not NEEDS["stacks"].present(rank):
        return nothing
    found = operator_sources(rank).gather(events["operator"])
    asked = (found.is_null() & events["at_ns"].is_not_null()).to_numpy().nonzero()[0]
    places = events[asked].select(PLACE)
    lines = source_at(rank, places["process"], places["thread"], events[asked]["at_ns"])
    return found.scatter(asked, lines).alias("source")
