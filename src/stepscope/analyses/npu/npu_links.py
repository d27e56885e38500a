"""What collectives of an NPU moved over each kind of link (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.npu.npu_collectives import calls
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank


def npu_links(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``npu_links``, most bytes first."""
    schema = TABLES["npu_links"].schema
    return pl.concat([pl.DataFrame(schema=schema), *map(_links_of, profile.ranks)])


def _links_of(rank: Rank) -> pl.DataFrame:
    trace = rank.trace
    frame = trace.frame("npu_link", ["collective", "transport", "bytes", "transit_ns", "packets", "large_pct"])
    frame = frame.with_columns(trace.text(frame["transport"]).alias("transport"))
    used = frame.join(calls(rank).select("collective", "op"), "collective")
    size, time = pl.col("bytes"), pl.col("transit_ns")
    packed = pl.when(pl.col("packets").is_not_null()).then(size)
    summed = used.group_by("transport", "op", maintain_order=True).agg(
        pl.len().alias("calls"),
        pl.when(pl.col("packets").count() > 0).then(pl.col("packets").sum()).alias("packets"),
        packed.sum().alias("packed"),
        (pl.col("large_pct") * size).sum().alias("large"),
        size.sum(),
        time.sum(),
    )
    made = summed.with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        pl.when(time > 0).then(size / time).alias("bandwidth"),
        pl.when(pl.col("packets") > 0).then((pl.col("packed") / pl.col("packets")).round()).alias("packet_bytes"),
        # Of SDMA, the sum of others, the profiler says 0.
        pl.when((size > 0) & pl.col("packets").is_not_null()).then(pl.col("large") / size).alias("large_pct"),
    ).sort("bytes", "transport", "op", descending=[True, False, False], nulls_last=True)
    return made.select(pl.col(name).cast(kind) for name, kind in TABLES["npu_links"].schema.items())


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Of links that are in one another."""
    transports = set(frame["transport"].to_list()) if "transport" in frame.columns else set()
    return [Message("note-npu-links")] if "SDMA" in transports and len(transports) > 1 else []
