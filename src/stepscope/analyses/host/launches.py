"""Calls that queue GPU work, by API: what they cost the host and how long their work waits (see docs/tables/).

Three times are kept apart. For a call ``[b, e)`` whose first activity starts at ``s`` on a stream whose earlier work
ended at ``f``:

- **host wait** ``b - f``: the stream had nothing to do before the call began;
- **launch latency** ``s - b``, of calls that found the stream idle (``f <= b``), which was not told to wait for an
  event: from the call to the work;
- **queueing** ``min(f, s) - e``, of calls that returned while earlier work still ran (``f > e``).
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.critical_path.events import told_waits
from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.analyses.host.threads import runtime_calls
from stepscope.analyses.idle.queueing import LANE, queued_launches
from stepscope.messages import Message
from stepscope.schema import TABLES, UNATTRIBUTED
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Profile, Rank

_QUEUES_WORK = r"(?i)launch_?(?:cooperative_?)?kernel|graph_?launch|mem(?:cpy|set)\w*async|memcpywithstream"
"""Names of calls that queue work, whether or not any was recorded: launches of kernels and graphs, copies, fills."""

_QUANTILES = {"p95": 0.95, "max": 1.0}
_TIMES = ("host_wait", "launch_latency", "queueing")


def launches(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``launches``, most host time first.

    Args:
        by: "" for a row per API, ``operator`` for one per API and the operator it was called in, in a column of that
            name. What was launched by no recorded call is the row `schema.UNATTRIBUTED`.
    """
    keys = ["name", *([by] if by else [])]
    calls = pl.concat([_rank_calls(rank, by) for rank in profile.ranks], how="vertical_relaxed")
    rows = calls.group_by(keys, maintain_order=True).agg(_aggregates())
    rows = pl.concat([rows, *(_unlinked(rank, rows) for rank in profile.ranks)], how="diagonal")
    rows = rows.group_by(keys, maintain_order=True).agg(
        pl.col("activities", "device_ns").sum(), pl.all().exclude("activities", "device_ns").first()
    )
    schema = TABLES["launches"].schema
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    extra = [pl.col(by)] if by else []
    order = ["host_ns", "name", *([by] if by else [])]
    return rows.select(columns[0], *extra, *columns[1:]).sort(order, descending=[True] + [False] * (len(order) - 1))


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Calls without work and work without a call."""
    found = []
    without = int(frame["without_activity"].sum())
    if without:
        found.append(Message("note-launches-no-activity", calls=without))
    rest = frame.filter(pl.col("name") == UNATTRIBUTED)
    if len(rest):
        found.append(Message("note-launches-no-call", activities=int(rest["activities"].sum())))
    return found


def _aggregates() -> list[pl.Expr]:
    host = pl.col("host_ns")
    mine = [
        pl.len().cast(pl.Int64).alias("calls"),
        host.sum(),
        host.mean().round(0, mode="half_to_even").cast(pl.Int64).alias("host_mean_ns"),
        *_quantiles("host"),
        pl.col("activities").sum(),
        pl.col("device_ns").sum(),
        pl.col("activities").is_null().sum().cast(pl.Int64).alias("without_activity"),
        pl.when(pl.col("activities").count() > 0)
        .then((pl.col("device_ns") < host).sum().cast(pl.Int64))
        .alias("short_kernels"),
        pl.col("host_wait_ns").sum().alias("host_wait_ns"),
        pl.col("launch_latency_ns").count().cast(pl.Int64).alias("on_idle_stream"),
        pl.col("queueing_ns").count().cast(pl.Int64).alias("queued"),
        (pl.col("blocked_ns") > 0).sum().cast(pl.Int64).alias("blocked_calls"),
        pl.col("blocked_ns").sum(),
    ]
    return [*mine, *_quantiles("launch_latency"), *_quantiles("queueing")]


def _quantiles(column: str) -> list[pl.Expr]:
    values = pl.col(f"{column}_ns")
    found = {name: values.quantile(quantile, interpolation="nearest") for name, quantile in _QUANTILES.items()}
    found = {"p50": values.median().round(), **found}
    return [value.cast(pl.Int64).alias(f"{column}_{name}_ns") for name, value in found.items()]


def _rank_calls(rank: Rank, by: str) -> pl.DataFrame:
    """Selected calls that queue work: name, host_ns and, where work was recorded, how it waited."""
    trace = rank.trace
    calls = runtime_calls(rank).filter(pl.Series(rank.selected_rows("runtime")))
    work = _waiting(rank)
    names = trace.codes(lambda text: text.str.contains(_QUEUES_WORK))
    calls = calls.join(work, "row", "left", maintain_order="left")
    owners = calls.filter(pl.col("activities").is_not_null())["name"].unique()
    calls = calls.filter(pl.col("name").is_in(names.implode()) | pl.col("name").is_in(owners.implode()))
    frame = calls.select(
        trace.text(calls["name"]),
        (pl.col("end_ns") - pl.col("start_ns")).alias("host_ns"),
        *work.drop("row").columns,
    )
    return frame.with_columns(_operators(rank, calls)) if by else frame


def _waiting(rank: Rank) -> pl.DataFrame:
    """Work of selected launches: row (of the call), activities, device_ns, blocked_ns and the three waiting times."""
    begin, end, start, free = (pl.col(name) for name in ("call_start_ns", "call_end_ns", "start_ns", "free_ns"))
    launches = queued_launches(rank).filter(pl.col("launch").is_not_null())
    queued = launches.with_columns(_told_to_wait(rank, launches)).filter("selected")
    idle = (free.is_null() | (free <= begin)) & ~pl.col("told")
    return queued.select(
        pl.col("launch").alias("row"),
        "activities",
        "device_ns",
        "blocked_ns",
        pl.when(idle).then(begin - free).alias("host_wait_ns"),
        pl.when(idle).then((start - begin).clip(0)).alias("launch_latency_ns"),
        pl.when(free > end).then(pl.min_horizontal(free, start) - end).clip(0).alias("queueing_ns"),
    )


def _told_to_wait(rank: Rank, launches: pl.DataFrame) -> pl.Series:
    """Whether a stream was told to wait for an event between each launch and the launch before it.

    Args:
        launches: by start of the call. Without CUDA sync events the wait's stream is not known, and it counts for the
            next launch of any stream.
    """
    waits = told_waits(rank).select("device", "stream", "at").drop_nulls("at").sort("at")
    keys = [] if waits["stream"].is_null().all() else LANE
    asked = launches.select(*LANE, "call_start_ns")
    before = pl.col("call_start_ns").shift(1)
    asked = asked.with_columns((before.over(keys) if keys else before).alias("before_ns"))
    found = asked.join_asof(
        waits.select(*keys, "at"), left_on="call_start_ns", right_on="at", by=keys or None, check_sortedness=False
    )
    told = pl.col("at").is_not_null() & (pl.col("before_ns").is_null() | (pl.col("at") >= pl.col("before_ns")))
    return found.select(told.alias("told")).to_series()


def _operators(rank: Rank, calls: pl.DataFrame) -> pl.Series:
    """Name of the innermost operator around each call."""
    row = pl.Series(innermost_rows(rank, "operator", calls.select(*PLACE, pl.col("start_ns").alias("at"))))
    names = rank.trace.frame("operator", ["name"])["name"].gather(row.set(row < 0, None).cast(pl.UInt32))
    return rank.trace.text(names).alias("operator")


def _unlinked(rank: Rank, rows: pl.DataFrame) -> pl.DataFrame:
    """The row of activity that no recorded call launched, if there is any."""
    rest = rank.activity.filter(pl.col("launch").is_null())
    if len(rest) == 0:
        return rows.clear()
    zeros = ["calls", "host_ns", "without_activity", "short_kernels", "on_idle_stream", "queued"]
    zeros += ["host_wait_ns", "blocked_calls", "blocked_ns"]
    row = {"name": UNATTRIBUTED, "activities": len(rest), "device_ns": int(rest["duration_ns"].sum())}
    return pl.DataFrame([row | dict.fromkeys(zeros, 0)])
