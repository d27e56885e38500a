"""Bandwidth of collectives over the whole run (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication_log.samples import calls
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

SLOW_PCT, LEAST_CALLS, LEAST_OTHERS = 80.0, 10, 3
"""Slow is what has less of the median of this many alike ones at least, over so many calls."""

_KEY = ["op", "communicator", "link", "from_bytes"]
_ALIKE = ["op", "ranks", "nodes", "from_bytes"]


def collective_bandwidth(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``collective_bandwidth``, most transfer time first. Alike are communicators, or links
    of messages, of as many ranks on as many nodes, in calls of one size class; each counts once in their median."""
    schema, found = TABLES["collective_bandwidth"].schema, calls(profile)
    if len(found) == 0:
        return pl.DataFrame(schema=schema)
    power = pl.col("bytes").clip(1).log(2) + 1e-9  # so that the logarithm of a power of two is whole
    size = pl.when(pl.col("bytes") > 0).then(2 ** power.floor().cast(pl.Int64)).otherwise(0)
    sized = found.with_columns(size.cast(pl.Int64).alias("from_bytes"))
    table = sized.group_by(_KEY).agg(
        *(pl.col(name).first() for name in ("name", "ranks", "nodes")),
        pl.len().alias("calls"),
        pl.col("complete").sum().alias("complete_calls"),
        pl.col("bytes").sum(),
        pl.col("transfer_ns").sum(),
        pl.col("wait_ns").filter("complete").sum(),
        pl.col("busbw").median(),
        pl.col("busbw").quantile(0.1).alias("busbw_low"),
    )
    table = _beside_others(table)
    ordered = table.sort("transfer_ns", *_KEY, descending=[True, *(False for _ in _KEY)], nulls_last=True)
    return ordered.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _beside_others(table: pl.DataFrame) -> pl.DataFrame:
    """The table with the median of what is alike, of all but the row itself."""
    keyed = table.with_row_index("row")
    pairs = keyed.select("row", *_ALIKE).join(
        keyed.select(pl.col("row").alias("other"), *_ALIKE, pl.col("busbw").alias("theirs")), _ALIKE, nulls_equal=True
    )
    others = pairs.filter(pl.col("row") != pl.col("other")).group_by("row")
    medians = others.agg(pl.col("theirs").median().alias("others_busbw"), pl.col("theirs").count().alias("alike"))
    known = keyed.join(medians, "row", "left", maintain_order="left").with_columns(
        pl.when(pl.col("alike") >= LEAST_OTHERS).then("others_busbw").alias("others_busbw")
    )
    share = 100 * pl.col("busbw") / pl.col("others_busbw")
    return known.with_columns(
        pl.when(pl.col("others_busbw") > 0).then(share).alias("of_others_pct"),
    ).with_columns(
        ((pl.col("of_others_pct") < SLOW_PCT) & (pl.col("calls") >= LEAST_CALLS)).fill_null(False).alias("slow")
    )
