"""Copies from the host to the GPU by step, whatever they carry: batches, scalars, masks.

A copy belongs to the step that launches it. Exposed is the time in which such a copy runs and nothing computes; the
time on the host is that of the operators which launched the copies (``aten::copy_``), or of the calls where there is
no operator: it includes waiting for a copy from pageable memory and for one that is not ``non_blocking``.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.unions import activity_unions, union_of
from stepscope.numeric.intervals import Ints, Union, length, merge
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
    launched = copies.select(pl.coalesce("launch_start_ns", "start_ns")).to_series()
    copies = copies.with_columns(launched.alias("at")).sort("at", maintain_order=True)
    first = np.searchsorted(copies["at"].to_numpy(), start, side="left").tolist()
    last = np.searchsorted(copies["at"].to_numpy(), end, side="left").tolist()
    compute = activity_unions(activity)[0]
    rows = [_row(copies[a:b], compute) for a, b in zip(first, last, strict=True)]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _row(copies: pl.DataFrame, compute: Union) -> tuple[int | None, int | None, int, int, int]:
    sized = copies.filter(pl.col("bytes").is_not_null())
    told = sized.filter(pl.col("pageable").is_not_null())
    running = union_of(copies)
    hosts = copies.filter(pl.col("host_end_ns").is_not_null())
    on_host = sum(
        length(union_of(part.select(start_ns="host_start_ns", end_ns="host_end_ns")))
        for part in hosts.partition_by("process", "thread")
    )
    return (
        int(sized["bytes"].sum()) if len(sized) or len(copies) == 0 else None,
        int(told.filter("pageable")["bytes"].sum()) if len(told) or len(copies) == 0 else None,
        length(running),
        length(merge(compute, running)) - length(compute),
        on_host,
    )


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
