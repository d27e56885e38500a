"""The heaviest operators."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.quantities import percent_text, time_text
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import bar
from stepscope.reporters.sections.text_lines import TOP, Line, heading, more
from stepscope.reporters.table import TextColumn, render_table, text_column
from stepscope.schema import UNATTRIBUTED


def operators(report: Report, width: int) -> Iterator[Line]:
    operators = report.views["operators", "source"]
    if len(operators) == 0:
        return
    named = operators.filter(pl.col("name") != UNATTRIBUTED)
    device = int(operators["device_self_ns"].sum())
    by = "device_self_ns" if device else "host_self_ns"
    yield from heading(say("section-operators"), say("section-operators-note"), width)
    top = named.sort(by, descending=True, maintain_order=True)
    rest = operators.filter(pl.col("name") == UNATTRIBUTED)
    shown = pl.concat([top.head(TOP), rest])
    columns = [
        text_column(shown, "operators", "name"),
        TextColumn(say("head-calls"), [f"{n:,}" if n else "-" for n in shown["calls"]], True),
        *_self_columns(shown, "device_self_ns", "GPU", device),
        *_self_columns(shown, "host_self_ns", "host", int(operators["host_self_ns"].sum())),
    ]
    if device and shown["tensor_core_pct"].is_not_null().any():
        columns.append(text_column(shown, "operators", "tensor_core_pct"))
    if shown["source"].is_not_null().any():
        # The line says more than a bar and the host's share, and all of them do not fit.
        columns = [column for column in columns if column.title and (column.title != say("head-of-cpu") or not device)]
        columns.append(text_column(shown, "operators", "source"))
    yield from (Line(line) for line in render_table(columns, width, "  ", "stepscope show operators --source"))
    if len(named) > TOP:
        yield from more(len(named) - TOP, top[TOP:], by, "operators", width)


def _self_columns(operators: pl.DataFrame, name: str, side: str, whole: int) -> list[TextColumn]:
    """Self time, its share and, for the GPU, a bar; nothing for a side that was not recorded."""
    if whole == 0:
        return []
    shares = [100 * n / whole for n in operators[name]]
    columns = [
        TextColumn(
            say("head-gpu-self") if side == "GPU" else say("head-cpu-self"),
            [time_text(n) for n in operators[name]],
            True,
        ),
        TextColumn(
            say("head-of-gpu") if side == "GPU" else say("head-of-cpu"), [percent_text(share) for share in shares], True
        ),
    ]
    if side == "GPU":
        columns.append(TextColumn("", [bar(share, 10) for share in shares], False))
    return columns
