"""Hardware counters: that there are any, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line


def counters(report: Report, width: int) -> Iterator[Line]:
    """One line: what a counter means depends on its name, so the table itself is the answer."""
    table = report.tables["counters"]
    if len(table) == 0:
        return
    ranges, metrics = table.select("rank", "range").n_unique(), table["metric"].n_unique()
    what = say("section-counters", ranges=ranges, counters=metrics)
    yield Line("")
    yield Line(f"{what}: stepscope show counters"[:width])
