"""The instructions of each profiled kernel (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.kernel_reports.code import instructions, stalled, with_stall
from stepscope.analyses.kernel_reports.emptiness import why_empty
from stepscope.analyses.kernel_reports.reports import every_report
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_KEY = ["id", "function", "offset"]


def kernel_instructions(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_instructions``, in the order of the code."""
    schema = TABLES["kernel_instructions"].schema
    parts = [pl.DataFrame(schema=schema)]
    for report in every_report(profile):
        rows = with_stall(instructions(report), stalled(report), _KEY)
        parts.append(rows.with_columns(report.of).select(list(schema)))
    return pl.concat(parts)


notes = why_empty("kernel_instructions")
