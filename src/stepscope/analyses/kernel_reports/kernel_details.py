"""The figures of each profiled kernel by section, as the details page of Nsight Compute has them (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.kernel_reports.reports import every_report
from stepscope.readers.ncu.labels import SECTIONS
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_ROWS = [
    {"section": section, "label": label, "metric": metric}
    for section, labels in SECTIONS.items()
    for label, metric in labels.items()
]


def kernel_details(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_details``, by kernel, in the order of the page."""
    schema = TABLES["kernel_details"].schema
    rows = pl.DataFrame(_ROWS).with_row_index("place")
    parts = [pl.DataFrame(schema=schema)]
    for report in every_report(profile):
        names = report.kernels().select("id", pl.col("name").alias("kernel"))
        known = report.metrics().filter(pl.col("value").is_not_null() | pl.col("text").is_not_null())
        found = known.join(rows, "metric").join(names, "id").sort("id", "place")
        parts.append(found.with_columns(report.of).select(list(schema)))
    return pl.concat(parts)
