"""Kernels of a trace that a report beside it profiled: those of one function, grid and block."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.gpu.kernel_names import name_parts
from stepscope.schema import KERNEL
from stepscope.store.profile import Rank

KEY = ["function", "grid", "block"]


def function_of(names: pl.Series) -> pl.Series:
    """The functions of kernels by their names: without return type, template arguments and parameters.

    A trace and Nsight Compute spell the rest differently.
    """
    known = {name: name_parts(name)[0].rpartition(" ")[2] for name in names.unique().to_list()}
    return pl.Series("function", [known[name] for name in names.to_list()], pl.String)


def joined(kernels: pl.DataFrame, rank: Rank) -> pl.DataFrame:
    """Profiled kernels with calls and trace_ns: how often and for how long they ran in the rank's trace.

    Args:
        kernels: columns id, name, grid, block.
    """
    keyed = kernels.select("id", function_of(kernels["name"]), *map(_plain, ("grid", "block")))
    found = keyed.join(launches(rank), KEY, "left", maintain_order="left")
    return kernels.with_columns(found["calls"].fill_null(0), found["trace_ns"].fill_null(0))


def _plain(size: str) -> pl.Expr:
    """A size in three dimensions without blanks, which recorders write or not."""
    return pl.col(size).str.replace_all(" ", "", literal=True)


def launches(rank: Rank) -> pl.DataFrame:
    """The kernels of a rank's trace: columns `KEY`, calls, trace_ns; only those whose grid and block were recorded."""
    activity = rank.activity.filter(pl.col("activity") == KERNEL)
    shapes = rank.trace.frame("activity", ["grid", "block"])
    found = activity.select(
        "name", "duration_ns", *(shapes[name].gather(activity["row"]) for name in ("grid", "block"))
    )
    by_kernel = found.drop_nulls().group_by("name", "grid", "block").agg(pl.len(), pl.col("duration_ns").sum())
    texts = [rank.trace.text(by_kernel[name]) for name in ("name", "grid", "block")]
    named = by_kernel.with_columns(texts).with_columns(function_of(texts[0]), *map(_plain, ("grid", "block")))
    return named.group_by(KEY).agg(
        pl.col("len").sum().cast(pl.Int64).alias("calls"), pl.col("duration_ns").sum().alias("trace_ns")
    )
