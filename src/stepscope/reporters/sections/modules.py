"""Modules with most time, as a tree of classes."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.quantities import one_line, percent_text, time_text
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import bar
from stepscope.reporters.sections.text_lines import Line, heading
from stepscope.reporters.table import TextColumn, render_table, text_column
from stepscope.schema import UNATTRIBUTED

_MOST = 6
_PHASES = {
    "forward": lambda: say("head-forward"),
    "backward": lambda: say("head-backward-part"),
    "recompute": lambda: say("head-recompute"),
}


def modules(report: Report, width: int) -> Iterator[Line]:
    modules = report.views["modules", "class"]
    named = modules.filter(pl.col("name") != UNATTRIBUTED)
    if len(named) == 0:
        return
    device = int(modules["device_self_ns"].sum())
    by = "device_total_ns" if device else "host_total_ns"
    # What is around a module has at least its time, so the first rows are a tree from its root.
    shown = _as_tree(named.sort(by, "path", descending=[True, False]).head(_MOST), by)
    rest = modules.filter(pl.col("name") == UNATTRIBUTED)
    labels = [f"{'  ' * path.count('/')}{name}" for name, path in shown.select("name", "path").iter_rows()]
    labels += [say("section-outside-modules")] * len(rest)
    shown = pl.concat([shown, rest])
    columns = [
        TextColumn(say("head-module"), [one_line(label) for label in labels], False, True),
        text_column(shown, "modules", "instances", "class"),
        TextColumn(say("head-calls"), [f"{n:,}" if n else "-" for n in shown["calls"]], True),
        *(_gpu_columns(shown, device) if device else []),
        TextColumn(say("head-cpu"), [time_text(n) if n else "-" for n in shown["host_total_ns"]], True),
    ]
    yield from heading(say("section-modules"), say("section-modules-note"), width)
    yield from (Line(line) for line in render_table(columns, width, "  ", "stepscope show modules --by class"))


def _as_tree(rows: pl.DataFrame, by: str) -> pl.DataFrame:
    """Rows in the order of a tree: each behind the one around it, siblings by their time."""
    times = dict(rows.select("path", by).iter_rows())

    def place(path: str) -> list[tuple[int, str]]:
        parts = path.split("/")
        prefixes = ("/".join(parts[: i + 1]) for i in range(len(parts)))
        return [(-times.get(prefix, 0), prefix) for prefix in prefixes]

    order = sorted(range(len(rows)), key=lambda i: place(rows["path"][i]))
    return rows[order]


def _gpu_columns(rows: pl.DataFrame, whole: int) -> list[TextColumn]:
    shares = [100 * n / whole for n in rows["device_total_ns"]]
    phases = ["forward", "backward", "recompute"] if rows["backward_device_ns"].sum() else []
    return [
        text_column(rows, "modules", "device_total_ns"),
        TextColumn(say("head-of-gpu"), [percent_text(share) for share in shares], True),
        TextColumn("", [bar(share, 10) for share in shares], False),
        *(
            TextColumn(_PHASES[phase](), [time_text(n) if n else "-" for n in rows[f"{phase}_device_ns"]], True)
            for phase in phases
            if rows[f"{phase}_device_ns"].sum()
        ),
    ]
