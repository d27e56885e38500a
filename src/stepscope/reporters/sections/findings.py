"""What to mend: at most five findings, each with its saving, its evidence and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.findings.report import Report
from stepscope.reporters.sections.text_lines import Line, heading, notes_of
from stepscope.reporters.table import wrapped
from stepscope.reporters.units import one_line, time_text

_MOST = 5


def findings(report: Report, width: int) -> Iterator[Line]:
    """Findings of all ranks, one of several ranks once, with the largest of its savings."""
    table = report.tables["findings"]
    if len(table) == 0 and len(report.tables["step_time"]) == 0:
        return
    worth, rest, told = (_of(table, *severities) for severities in (("high", "medium"), ("low",), ("note",)))
    yield from heading("What to mend", "savings of the step without the profiler; they do not add up", width)
    if len(worth) == 0:
        yield Line("  nothing was found whose saving is more than the difference between two runs")
    ranks = len(report.profile.ranks)
    for number, row in enumerate(worth.head(_MOST).iter_rows(named=True), 1):
        yield from _finding(number, row, ranks, width)
    if len(worth) > _MOST:
        yield Line(f"  and {len(worth) - _MOST} more (stepscope show findings)", "dim")
    if len(rest):
        seen = f"seen, not worth mending: {', '.join(rest['id'].to_list())}"
        yield from (Line(line, "dim") for line in wrapped(seen, width, "  ", "  "))
    for row in told.iter_rows(named=True):
        text = one_line(f"note: {row['title']}. {row['advice']}")
        yield from (Line(line, "dim") for line in wrapped(text, width, "  ", "  "))
    for note in notes_of(report, "findings") if len(table) else ():
        yield from (Line(line, "dim") for line in wrapped(note, width, "  ", "  "))


def best_saving(report: Report) -> str | None:
    """What mending the first of the findings would save, in a sentence; None where nothing is worth it."""
    worth = _of(report.tables["findings"], "high", "medium")
    if len(worth) == 0:
        return None
    first = worth.row(0, named=True)
    on = f" on rank {first['rank']}" if len(report.profile.ranks) > 1 else ""
    return f"Mending the first finding below {_saves(first)}{on}."


def _of(table: pl.DataFrame, *severities: str) -> pl.DataFrame:
    """Findings of some severities, each once with the largest of its savings on any rank."""
    once = table.with_row_index("place").sort("saving_pct", "place", descending=[True, False])
    once = once.with_columns(pl.len().over("id").alias("ranks")).unique("id", keep="first", maintain_order=True)
    return once.sort("place").filter(pl.col("severity").is_in(severities))


def _saves(row: dict[str, Any]) -> str:
    at_least = "at least " if row["method"].endswith("at least") else ""
    spread = f"{row['saving_low_pct']:.0f} to {row['saving_high_pct']:.0f} %"
    saves = "could save" if row["confidence"] == "low" else "saves"
    if row["method"].endswith("for each sample"):
        # The step itself becomes longer: a time would be of no step that there is.
        return f"{saves} {row['saving_pct']:.0f} % of each sample's time ({spread})"
    return f"{saves} {at_least}{time_text(row['saving_ns'])}, {row['saving_pct']:.0f} % of the step ({spread})"


def _finding(number: int, row: dict[str, Any], ranks: int, width: int) -> Iterator[Line]:
    title = f"{number}. {row['title']}"
    yield from (Line(line, "strong") for line in wrapped(one_line(title), width, "  ", "   "))
    where = f", most on rank {row['rank']}, seen on {row['ranks']} of {ranks}" if ranks > 1 else ""
    told = [
        f"{_saves(row)}; confidence {row['confidence']}: {row['confidence_reason']}{where}",
        row["evidence"],
        row["advice"],
    ]
    unknown = f"Not in the recording: {row['unknown']}." if row["unknown"] else ""
    for text in filter(None, told):
        yield from (Line(line) for line in wrapped(one_line(text), width, "     "))
    yield from (Line(line) for line in _changed(row["change"], width, " " * 7))
    yield from (Line(line) for line in wrapped(one_line(unknown), width, "     ") if unknown)


def _changed(change: str, width: int, indent: str) -> Iterator[str]:
    """The lines to change, as they may be pasted: a comment that does not fit behind its line stands above it, and
    what has comments only, which say what was there before, is in the table."""
    for line in map(one_line, change.splitlines()):
        code, was, comment = line.partition("  # was: ")
        if line.startswith("#"):
            continue
        if len(indent + line) <= width or not was:
            yield indent + line
            continue
        yield from wrapped(f"was: {comment}", width, f"{indent}# ")
        yield indent + code
