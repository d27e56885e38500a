"""What the rules of Nsight Compute say, in its own words (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.kernel_reports.emptiness import why_empty
from stepscope.analyses.kernel_reports.reports import every_report
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


def kernel_rules(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_rules``, by kernel, in the order of the report."""
    schema = TABLES["kernel_rules"].schema
    parts = [pl.DataFrame(schema=schema)]
    for report in every_report(profile):
        names = report.kernels().select("id", pl.col("name").alias("kernel"))
        said = report.rules().rename({"speedup_pct": "estimated_speedup_pct"})
        said = said.with_columns(pl.int_range(1, pl.len() + 1).over("id").alias("number"))
        said = said.join(names, "id", "left", maintain_order="left").with_columns(report.of)
        parts.append(said.select(list(schema)).sort("id", maintain_order=True))
    return pl.concat(parts)


notes = why_empty("kernel_rules")
