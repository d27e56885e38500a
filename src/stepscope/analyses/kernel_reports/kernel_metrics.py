"""Every value of the reports of Nsight Compute (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.kernel_reports.reports import every_report
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


def kernel_metrics(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_metrics``, by kernel and metric."""
    schema = TABLES["kernel_metrics"].schema
    parts = [pl.DataFrame(schema=schema)]
    for report in every_report(profile):
        names = report.kernels().select("id", pl.col("name").alias("kernel"))
        values = report.metrics().join(names, "id", "left", maintain_order="left")
        parts.append(values.with_columns(report.of).select(list(schema)).sort("id", "metric"))
    return pl.concat(parts)
