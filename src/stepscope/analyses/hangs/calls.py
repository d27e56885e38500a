"""One row for each call of a collective by a rank, and what of it must be the same on all ranks."""

from __future__ import annotations

import json
from math import prod

import polars as pl

from stepscope.analyses.hangs.records import COALESCED, KEY

OF_EQUAL_SIZE = (
    *("all_reduce", "allreduce_coalesced", "broadcast", "reduce"),
    *("_all_gather_base", "all_gather_into_tensor_coalesced", "ALLGATHER_coalesced"),
    *("_reduce_scatter_base", "reduce_scatter_tensor_coalesced", "REDUCE_SCATTER_coalesced"),
)
"""Collectives whose tensors have as many elements on every rank. Those with lists of tensors or with splits may differ,
and of gather and scatter only one rank has all."""


def calls_of(records: pl.DataFrame) -> pl.DataFrame:
    """Calls of collectives by rank, group and number, in order; those of messages are left out.

    Columns: `records.KEY`, event (of its first operation), collective (names of its operations), state, done, backend,
    created_ns, timeout_ns, elements (of its first tensors, null where they are not said), dtypes, sizes, source, stack.
    """
    own = records.filter(~pl.col("p2p"))
    names = pl.col("collective").filter(pl.col("collective") != COALESCED).unique(maintain_order=True)
    found = own.group_by([*KEY, "members"], maintain_order=True).agg(
        pl.col("event").first(),
        names.implode().list.join(" + ").first().alias("collective"),
        *(pl.col(name).last() for name in ("state", "done", "backend", "description", "said")),
        *(pl.col(name).first() for name in ("created_ns", "timeout_ns", "source", "stack")),
        pl.col("in_sizes").first().alias("sizes"),
        pl.col("in_dtypes").replace("", None).first().alias("dtypes"),
    )
    named = pl.when(pl.col("collective") == "").then(pl.lit(COALESCED)).otherwise("collective").alias("collective")
    return found.with_columns(named, elements(found["sizes"]))


def elements(sizes: pl.Series) -> pl.Series:
    """How many elements shapes have together, which are given as texts like ``[[4, 2], [3]]``.

    >>> elements(pl.Series(["[[4, 2], [3]]", "[]", None, "odd"])).to_list()
    [11, 0, None, None]
    """
    known = {text: _elements(text) for text in sizes.drop_nulls().unique().to_list()}
    found = [None if text is None else known[text] for text in sizes.to_list()]
    return pl.Series("elements", found, pl.Int64)


def _elements(text: str) -> int | None:
    try:
        total = sum(prod(shape) for shape in json.loads(text))
    except (ValueError, TypeError):
        return None
    return total if isinstance(total, int) and 0 <= total < 1 << 62 else None


def first_difference(calls: pl.DataFrame) -> tuple[int, str, str] | None:
    """The first call of a group in which ranks differ: its number, the cause, the column that differs."""
    equal = pl.col("collective").is_in(OF_EQUAL_SIZE).all()
    differ = calls.group_by("number").agg(
        (pl.col("collective").n_unique() > 1).alias("collective"),
        (pl.col("dtypes").drop_nulls().n_unique() > 1).alias("dtypes"),
        (equal & (pl.col("elements").drop_nulls().n_unique() > 1)).alias("elements"),
    )
    causes = {"collective": "different_collectives", "dtypes": "different_dtypes", "elements": "different_sizes"}
    found = differ.filter(pl.any_horizontal(*causes)).sort("number").head(1)
    for row in found.iter_rows(named=True):
        column = next(name for name in ("collective", "elements", "dtypes") if row[name])
        return row["number"], causes[column], column
    return None
