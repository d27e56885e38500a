"""Kernels of a trace that a report beside it profiled: those of one function, grid and block."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.gpu.kernel_names import name_parts
from stepscope.analyses.kernel_reports.diagnosis import METRICS, diagnosed
from stepscope.analyses.kernel_reports.reports import reports_of
from stepscope.schema import KERNEL
from stepscope.store.profile import Rank

SIZES = ("grid", "block")
KEY = ["function", *SIZES]


def function_of(names: pl.Series) -> pl.Series:
    """The functions of kernels by their names: without return type, template arguments and parameters.

    A trace and Nsight Compute spell the rest differently.
    """
    known = {name: name_parts(name)[0].rpartition(" ")[2] for name in names.unique().to_list()}
    return pl.Series("function", [known[name] for name in names.to_list()], pl.String)


def joined(kernels: pl.DataFrame, rank: Rank) -> pl.DataFrame:
    """Profiled kernels with calls and trace_ns: how often and for how long they ran in the rank's trace; and what_if.

    Args:
        kernels: columns id, name, grid, block, bound_pct.
    """
    found = _with_key(kernels, "bound_pct").join(launches(rank), KEY, "left", maintain_order="left")
    change = pl.when(pl.col("calls") > 0, pl.col("bound_pct").is_not_null()).then(
        pl.format("kernel-report:{}", "function")
    )
    whole = kernels.with_columns(found["calls"].fill_null(0), found["trace_ns"].fill_null(0))
    return whole.with_columns(found.select(change.alias("what_if")).to_series())


def bounds(rank: Rank) -> pl.DataFrame:
    """What removing the bottleneck of profiled kernels would save at most: columns `KEY`, bound_pct.

    Of several measurements the smallest counts. Kernels whose bottleneck is a busy unit have none.
    """
    parts = [pl.DataFrame(schema={**dict.fromkeys(KEY, pl.String), "bound_pct": pl.Float64})]
    for report in reports_of(rank):
        most = {at: diagnosed(values)[0].bound_pct for at, values in report.values(METRICS).items()}
        kernels = report.kernels().with_columns(
            pl.col("id").replace_strict(most, return_dtype=pl.Float64).alias("bound_pct")
        )
        parts.append(_with_key(kernels, "bound_pct").select(*KEY, "bound_pct"))
    return pl.concat(parts).drop_nulls().group_by(KEY, maintain_order=True).agg(pl.col("bound_pct").min())


def _with_key(kernels: pl.DataFrame, *others: str) -> pl.DataFrame:
    """Columns ``others`` and `KEY` of kernels with columns name, grid, block."""
    return kernels.select(*others, function_of(kernels["name"]), *map(_plain, SIZES))


def keyed(rank: Rank, *codes: pl.Series) -> list[pl.Series]:
    """`KEY` of kernels of a rank's trace, from the codes of their names, grids and blocks."""
    name, *sizes = (rank.trace.text(one) for one in codes)
    plain = [one.str.replace_all(" ", "", literal=True).alias(size) for size, one in zip(SIZES, sizes, strict=True)]
    return [function_of(name), *plain]


def _plain(size: str) -> pl.Expr:
    """A size in three dimensions without blanks, which recorders write or not."""
    return pl.col(size).str.replace_all(" ", "", literal=True)


def launches(rank: Rank) -> pl.DataFrame:
    """The kernels of a rank's trace: columns `KEY`, calls, trace_ns; only those whose grid and block were recorded."""
    activity = rank.activity.filter(pl.col("activity") == KERNEL)
    shapes = rank.trace.frame("activity", list(SIZES))
    found = activity.select("name", "duration_ns", *(shapes[name].gather(activity["row"]) for name in SIZES))
    by_kernel = found.drop_nulls().group_by("name", "grid", "block").agg(pl.len(), pl.col("duration_ns").sum())
    named = by_kernel.with_columns(keyed(rank, *(by_kernel[name] for name in ("name", *SIZES))))
    return named.group_by(KEY).agg(
        pl.col("len").sum().cast(pl.Int64).alias("calls"), pl.col("duration_ns").sum().alias("trace_ns")
    )
