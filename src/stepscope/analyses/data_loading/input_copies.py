"""Copies from the host to the GPU by step, whatever they carry: batches, scalars, masks.

A copy belongs to the step that launches it. Exposed is the time in which such a copy runs and nothing computes; the
time on the host is that of the operators which launched the copies (``aten::copy_``), or of the calls where there is
no operator: it includes waiting for a copy from pageable memory and for one that is not ``non_blocking``.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.steps.totals import sum_by
from stepscope.analyses.steps.unions import lengths_by, rank_unions
from stepscope.numeric.intervals import Ints, Union, covered_before
from stepscope.schema import MEMCPY
from stepscope.store.profile import Rank

COPIED = ("h2d_bytes", "h2d_pageable_bytes", "h2d_copy_ns", "h2d_exposed_ns", "h2d_host_ns")

_DIRECTION = r"\bHtoD\b|HostToDevice"


def input_copies(rank: Rank, start: Ints, end: Ints) -> pl.DataFrame:
    """One row for each ``[start, end)`` of the host's clock, in order: columns `COPIED`; null without GPU activity."""
    activity = rank.activity
    schema = dict.fromkeys(COPIED, pl.Int64)
    if len(activity) == 0:
        return pl.DataFrame({name: [None] * len(start) for name in COPIED}, schema=schema)
    copies = _copies(rank)
    copies = copies.with_columns(pl.coalesce("launch_start_ns", "start_ns").alias("at")).sort("at", maintain_order=True)
    first, last = (np.searchsorted(copies["at"].to_numpy(), edge, side="left") for edge in (start, end))
    count = np.maximum(last - first, 0)
    row = np.repeat(np.arange(len(start)), count)
    taken = np.arange(len(row)) + np.repeat(first - (np.cumsum(count) - count), count)
    copies = copies[taken].with_columns(pl.Series("row", row))
    rows = pl.DataFrame({"row": pl.int_range(len(start), eager=True)})
    rows = rows.join(_sizes(copies), "row", "left", maintain_order="left")
    running, exposed = _running(copies, rank_unions(rank)[0], len(start))
    return rows.select(
        pl.when(pl.col("copies").is_null() | (pl.col("sized") > 0)).then(pl.col("bytes").fill_null(0)).alias(COPIED[0]),
        pl.when(pl.col("copies").is_null() | (pl.col("told") > 0))
        .then(pl.col("unpinned").fill_null(0))
        .alias(COPIED[1]),
        pl.Series(COPIED[2], running),
        pl.Series(COPIED[3], exposed),
        pl.Series(COPIED[4], _on_host(copies, len(start))),
    ).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def copying_at_most_ns(rank: Rank) -> int:
    """Time of all copies to the GPU together, which those of steps do not exceed."""
    toward = rank.trace.codes(lambda text: text.str.contains(_DIRECTION))
    if len(toward) == 0:
        return 0
    copies = rank.trace.frame("activity", ["name", "direction", "duration_ns"])
    named = pl.any_horizontal(pl.col("name", "direction").is_in(toward.implode()))
    return int(copies.filter(named)["duration_ns"].sum())


def _sizes(copies: pl.DataFrame) -> pl.DataFrame:
    """Bytes of each row's copies, how many there are, have a size, and have a size and a kind of memory."""
    sized, told = pl.col("bytes").is_not_null(), pl.col("pageable").is_not_null()
    return copies.group_by("row").agg(
        pl.len().alias("copies"),
        sized.sum().alias("sized"),
        (sized & told).sum().alias("told"),
        pl.col("bytes").sum(),
        pl.col("bytes").filter(pl.col("pageable")).sum().alias("unpinned"),
    )


def _running(copies: pl.DataFrame, compute: Union, rows: int) -> tuple[Ints, Ints]:
    """Time in which copies of each row run, and the part in which nothing computes."""
    row, start, end = (copies[name].to_numpy() for name in ("row", "start_ns", "end_ns"))
    # On a clock that stands still while something computes, what is left of the copies is the exposed part.
    start_apart, end_apart = (times - covered_before(compute, times) for times in (start, end))
    return lengths_by(row, start, end, rows), lengths_by(row, start_apart, end_apart, rows)


def _on_host(copies: pl.DataFrame, rows: int) -> Ints:
    """Time that the host spent on the copies of each row, thread by thread."""
    known = copies.filter(pl.col("host_end_ns").is_not_null())
    places = known.select("row", "process", "thread").unique(maintain_order=True).with_row_index("place")
    place = known.join(places, ["row", "process", "thread"], "left", maintain_order="left", nulls_equal=True)["place"]
    start, end = (known[name].to_numpy() for name in ("host_start_ns", "host_end_ns"))
    return sum_by(places["row"].to_numpy(), lengths_by(place.cast(pl.Int64).to_numpy(), start, end, len(places)), rows)


def _copies(rank: Rank) -> pl.DataFrame:
    """Copies to the GPU: start_ns, end_ns, launch_start_ns, bytes, pageable, and where the host made them."""
    trace = rank.trace
    toward = trace.codes(lambda text: text.str.contains(_DIRECTION)).implode()
    copies = rank.activity.filter(pl.col("activity") == MEMCPY)
    details = trace.frame("activity", ["bytes", "direction"])[copies["row"]]
    copies = copies.with_columns(details["bytes"], details["direction"])
    copies = copies.filter(pl.col("name").is_in(toward) | pl.col("direction").is_in(toward))
    name = pl.lit(trace.text(copies["name"]).str.to_lowercase())
    runtime = trace.frame("runtime", ["process", "thread", "start_ns", "duration_ns"])
    operators = trace.frame("operator", ["start_ns", "duration_ns"])
    call, operator = copies["launch"], copies["operator"]
    begin, length_ns = (
        [frame[column].gather(row) for frame, row in ((operators, operator), (runtime, call))]
        for column in ("start_ns", "duration_ns")
    )
    return copies.with_columns(
        pl.when(name.str.contains("pageable"))
        .then(True)
        .when(name.str.contains("pinned"))
        .then(False)
        .alias("pageable"),
        runtime["process"].gather(call),
        runtime["thread"].gather(call),
        pl.coalesce(*begin).alias("host_start_ns"),
        pl.coalesce(begin[0] + length_ns[0], begin[1] + length_ns[1]).alias("host_end_ns"),
    )
