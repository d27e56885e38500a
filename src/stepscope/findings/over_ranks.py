"""A finding of several ranks, once: on how many it was seen, and which rank's is shown."""

from __future__ import annotations

import polars as pl


def with_ranks(table: pl.DataFrame) -> pl.DataFrame:
    """The table ``findings`` with its columns ``ranks`` and ``largest`` filled."""
    saving = pl.col("saving_pct").fill_null(0.0)
    place = pl.int_range(pl.len())
    best = place.sort_by([-saving, place]).first()
    return table.with_columns(
        pl.col("rank").n_unique().over("id").cast(pl.Int64).alias("ranks"),
        (place == best).over("id").alias("largest"),
    )


def once(table: pl.DataFrame, *severities: str) -> pl.DataFrame:
    """Findings of some severities, each with the largest of its savings on any rank."""
    return table.filter(pl.col("largest") & pl.col("severity").is_in(severities))
