"""One table for a terminal, with a word where it is empty or cut."""

from __future__ import annotations

import polars as pl

from stepscope.reporters.step_notes import HOST_AHEAD_NOTE, host_runs_ahead
from stepscope.reporters.table import render_table, text_columns, wrapped


def table_lines(
    frame: pl.DataFrame, table: str, rows: int, width: int, notes: list[str], first: int | None = None
) -> list[str]:
    """Lines of a table.

    Args:
        frame: the rows to show.
        table: name of the table.
        rows: number of rows there are.
        width: most columns of a line.
        notes: what is to be known beside the rows.
        first: moments are shown as times after this one; None for the first moment shown.
    """
    if rows == 0:
        return wrapped(notes[0] if notes and notes[0].startswith("no rows") else "no rows: --where leaves none", width)
    lines = render_table(text_columns(frame, table, first), width)
    if len(frame) < rows:
        lines.append(f"and {rows - len(frame):,} more rows (--limit 0 for all)")
    if table == "steps" and host_runs_ahead(frame):
        lines.append(f"note: {HOST_AHEAD_NOTE}")
    lines.extend(line for note in notes for line in wrapped(f"note: {note}", width, "", "  "))
    return lines
