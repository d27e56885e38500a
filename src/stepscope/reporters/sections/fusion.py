"""Runs of small kernels that might be one."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import say
from stepscope.reporters.kernel_text import short_kernels
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn, text_column

_WORTH_PCT = 1.0
_MOST = 4


def fusion(report: Report, width: int) -> Iterator[Line]:
    """Only where a run is worth more than a per cent of GPU time."""
    table = report.tables["fusion"]
    worth = table.filter(pl.col("saving_pct") > _WORTH_PCT)
    if len(worth) == 0:
        return
    yield from heading(say("section-fusion"), say("section-fusion-note"), width)
    runs = [op or short_kernels(kernels or "-") for op, kernels in worth.select("op", "kernels").iter_rows()]
    columns = [
        TextColumn(say("head-launched-by"), [one_line(run) for run in runs], False, True),
        text_column(worth, "fusion", "length"),
        text_column(worth, "fusion", "count"),
        text_column(worth, "fusion", "total_ns"),
        text_column(worth, "fusion", "saving_pct"),
    ]
    yield from limited(columns, width, _MOST, "fusion")
