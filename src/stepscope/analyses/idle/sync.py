"""Calls that hold the host until the GPU, a copy or memory is ready (see docs/tables/).

Of the time in these calls ``busy_ns`` is that in which the GPU worked: there the host could have queued more work.
``idle_ns`` is the rest: the GPU had nothing to do either.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.event_records import with_record_streams
from stepscope.analyses.idle.gap_parts import source_lines
from stepscope.analyses.idle.waits import DEVICE, blocking_calls
from stepscope.analyses.steps.unions import rank_busy
from stepscope.messages import Message
from stepscope.numeric.intervals import covered_within
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import PROFILER


def sync(profile: Profile, by: str = "", source: bool = False) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``sync``, most host time first.

    Args:
        by: "" for a row per API and what it waits for, ``operator`` for one per operator it was called in as well.
        source: a row for each source line as well, in a column of that name.
    """
    calls = pl.concat([_rank_calls(rank, source) for rank in profile.ranks])
    keys = ["name", "waits_for", *(["operator"] if by else []), *(["source"] if source else [])]
    host = pl.col("host_ns")
    rows = calls.group_by(keys).agg(
        pl.len().cast(pl.Int64).alias("calls"),
        host.sum(),
        host.mean().round(0, mode="half_to_even").cast(pl.Int64).alias("mean_ns"),
        host.max().alias("max_ns"),
        pl.col("busy_ns").sum(),
    )
    if not by:
        times = calls.group_by(*keys, "operator").agg(host.sum())
        times = times.sort("host_ns", "operator", descending=[True, False], nulls_last=True)
        top = times.unique(keys, keep="first", maintain_order=True).drop("host_ns")
        rows = rows.join(top, keys, "left", nulls_equal=True)
    rows = rows.with_columns((host - pl.col("busy_ns")).alias("idle_ns"))
    schema = TABLES["sync"].schema
    order = ["host_ns", *keys]
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    after = list(schema).index("operator") + 1
    return rows.select(*columns[:after], *(["source"] if source else []), *columns[after:]).sort(
        order, descending=[True] + [False] * len(keys), nulls_last=True
    )


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Why there may be no calls that wait, and which of them are the profiler's."""
    if len(frame) == 0:
        recorded = any(rank.trace.rows("runtime") for rank in profile.ranks)
        return [Message("note-sync-none")] if recorded else []
    calls = pl.concat([_after_steps(rank) for rank in profile.ranks])
    if len(calls) == 0:
        return []
    share = 100 * int(calls["host_ns"].sum()) / max(1, int(frame["host_ns"].sum()))
    return [Message("note-sync-after-steps", calls=len(calls), share_pct=share)]


def _after_steps(rank: Rank) -> pl.DataFrame:
    """Calls that wait for the device after the last marked step: column host_ns."""
    calls = blocking_calls(rank)
    ranges = rank.all_steps.ranges
    after = rank.all_steps.source == PROFILER and rank.chosen is None and len(ranges) > 0
    calls = calls.filter((pl.col("kind") == DEVICE) & (pl.col("start_ns") >= ranges["end_ns"].max()) & pl.lit(after))
    return calls.select((pl.col("end_ns") - pl.col("start_ns")).alias("host_ns"))


def _rank_calls(rank: Rank, source: bool) -> pl.DataFrame:
    """Selected calls of a rank: name, waits_for, operator, source, host_ns, busy_ns."""
    trace = rank.trace
    calls = blocking_calls(rank)
    calls = calls.filter(rank.inside(calls["start_ns"]))
    busy = rank_busy(rank.whole)
    start, end = calls["start_ns"].to_numpy(), calls["end_ns"].to_numpy()
    operators = trace.frame("operator", ["name"])["name"].gather(calls["operator"])
    places = calls.select("operator", "process", "thread", pl.col("start_ns").alias("at_ns"))
    return pl.DataFrame(
        [
            trace.text(calls["name"]).alias("name"),
            _waits_for(rank, calls),
            trace.text(operators).alias("operator"),
            source_lines(rank, places) if source else pl.Series("source", [None] * len(calls), dtype=pl.String),
            pl.Series("host_ns", end - start, dtype=pl.Int64),
            pl.Series("busy_ns", covered_within(busy, start, end).astype(np.int64)),
        ]
    )


def _waits_for(rank: Rank, calls: pl.DataFrame) -> pl.Series:
    """What each call waits for: as `cuda_sync` events say, else by the kind of call."""
    trace = rank.trace
    events = trace.frame("sync", ["correlation", "start_ns", "stream", "wait_stream", "wait_correlation"]).filter(
        pl.col("correlation").is_not_null() & (pl.col("correlation") != 0)
    )
    events = with_record_streams(rank, events).drop("wait_correlation")
    events = events.sort("start_ns", "stream", "wait_stream").unique("correlation", keep="first", maintain_order=True)
    numbers = trace.frame("runtime", ["correlation"])["correlation"].gather(calls["row"])
    told = pl.DataFrame([calls["kind"], numbers]).join(events, "correlation", "left", maintain_order="left")
    stream = pl.when(pl.col("stream") >= 0).then(pl.col("stream").cast(pl.String))
    waited = pl.when(pl.col("wait_stream") >= 0).then(pl.col("wait_stream").cast(pl.String))
    text = (
        pl.when(pl.col("kind") == "stream")
        .then(pl.concat_str(pl.lit("stream "), stream))
        .when(pl.col("kind") == "event")
        .then(pl.concat_str(pl.lit("event of stream "), waited))
    )
    return told.select(pl.coalesce(text, "kind").alias("waits_for")).to_series()
