"""One table of two sides: as text, as JSON, and as Markdown."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.comparison.tables import TableComparison
from stepscope.comparison.testing import GONE, NEW
from stepscope.messages import Message
from stepscope.messages.rendering import render, say
from stepscope.reporters.cells import cell_text, column_cells, heading_text
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.markdown_report import plain
from stepscope.reporters.records import markdown_table
from stepscope.reporters.sections.text_lines import Line
from stepscope.reporters.table import TextColumn, render_table
from stepscope.schema import JSON_VERSION, TABLES

_MOST_ROWS, _MOST_OF_FIGURE = 20, 5


def table_comparison_lines(found: TableComparison, width: int, every: bool = False) -> Iterator[Line]:
    """Figures that differ, then how many are the same.

    Args:
        every: show all that differ, not only the first of each figure.
    """
    yield Line(_heading(found), "strong")
    shown = _shown(found, every)
    if len(shown):
        yield from (Line(line) for line in render_table(_columns(found, shown), width, "  "))
    yield from (Line(f"  {line}", "dim") for sentence in _rest(found, shown) for line in wrapped(sentence, width - 2))


def table_comparison_json(found: TableComparison) -> str:
    """``{"schema_version", "table", "key", "base_rows", "new_rows", "rows"}``, a newline behind."""
    document = {
        "schema_version": JSON_VERSION,
        "table": found.table,
        "key": list(found.key),
        "base_rows": found.base_rows,
        "new_rows": found.new_rows,
        "rows": [
            {name: _number(value) if name in ("base", "new", "delta") else value for name, value in row.items()}
            for row in found.rows.to_dicts()
        ],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def table_comparison_markdown(found: TableComparison, every: bool = False) -> str:
    """GitHub's Markdown: what differs as a table."""
    shown = _shown(found, every)
    lines = [f"### {plain(_heading(found))}", ""]
    if len(shown):
        columns = _columns(found, shown)
        rows = [[*cells] for cells in zip(*(column.cells for column in columns), strict=True)]
        lines += [markdown_table([column.title for column in columns], rows, [column.right for column in columns]), ""]
    return "\n".join([*lines, *map(plain, _rest(found, shown))]) + "\n"


def _number(value: float | None) -> float | int | None:
    """Whole numbers as such; what JSON does not know is null."""
    if value is None or not math.isfinite(value):
        return None
    return int(value) if value == int(value) else value


def _heading(found: TableComparison) -> str:
    return say("diff-table-heading", table=found.table, base=found.base_rows, new=found.new_rows)


def _shown(found: TableComparison, every: bool) -> pl.DataFrame:
    differing = found.differing
    if every:
        return differing
    described = TABLES[found.table].described()
    amounts = [name for name in differing["figure"].unique() if described[name].role == "amount"]
    main = differing.filter(pl.col("figure").is_in(amounts)) if amounts else differing
    return main.group_by("figure", maintain_order=True).head(_MOST_OF_FIGURE).head(_MOST_ROWS)


def _columns(found: TableComparison, rows: pl.DataFrame) -> list[TextColumn]:
    described = TABLES[found.table].described()
    keys = []
    for name in found.key:
        column = described.get(name)
        title = heading_text(found.table, column) if column else say("diff-title-occurrence")
        cells = column_cells(rows, column) if column else [str(value) for value in rows[name]]
        keys.append(TextColumn(title, cells, right=column is None, flexible=True, key=True, name=name))
    figures = rows.select("figure", "base", "new", "delta", "status").to_dicts()
    cells = [render(Message(f"diff-outcome-{_outcome(row['status'])}")) for row in figures]
    return [
        *keys,
        TextColumn(say("diff-title-what"), [_title(found, row) for row in figures], right=False),
        *(
            TextColumn(say(f"diff-title-{side}"), [_cell(found, row, side) for row in figures], right=True)
            for side in ("base", "new", "delta")
        ),
        TextColumn(say("diff-title-outcome"), cells, right=False),
    ]


def _outcome(status: str) -> str:
    return "untested" if status not in ("changed", NEW, GONE) else status


def _title(found: TableComparison, row: dict[str, Any]) -> str:
    return heading_text(found.table, TABLES[found.table].described()[row["figure"]])


def _cell(found: TableComparison, row: dict[str, Any], side: str) -> str:
    value = row[side]
    column = TABLES[found.table].described()[row["figure"]]
    if value is None or not math.isfinite(value):
        return "-"
    if column.dtype.is_integer() and value == round(value):
        value = int(value)
    if side != "delta":
        return cell_text(column, value)
    sign = "+" if value > 0 else "-" if value < 0 else ""
    return f"{sign}{cell_text(column, abs(value))}"


def _rest(found: TableComparison, shown: pl.DataFrame) -> Iterator[str]:
    differing = len(found.differing)
    yield say("diff-table-rest", same=len(found.rows) - differing, differing=differing)
    if differing > len(shown):
        yield say("diff-rows-more", count=differing - len(shown))
    if (found.rows["status"] == "unknown").any():
        yield say("diff-table-untested")
