"""``stepscope show``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from stepscope.commands import completion
from stepscope.commands.options import (
    Others,
    Selection,
    cluster_options,
    open_selected,
    other_options,
    parse_part,
    peak_options,
    read_peaks,
    selection_options,
)
from stepscope.commands.row_options import Rows, row_options
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.reporters.formats import TABLES as FORMATS
from stepscope.reporters.formats import chosen_format
from stepscope.reporters.output import check_output, write_output

if TYPE_CHECKING:
    import polars as pl

    from stepscope.store.profile import Profile

_DEFAULT_ROWS = 40


def _print_tables(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value:
        return
    from stepscope.reporters.cells import description_text
    from stepscope.reporters.console import print_described
    from stepscope.schema import TABLES
    from stepscope.schema.columns import Table

    def described(table: Table) -> str:
        by = f" (--by {', '.join(table.by)})" if table.by else ""
        return f"{description_text(table)}{by}{' (--source)' if table.source else ''}"

    print_described(((table.name, described(table)) for table in TABLES.values()), max(map(len, TABLES)) + 2)
    ctx.exit()


@click.command()
@click.argument("table", shell_complete=completion.tables)
@selection_options
@cluster_options
@peak_options
@click.option(
    "--by",
    default="",
    metavar="GROUPING",
    shell_complete=completion.groupings,
    help="Another grouping, as shape for operators; see --list.",
)
@click.option("--source", is_flag=True, help="Add file and line, for tables that --list marks with it.")
@other_options
@click.option(
    "--event",
    type=click.IntRange(0),
    metavar="N",
    help="Blocks as they were behind that entry of a memory snapshot's history (memory_blocks).",
)
@row_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "csv", "json", "parquet", "markdown", "svg"]),
    help="Default: as the name of the FILE ends (.csv, .json, .parquet, .md; .svg for a picture), else table.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal.")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_print_tables, help="Name the tables and exit."
)
def show(
    table: str,
    selected: Selection,
    cluster: str,
    peak: Sequence[str],
    peaks_file: str | None,
    by: str,
    source: bool,
    others: Others,
    event: int | None,
    rows: Rows,
    format_: str | None,
    output: str | None,
) -> None:
    """Show one TABLE of a trace."""
    from stepscope.analyses import check_request
    from stepscope.analyses.filtering import filtered
    from stepscope.messages.frames import in_words
    from stepscope.schema import TABLES
    from stepscope.schema.lookup import titles

    check_request(table, by, source, others.eager is not None, others.base is not None, bool(rows.name))
    format_ = _checked_format(format_, output, selected.path)
    if format_ == "svg":
        (table, by), rows = _drawn(table, by), replace(rows, columns=None)
    opened = replace(_opened(selected, table, cluster), peaks=read_peaks(peak, peaks_file), named=rows.name or "")
    profile = others.beside(opened, selected.max_size)
    made, notes = _made(profile, table, by, source, event)
    names = _shown_columns(rows.columns, table, by, made.columns)
    words, order = in_words(made, TABLES[table].messages), _sort_key(rows.sort, table, by, made.columns)
    frame = filtered(made, rows.where, order, words, titles(TABLES[table], by, made.columns))
    most = _DEFAULT_ROWS if rows.limit is None and format_ == "table" else rows.limit or 0
    shown = frame.head(most) if most else frame
    if format_ == "table":
        shown = in_words(shown, TABLES[table].messages)
        _write_text(table, profile, shown, (len(frame), len(made)), notes, by, names, output)
    else:
        _write_records(table, profile, shown.select(names or shown.columns), notes, format_, output)


def _opened(selected: Selection, table: str, cluster: str) -> Profile:
    """The profile, of which a table that knows times of the trace shows the part that ``--between`` names."""
    from stepscope.schema import TABLES

    part = parse_part(selected.between) if TABLES[table].area else None
    if part is None:
        return open_selected(selected, [table], cluster)
    from stepscope.analyses.area import in_area

    return in_area(open_selected(replace(selected, between=None), [], cluster), part[0] or 0, part[1])


def _made(profile: Profile, table: str, by: str, source: bool, event: int | None) -> tuple[pl.DataFrame, list[Message]]:
    """A table and its notes."""
    from stepscope.analyses import make_table, table_notes

    if event is None:
        made = make_table(profile, table, by, source)
        return made, table_notes(profile, table, made)
    from stepscope.analyses.memory.blocks_then import blocks_then

    if table != "memory_blocks":
        raise click.UsageError("--event is for memory_blocks")
    return blocks_then(profile, event)


def _checked_format(asked: str | None, output: str | None, inputs: Sequence[str]) -> str:
    """The format of the table, once it is sure that it can be written."""
    check_output(output, inputs)
    found = chosen_format(asked, output, FORMATS)
    if found == "parquet" and output is None and sys.stdout.isatty():
        raise click.UsageError("Parquet is binary: name a file, as in -o FILE")
    return found


def _drawn(table: str, by: str) -> tuple[str, str]:
    """The table and grouping that the picture of a table is drawn of.

    Raises:
        BadRequest: there is none of this table, so grouped.
    """
    from stepscope.reporters.svg.pictures import picture_of

    picture = picture_of(table, by)
    return picture.table, picture.by


def _write_text(
    table: str,
    profile: Profile,
    shown: pl.DataFrame,
    rows: tuple[int, int],
    notes: Sequence[Message],
    by: str,
    names: list[str],
    output: str | None,
) -> None:
    from stepscope.messages.rendering import render
    from stepscope.reporters.console import DEFAULT_WIDTH, output_width
    from stepscope.reporters.table_text import on_job_clock, table_lines

    frame, width = on_job_clock(shown, profile), DEFAULT_WIDTH if output else output_width(sys.stdout)
    lines = table_lines(frame, table, rows, width, [render(note) for note in notes], by, names)
    if output is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
    else:
        write_output("".join(f"{line}\n" for line in lines), output)


def _shown_columns(text: str | None, table: str, by: str, known: list[str]) -> list[str]:
    """The columns that ``--columns`` names, each once."""
    named = dict.fromkeys(name.strip() for name in (text or "").split(",") if name.strip())
    found = (_column(name, table, by, known, Message("error-cannot-show", what=name)) for name in named)
    return list(dict.fromkeys(found))


def _sort_key(text: str | None, table: str, by: str, known: list[str]) -> str | None:
    """What ``--sort`` names, with its sign."""
    if not text:
        return text
    sign, name = ("-", text[1:]) if text.startswith("-") else ("", text)
    return sign + _column(name, table, by, known, Message("error-cannot-sort", column=name))


def _column(text: str, table: str, by: str, known: list[str], tried: Message) -> str:
    """The name of a column, given by it or by its heading.

    Raises:
        BadRequest: the table has no such column.
    """
    from stepscope.schema import TABLES
    from stepscope.schema.lookup import column_called, nearest_column

    found = column_called(text, TABLES[table], by, known)
    if found is not None:
        return found
    nearest = nearest_column(text, TABLES[table], by, known)
    advice = Message("error-columns", close=nearest, columns=known)
    raise BadRequest(tried, Message("error-no-such-column"), advice)


def _write_records(
    table: str, profile: Profile, frame: pl.DataFrame, notes: Sequence[Message], format_: str, output: str | None
) -> None:
    from stepscope.messages.frames import in_words
    from stepscope.messages.rendering import render
    from stepscope.reporters import records
    from stepscope.schema import TABLES

    said = in_words(frame, TABLES[table].messages)
    if format_ == "json":
        document: str | bytes = records.table_json(table, profile, frame, notes) + "\n"
    elif format_ == "svg":
        from stepscope.reporters.svg.pictures import picture_of

        document = picture_of(table).draw(frame)
    elif format_ == "markdown":
        document = records.table_markdown(said, table, profile)
    else:
        document = records.as_csv(said) if format_ == "csv" else records.as_parquet(said)
    write_output(document, output)
    _print_notes([render(note) for note in notes])


def _print_notes(notes: list[str]) -> None:
    """What is to be known beside the rows goes to stderr, so that stdout holds rows alone."""
    from stepscope.reporters.console import output_width
    from stepscope.reporters.display_width import wrapped

    sys.stdout.flush()
    for note in notes:
        for line in wrapped(f"note: {note}", output_width(sys.stderr), "", "  "):
            sys.stderr.write(f"{line}\n")
