"""``stepscope diff``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import click

from stepscope.commands.options import Selection, open_selected
from stepscope.commands.preloading import opened_in_turn, preloading
from stepscope.reporters.formats import COMPARED_TABLES, COMPARISONS, chosen_format
from stepscope.reporters.output import check_output, write_lines, write_output

if TYPE_CHECKING:
    from stepscope.comparison.compare import Comparison
    from stepscope.comparison.tables import TableComparison
    from stepscope.store.profile import Profile

preload_comparing = preloading(
    "scipy.special",
    "stepscope.numeric.stack_paths",
    "stepscope.comparison.job",
    "stepscope.reporters.comparison_text",
)
"""`scipy` alone takes as long as a small comparison."""


@click.command()
@click.argument("paths", nargs=-1, metavar="[BASE NEW]", type=click.Path())
@click.option("--base", "base", multiple=True, metavar="PATH", help="A recording before the change; repeatable.")
@click.option("--new", "new", multiple=True, metavar="PATH", help="A recording after the change; repeatable.")
@click.option("--rank", type=int, help="Compare this rank (default: the one that changed most).")
@click.option("--step", metavar="A[:B]", help="Only step A, or the steps A to B, both included.")
@click.option("--table", metavar="TABLE", help="Compare the rows of this table instead, of any kind of recording.")
@click.option("--by", default="", metavar="GROUPING", help="With --table: another grouping that the table offers.")
@click.option("--all", "every", is_flag=True, help="Show all rows that changed, not only the largest.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "markdown", "html"]),
    help="Default: as the name of the FILE ends (.html, .md, .json, .txt), else text.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal.")
def diff(
    paths: Sequence[str],
    base: Sequence[str],
    new: Sequence[str],
    rank: int | None,
    step: str | None,
    table: str | None,
    by: str,
    every: bool,
    format_: str | None,
    output: str | None,
) -> None:
    """What changed between two recordings, whether that is real, and where it comes from.

    BASE is the recording before the change and NEW the one after it. Several of each tell smaller changes from
    noise: --base A1 --base A2 --new B1 --new B2.
    """
    sides = _sides(paths, base, new)
    check_output(output, [*sides[0], *sides[1]])
    chosen = chosen_format(format_, output, COMPARED_TABLES if table else COMPARISONS)
    ranks = [rank] if rank is not None and table else []
    preload_comparing()
    openings = [partial(open_selected, Selection([path], ranks, step=step)) for side in sides for path in side]
    # Rows of tables need nothing examined.
    opened = [opening() for opening in openings] if table else opened_in_turn(openings, rank)
    before, after = opened[: len(sides[0])], opened[len(sides[0]) :]
    own = None if table else _table_of([*before, *after])
    compared = table or own
    if compared and chosen == "html":
        raise click.UsageError(_said("diff-table-no-html"))
    if compared:
        from stepscope.comparison.tables import compare_table

        _write_table(compare_table(before, after, compared, by), chosen, every, output, bool(own))
    else:
        from stepscope.comparison.job import compare_profiles

        _write(compare_profiles(before, after, rank), chosen, every, output)


def _table_of(profiles: Sequence[Profile]) -> str | None:
    """The table to compare where recordings have no steps: that of kernel reports; None of all others."""
    from stepscope.readers.formats import KERNEL_REPORT

    kinds = {rank.recordings[0].kind for profile in profiles for rank in profile.ranks}
    return "kernel_reports" if kinds == {KERNEL_REPORT} else None


def _sides(paths: Sequence[str], base: Sequence[str], new: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The recordings of both sides, however they were named."""
    if paths and (base or new):
        raise click.UsageError(_said("diff-both-ways"))
    if len(paths) == 2:
        return paths[:1], paths[1:]
    if paths or not base or not new:
        raise click.UsageError(f"{_said('diff-no-side')}: {_said('diff-name-sides')}")
    return base, new


def _said(message: str) -> str:
    from stepscope.messages.rendering import say

    return say(message)


def _write(found: Comparison, format_: str, every: bool, output: str | None) -> None:
    if format_ == "text" and output is None:
        from stepscope.reporters.comparison_text import comparison_lines

        write_lines(lambda width: comparison_lines(found, width, every), output)
    else:
        from stepscope.reporters.comparison_documents import comparison_in

        write_output(comparison_in(found, format_, every), output)


def _write_table(found: TableComparison, format_: str, every: bool, output: str | None, by_itself: bool) -> None:
    """Write a compared table; where it was chosen `by_itself`, text and Markdown say so."""
    from stepscope.reporters import comparison_table
    from stepscope.reporters.sections.text_lines import Line

    if format_ == "json":
        write_output(comparison_table.table_comparison_json(found), output)
    elif format_ == "markdown":
        said = f"{_said('diff-by-kernel-reports')}\n\n" if by_itself else ""
        write_output(said + comparison_table.table_comparison_markdown(found, every), output)
    else:
        first = [Line(_said("diff-by-kernel-reports"), "dim")] if by_itself else []
        write_lines(lambda width: chain(first, comparison_table.table_comparison_lines(found, width, every)), output)
