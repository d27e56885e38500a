"""One table for a terminal, with a word where it is empty or cut."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from stepscope.reporters.step_notes import cpu_ahead_note, host_runs_ahead
from stepscope.reporters.table import render_table, text_columns, wrapped

_HINT = "--columns NAME,... or --format csv"


def table_lines(
    frame: pl.DataFrame,
    table: str,
    rows: int,
    width: int,
    notes: list[str],
    first: int | None = None,
    by: str = "",
    names: Sequence[str] = (),
) -> list[str]:
    """Lines of a table.

    Args:
        frame: the rows to show.
        table: name of the table.
        rows: number of rows there are.
        width: most columns of a line.
        notes: what is to be known beside the rows.
        first: moments are shown as times after this one; None for the first moment shown.
        by: the grouping asked for.
        names: the columns to show, in this order; empty for all.
    """
    if rows == 0:
        return wrapped(notes[0] if notes and notes[0].startswith("no rows") else "no rows: --where leaves none", width)
    columns = text_columns(frame, table, first, by)
    if names:
        known = {column.name: column for column in columns}
        columns = [known[name] for name in names]
    lines = render_table(columns, width, hint=_HINT)
    if len(frame) < rows:
        lines.append(f"and {rows - len(frame):,} more rows (--limit 0 for all)")
    if table == "steps" and host_runs_ahead(frame):
        lines.extend(wrapped(f"note: {cpu_ahead_note()}", width, "", "  "))
    lines.extend(line for note in notes for line in wrapped(f"note: {note}", width, "", "  "))
    return lines
