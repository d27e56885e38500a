"""A finding of several ranks, once: on how many it was seen, and which rank's is shown."""

from __future__ import annotations

import polars as pl


def with_ranks(table: pl.DataFrame) -> pl.DataFrame:
    """The table ``findings`` with its columns ``ranks`` and ``largest`` filled.

    In Python, for they are few: a window over row numbers came out wrong where the rows of an id stand apart.
    """
    ranks: dict[str, set[int | None]] = {}
    largest: dict[str, tuple[float, int]] = {}
    names = table["id"].to_list()
    savings = table["saving_pct"].fill_null(0.0).to_list()
    for place, (name, rank, saving) in enumerate(zip(names, table["rank"].to_list(), savings, strict=True)):
        ranks.setdefault(name, set()).add(rank)
        if name not in largest or saving > largest[name][0]:
            largest[name] = (saving, place)
    return table.with_columns(
        pl.Series("ranks", [len(ranks[name]) for name in names], pl.Int64),
        pl.Series("largest", [largest[name][1] == place for place, name in enumerate(names)], pl.Boolean),
    )


def once(table: pl.DataFrame, *severities: str) -> pl.DataFrame:
    """Findings of some severities, each with the largest of its savings on any rank; what saves per sample comes last.

    Its saving is of another base, so it has no place among the others.
    """
    found = table.filter(pl.col("largest") & pl.col("severity").is_in(severities))
    return found.sort("per_sample", maintain_order=True)
