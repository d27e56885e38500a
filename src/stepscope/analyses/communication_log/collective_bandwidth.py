"""Bandwidth of collectives over the whole run (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication_log.samples import calls
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

SLOW_PCT, LEAST_CALLS, LEAST_OTHERS = 80.0, 10, 3
"""Slow is what has less of the median of this many alike ones at least, over so many calls."""

SLICES, MOST_OVER_TIME = 120, 40
"""Parts of the time at most, and rows shown over it: together they fit into a report."""

_SLICE = {"slice": pl.Int64, "elapsed_ns": pl.Int64, "busbw_least": pl.Float64}
_OF_THE_RUN = ("name", "ranks", "nodes", "others_busbw", "of_others_pct", "slow")
"""What a row says of itself over the whole run, in each part of the time."""

_KEY = ["op", "communicator", "link", "from_bytes"]
_ALIKE = ["op", "ranks", "nodes", "from_bytes"]


def collective_bandwidth(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``collective_bandwidth``, most transfer time first. Alike are communicators, or links
    of messages, of as many ranks on as many nodes, in calls of one size class; each counts once in their median.

    Args:
        by: "" for a row per operation, communicator and size, ``slice`` for one of these in each part of the time.
    """
    schema, found = TABLES["collective_bandwidth"].schema, calls(profile)
    if by:
        schema = schema | _SLICE
    if len(found) == 0:
        return pl.DataFrame(schema=schema)
    sized = _sized(found)
    table = _by_key(sized)
    if by:
        table = _by_slice(sized, table)
    return table.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _sized(found: pl.DataFrame) -> pl.DataFrame:
    """Calls with the size class of each."""
    power = pl.col("bytes").clip(1).log(2) + 1e-9  # so that the logarithm of a power of two is whole
    size = pl.when(pl.col("bytes") > 0).then(2 ** power.floor().cast(pl.Int64)).otherwise(0)
    return found.with_columns(size.cast(pl.Int64).alias("from_bytes"))


def _measured() -> list[pl.Expr]:
    """What is added up, or is usual, of some calls."""
    return [
        pl.len().alias("calls"),
        pl.col("complete").sum().alias("complete_calls"),
        pl.col("bytes").sum(),
        pl.col("transfer_ns").sum(),
        pl.col("wait_ns").filter("complete").sum(),
        pl.col("busbw").median(),
        pl.col("busbw").quantile(0.1).alias("busbw_low"),
    ]


def _by_key(sized: pl.DataFrame) -> pl.DataFrame:
    """The usual rows, in their order."""
    table = sized.group_by(_KEY).agg(*(pl.col(name).first() for name in ("name", "ranks", "nodes")), *_measured())
    table = _beside_others(table)
    return table.sort("transfer_ns", *_KEY, descending=[True, *(False for _ in _KEY)], nulls_last=True)


def _by_slice(sized: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    """Parts of the time from the first line written to the last: of all slow rows, then of those with most time."""
    chosen = table.sort(~pl.col("slow"), maintain_order=True).head(MOST_OVER_TIME).with_row_index("place")
    timed = sized.filter(pl.col("dumped_ns").is_not_null())
    if len(timed) == 0:
        return table.clear().with_columns(pl.lit(None, dtype).alias(name) for name, dtype in _SLICE.items())
    begin = pl.col("dumped_ns").min()
    length = (pl.col("dumped_ns").max() - begin) // SLICES + 1
    parts = timed.with_columns(
        ((pl.col("dumped_ns") - begin) // length).alias("slice"),
        ((pl.col("dumped_ns") - begin) // length * length).alias("elapsed_ns"),
    )
    rows = parts.group_by(*_KEY, "slice", "elapsed_ns").agg(*_measured(), pl.col("busbw").min().alias("busbw_least"))
    rows = rows.join(chosen.select("place", *_KEY, *_OF_THE_RUN), _KEY, nulls_equal=True)
    return rows.sort("place", "slice")


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
