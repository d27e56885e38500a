"""``stepscope show``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from stepscope.commands.options import open_selected, selection_options

_DEFAULT_ROWS = 40


def _print_tables(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value:
        return
    from stepscope.schema import TABLES

    for table in TABLES.values():
        by = f" (--by {', '.join(table.by)})" if table.by else ""
        click.echo(f"{table.name:<10} {table.description}{by}")
    ctx.exit()


@click.command()
@click.argument("table")
@selection_options
@click.option("--by", default="", metavar="GROUPING", help="Another grouping, as shape for operators; see --list.")
@click.option("--where", metavar="CONDITION", help="Only rows for which an SQL condition over the columns holds.")
@click.option("--sort", metavar="COLUMN", help="Sort by a column, largest first; -COLUMN for smallest first.")
@click.option("--limit", type=click.IntRange(min=0), help="At most this many rows; 0 for all (text: 40 unless given).")
@click.option(
    "--format", "format_", type=click.Choice(["table", "csv", "json", "parquet"]), default="table", show_default=True
)
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_print_tables, help="Name the tables and exit."
)
def show(
    table: str,
    path: Sequence[str],
    ranks: Sequence[int],
    step: str | None,
    max_size: str | None,
    by: str,
    where: str | None,
    sort: str | None,
    limit: int | None,
    format_: str,
) -> None:
    """Show one TABLE of a trace."""
    from stepscope.analyses import check_request, make_table
    from stepscope.analyses.filtering import filtered

    check_request(table, by)
    profile = open_selected(path, ranks, step, max_size)
    frame = filtered(make_table(profile, table, by), where, sort)
    most = _DEFAULT_ROWS if limit is None and format_ == "table" else limit or 0
    shown = frame.head(most) if most else frame
    if format_ == "table":
        from stepscope.reporters.console import output_width
        from stepscope.reporters.table_text import table_lines

        for line in table_lines(shown, table, len(frame), output_width(sys.stdout)):
            sys.stdout.write(f"{line}\n")
        return
    from stepscope.reporters import records

    if format_ == "json":
        sys.stdout.write(records.table_json(table, profile, shown) + "\n")
    elif format_ == "csv":
        records.write_csv(shown, sys.stdout.buffer)
    else:
        if sys.stdout.isatty():
            raise click.UsageError("Parquet is binary: send it to a file with > FILE")
        records.write_parquet(shown, sys.stdout.buffer)
