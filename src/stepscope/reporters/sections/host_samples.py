"""What Python did when its stacks were sampled."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import TOP, Line, heading, limited
from stepscope.reporters.table import text_column

_COLUMNS = ("name", "file", "samples", "share_pct", "total_pct")


def host_samples(report: Report, width: int) -> Iterator[Line]:
    """The functions with most samples."""
    rows = report.tables["host_samples"]
    if len(rows) == 0:
        return
    yield from heading(say("section-host-samples"), say("section-host-samples-note"), width)
    names = ("rank", *_COLUMNS) if len(report.profile.ranks) > 1 else _COLUMNS
    yield from limited([text_column(rows, "host_samples", name) for name in names], width, TOP, "host_samples")
