"""One table for a terminal, with a word where it is empty or cut."""

from __future__ import annotations

import polars as pl

from stepscope.reporters.step_notes import HOST_AHEAD_NOTE, host_runs_ahead
from stepscope.reporters.table import render_table, text_columns

_WHY_EMPTY = {
    "steps": "no steps",
    "operators": "no operators were recorded (ProfilerActivity.CPU)",
    "kernels": "no kernels were recorded (ProfilerActivity.CUDA)",
    "memcpy": "no copies were recorded",
    "summary": "no ranks",
    "health": "no checks",
}


def table_lines(frame: pl.DataFrame, table: str, rows: int, width: int) -> list[str]:
    """Lines of a table.

    Args:
        frame: the rows to show.
        table: name of the table.
        rows: number of rows there are.
        width: most columns of a line.
    """
    if rows == 0:
        return [f"no rows: {_WHY_EMPTY[table]}, or --where, --rank or --step leaves none"]
    lines = render_table(text_columns(frame, table), width)
    if len(frame) < rows:
        lines.append(f"and {rows - len(frame):,} more rows (--limit 0 for all)")
    if table == "steps" and host_runs_ahead(frame):
        lines.append(f"note: {HOST_AHEAD_NOTE}")
    return lines
