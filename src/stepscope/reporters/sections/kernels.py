"""The heaviest kernels, the shortest, and copies."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.quantities import percent_text
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import bar, wrapped
from stepscope.reporters.sections.text_lines import TOP, Line, heading, more, notes_of
from stepscope.reporters.table import TextColumn, render_table, text_column, text_columns

_MANY_PCT = 25.0
_SHORT_TOP = 4


def kernels(report: Report, width: int) -> Iterator[Line]:
    kernels = report.tables["kernels"]
    if len(kernels) == 0:
        return
    yield from heading(say("section-kernels"), _kinds(kernels), width)
    top = kernels.head(TOP)
    columns = [
        text_column(top, "kernels", "name"),
        text_column(top, "kernels", "kind"),
        text_column(top, "kernels", "calls"),
        text_column(top, "kernels", "total_ns"),
        text_column(top, "kernels", "share_pct"),
        TextColumn("", [bar(n, 10) for n in top["share_pct"]], False),
        text_column(top, "kernels", "mean_ns"),
    ]
    yield from (Line(line) for line in render_table(columns, width, "  ", "stepscope show kernels"))
    if len(kernels) > TOP:
        yield from more(len(kernels) - TOP, kernels[TOP:], "total_ns", "kernels", width)


def _kinds(kernels: pl.DataFrame) -> str:
    kinds = kernels.group_by("kind").agg(pl.col("share_pct").sum()).sort("share_pct", "kind", descending=[True, False])
    return ", ".join(f"{kind} {percent_text(share)}" for kind, share in kinds.head(5).iter_rows())


def short_kernels(report: Report, width: int) -> Iterator[Line]:
    """Only where they are many: a few short kernels harm nobody."""
    short = report.tables["short_kernels"]
    if short["of_kernels_pct"].sum() < _MANY_PCT:
        return
    yield from heading(say("section-short-kernels"), say("section-short-kernels-note"), width)
    yield from (
        Line(f"  {line}") for note in notes_of(report, "short_kernels")[:1] for line in wrapped(note, width - 2)
    )
    top = short.head(_SHORT_TOP)
    columns = [
        text_column(top, "short_kernels", "name"),
        text_column(top, "short_kernels", "kind"),
        text_column(top, "short_kernels", "calls"),
        text_column(top, "short_kernels", "mean_ns"),
        text_column(top, "short_kernels", "share_pct"),
        text_column(top, "short_kernels", "shorter_than_launch"),
    ]
    yield from (Line(line) for line in render_table(columns, width, "  ", "stepscope show short_kernels"))


def copies(report: Report, width: int) -> Iterator[Line]:
    copies = report.tables["memcpy"]
    if len(copies) == 0:
        return
    yield from heading(say("section-memcpy"))
    yield from (
        Line(line) for line in render_table(text_columns(copies, "memcpy"), width, "  ", "stepscope show memcpy")
    )
