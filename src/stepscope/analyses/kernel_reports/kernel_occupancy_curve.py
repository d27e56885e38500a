"""How many warps of a profiled kernel an SM would hold with other registers, blocks, shared memory (see docs/tables/).

The curves are those that Nsight Compute stores (``launch__occupancy_per_*``); a row is where one changes.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.kernel_reports.emptiness import why_empty
from stepscope.analyses.kernel_reports.kernel_occupancy import MOST
from stepscope.analyses.kernel_reports.reports import ReportOf, Values, every_report
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_NOW = {
    "registers": ("launch__occupancy_per_register_count", ("launch__registers_per_thread",)),
    "block_size": ("launch__occupancy_per_block_size", ("launch__block_size",)),
    "shared_mem": (
        "launch__occupancy_per_shared_mem_size",
        ("launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic"),
    ),
}
"""By what is varied: the metric with the curve, and those that add up to the setting of the launch."""


WARP = 32
"""Threads of a warp. Curves are sampled every 16 threads; a block of 33 threads has as many warps as one of 48."""


def kernel_occupancy_curve(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_occupancy_curve``, by kernel, parameter and setting."""
    schema = TABLES["kernel_occupancy_curve"].schema
    parts = [pl.DataFrame(schema=schema)]
    for report in every_report(profile):
        steps = _steps(report)
        if len(steps):
            names = report.kernels().select("id", pl.col("name").alias("kernel"))
            whole = steps.join(names, "id", "left", maintain_order="left").with_columns(report.of)
            parts.append(whole.select(list(schema)))
    return pl.concat(parts)


notes = why_empty("kernel_occupancy_curve")


def smallest_block(setting: str) -> pl.Expr:
    """The smallest block with as many warps as one of some threads.

    >>> pl.DataFrame({"threads": [1, 32, 48, 64, 80, 1024]}).select(smallest_block("threads"))["threads"].to_list()
    [1, 1, 33, 33, 65, 993]
    """
    return (pl.col(setting) - 1) // WARP * WARP + 1


def _steps(report: ReportOf) -> pl.DataFrame:
    """Where the curves of a report's kernels change: columns id, parameter, setting, warps, occupancy_pct, present."""
    parameters = {metric: name for name, (metric, _) in _NOW.items()}
    curves = report.curves().filter(pl.col("metric").is_in(list(parameters)))
    curves = curves.with_columns(pl.col("metric").replace_strict(parameters, return_dtype=pl.String).alias("parameter"))
    curve = ["id", "parameter"]
    curves = curves.sort(*curve, "setting", maintain_order=True)
    steps = curves.filter((pl.col("value") != pl.col("value").shift()).fill_null(True).over(curve))
    of_blocks = pl.col("parameter") == "block_size"
    steps = steps.with_columns(pl.when(of_blocks).then(smallest_block("setting")).otherwise("setting").alias("setting"))
    now = pl.DataFrame(
        [row for at, values in report.values(_WANTED).items() for row in _now(at, values)],
        schema={"id": pl.Int64, "parameter": pl.String, "now": pl.Float64, "most": pl.Float64},
    )
    steps = steps.join(now, curve, "left", maintain_order="left")
    until = pl.col("setting").shift(-1).over(curve)
    reached = (pl.col("setting") <= pl.col("now")) & (until.is_null() | (until > pl.col("now")))
    return steps.select(
        *curve,
        "setting",
        pl.col("value").round().cast(pl.Int64).alias("warps"),
        (100 * pl.col("value") / pl.col("most")).alias("occupancy_pct"),
        reached.fill_null(False).alias("present"),
    )


_WANTED = (MOST, *(metric for _, metrics in _NOW.values() for metric in metrics))


def _now(at: int, values: Values) -> list[dict[str, Any]]:
    """The settings of a kernel's launch."""
    return [
        {"id": at, "parameter": name, "now": sum(values[one] for one in metrics), "most": values.get(MOST)}
        for name, (_, metrics) in _NOW.items()
        if all(one in values for one in metrics)
    ]
