"""One table for a terminal, with a word where it is empty or cut."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from stepscope.messages import Message
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.step_notes import cpu_ahead_note, host_runs_ahead
from stepscope.reporters.table import render_table, text_columns
from stepscope.schema import MOMENTS
from stepscope.store.profile import Profile


def on_job_clock(frame: pl.DataFrame, profile: Profile) -> pl.DataFrame:
    """A table with its moments counted as the web app and findings count them: from the recording's first event.

    Absolute ones are numbers of nineteen digits, and those of ranks with clocks of their own cannot be compared.
    """
    if not any(name in frame.columns for name in MOMENTS):
        return frame
    from stepscope.analyses.ranks.job_clock import job_clock
    from stepscope.answers.columns import with_offsets

    return with_offsets(frame, job_clock(profile))


def table_lines(
    frame: pl.DataFrame,
    table: str,
    rows: tuple[int, int],
    width: int,
    notes: list[str],
    by: str = "",
    names: Sequence[str] = (),
) -> list[str]:
    """Lines of a table.

    Args:
        frame: the rows to show, see `on_job_clock`.
        table: name of the table.
        rows: number of rows there are, and before any condition.
        width: most columns of a line.
        notes: what is to be known beside the rows.
        by: the grouping asked for.
        names: the columns to show, in this order; empty for all.
    """
    found, total = rows
    if found == 0:
        return wrapped(notes[0] if notes and total == 0 else say("show-where-leaves-none"), width)
    columns = text_columns(frame, table, by)
    if names:
        known = {column.name: column for column in columns}
        columns = [known[name] for name in names]
    lines = render_table(columns, width, hint=say("show-other-columns"))
    if len(frame) < found:
        lines.append(say("show-more-rows", count=found - len(frame)))
    if table == "steps" and host_runs_ahead(frame):
        lines.extend(wrapped(say("show-note", note=cpu_ahead_note()), width, "", "  "))
    counted = [column.title for column in columns if column.name in MOMENTS and not column.blank]
    if counted:
        lines.extend(wrapped(say("show-note", note=Message("show-origin", columns=counted)), width, "", "  "))
    lines.extend(line for note in notes for line in wrapped(say("show-note", note=note), width, "", "  "))
    return lines
