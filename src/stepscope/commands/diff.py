"""``stepscope diff``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from stepscope.commands.options import Selection, open_selected
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.reporters.formats import COMPARISONS, chosen_format
from stepscope.reporters.output import check_output, write_output

if TYPE_CHECKING:
    from stepscope.comparison.compare import Comparison
    from stepscope.store.profile import Profile, Rank


@click.command()
@click.argument("paths", nargs=-1, metavar="[BASE NEW]", type=click.Path())
@click.option("--base", "base", multiple=True, metavar="PATH", help="A recording before the change; repeatable.")
@click.option("--new", "new", multiple=True, metavar="PATH", help="A recording after the change; repeatable.")
@click.option("--rank", type=int, help="Compare this rank (default: the first that both sides have).")
@click.option("--step", metavar="A[:B]", help="Only step A, or the steps A to B, both included.")
@click.option("--all", "every", is_flag=True, help="Show all rows that changed, not only the largest.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "markdown"]),
    help="Default: as the name of the FILE ends (.md, .json, .txt), else text.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal.")
def diff(
    paths: Sequence[str],
    base: Sequence[str],
    new: Sequence[str],
    rank: int | None,
    step: str | None,
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
    chosen = chosen_format(format_, output, COMPARISONS)
    opened = [[open_selected(Selection([path], step=step)) for path in side] for side in sides]
    from stepscope.comparison.compare import compare

    number = rank if rank is not None else _common_rank(opened)
    found = compare(*([_rank(profile, number) for profile in side] for side in opened))
    _write(found, chosen, every, output)


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


def _common_rank(sides: Sequence[Sequence[Profile]]) -> int:
    """The first rank that all recordings have; where there is none, and each has one, that one."""
    numbers = [{rank.number for rank in profile.ranks} for side in sides for profile in side]
    common = set.intersection(*numbers)
    if common:
        return min(common)
    if all(len(one) == 1 for one in numbers):
        return -1
    first = sides[0][0]
    tried = Message("diff-cannot-compare", path=first.path)
    raise BadRequest(tried, Message("diff-ranks-apart"), Message("error-name-one"))


def _rank(profile: Profile, number: int) -> Rank:
    return profile.ranks[0] if number < 0 else profile.select([number]).ranks[0]


def _write(found: Comparison, format_: str, every: bool, output: str | None) -> None:
    if format_ == "json":
        from stepscope.reporters.comparison_json import comparison_json

        write_output(comparison_json(found), output)
    elif format_ == "markdown":
        from stepscope.reporters.comparison_markdown import comparison_markdown

        write_output(comparison_markdown(found), output)
    else:
        from stepscope.reporters.comparison_text import comparison_lines
        from stepscope.reporters.console import DEFAULT_WIDTH, output_width, print_lines

        if output is None:
            print_lines(comparison_lines(found, output_width(sys.stdout), every))
        else:
            lines = comparison_lines(found, DEFAULT_WIDTH, every)
            write_output("".join(f"{line.text}\n" for line in lines), output)
