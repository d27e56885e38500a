"""CUDA graphs."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.findings.report import Report
from stepscope.messages.quantities import one_line, percent_text, time_text
from stepscope.messages.rendering import say
from stepscope.reporters.kernel_text import short_kernel
from stepscope.reporters.sections.text_lines import Line, heading, limited, notes_of
from stepscope.reporters.table import TextColumn, text_column

_TOP = 5


def graphs(report: Report, width: int) -> Iterator[Line]:
    table = report.tables["graphs"]
    if len(table) == 0:
        return
    yield from heading("CUDA graphs", notes_of(report, "graphs")[0], width)
    calls = table["calls"].to_list()
    columns = [
        text_column(table, "graphs", "graph"),
        TextColumn(say("head-replays"), [f"{n:,}" for n in calls], True),
        text_column(table, "graphs", "kernels"),
        text_column(table, "graphs", "mean_ns"),
        TextColumn(
            say("head-gaps"),
            [percent_text(100 * a / b if b else None) for a, b in table["gap_ns", "span_ns"].rows()],
            True,
        ),
        TextColumn(
            say("head-per-launch"), [time_text(a / b) for a, b in zip(table["launch_ns"], calls, strict=True)], True
        ),
        text_column(table, "graphs", "share_pct"),
        TextColumn(
            say("head-heaviest-kernel"),
            [one_line(short_kernel(name or "-")) for name in table["heaviest"]],
            False,
            True,
        ),
    ]
    yield from limited(columns, width, _TOP, "graphs")
