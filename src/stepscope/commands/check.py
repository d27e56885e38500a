"""``stepscope check``."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

import click

from stepscope.commands.diff import preload_comparing
from stepscope.commands.options import Selection, open_selected
from stepscope.reporters.formats import CHECKS, chosen_format
from stepscope.reporters.output import check_output, write_lines, write_output

if TYPE_CHECKING:
    from stepscope.checking.checked import Asked
    from stepscope.checking.outcome import Verdict
    from stepscope.store.profile import Profile


_ASKING = (
    click.option(
        "--baseline",
        "baseline",
        multiple=True,
        metavar="NAME|PATH",
        help="A saved baseline, or a recording to compare with; recordings may be several.",
    ),
    click.option("--budget", metavar="FILE", help="Limits for figures of tables, as TOML."),
    click.option(
        "--baselines", "root", metavar="DIR", help="Where baselines are saved (default: .stepscope/baselines)."
    ),
    click.option(
        "--tolerance",
        "tolerance_pct",
        type=click.FloatRange(min=0),
        default=5.0,
        show_default=True,
        metavar="PCT",
        help="Growth of the step time that passes.",
    ),
    click.option(
        "--count-tolerance",
        "count_tolerance_pct",
        type=click.FloatRange(min=0),
        default=10.0,
        show_default=True,
        metavar="PCT",
        help="Growth of a count, as kernels a step, that passes.",
    ),
    click.option(
        "--allow-other-setup", is_flag=True, help="Compare even with another device, version or profiler option."
    ),
    click.option("--rank", type=int, help="Compare this rank (default: the one that changed most)."),
)


def _asking(function: Callable[..., None]) -> Callable[..., None]:
    """Options that say what recordings are checked against, as one argument ``asked``."""

    @functools.wraps(function)
    def command(*args: Any, **given: Any) -> None:
        names = ("baseline", "budget", "root", "tolerance_pct", "count_tolerance_pct", "allow_other_setup", "rank")
        function(*args, asked=_asked(*(given.pop(name) for name in names)), **given)

    return functools.reduce(lambda made, option: option(made), reversed(_ASKING), command)


def _asked(
    baseline: Sequence[str],
    budget: str | None,
    root: str | None,
    tolerance_pct: float,
    count_tolerance_pct: float,
    allow_other_setup: bool,
    rank: int | None,
) -> Asked:
    from stepscope.checking.baselines import FOLDER
    from stepscope.checking.budgets import read_budgets
    from stepscope.checking.checked import Asked
    from stepscope.messages.rendering import say

    if not baseline and budget is None:
        raise click.UsageError(say("gate-nothing-to-check"))
    budgets = read_budgets(budget) if budget else []
    return Asked(baseline, root or FOLDER, budgets, tolerance_pct, count_tolerance_pct, allow_other_setup, rank)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH... | -- COMMAND", type=click.UNPROCESSED)
@_asking
@click.option("--history", metavar="FILE", help="Append the result to a file of JSON lines and look for changes in it.")
@click.option("--label", default="", metavar="TEXT", help="With --history: what to call this run, as a commit.")
@click.option(
    "--repeat",
    metavar="auto|N",
    help="Record COMMAND, behind options of stepscope record, until the check is decided, or N times.",
)
@click.option("--out", metavar="DIR", help="With --repeat: folder of the recordings (default: recordings/TIME).")
@click.option("--step", metavar="A[:B]", help="Only step A, or the steps A to B, both included.")
@click.option("--all", "every", is_flag=True, help="List checks that are fine, too.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "markdown", "junit"]),
    help="Default: as the name of the FILE ends (.md, .json, .xml, .txt), else text.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal.")
def check(
    paths: Sequence[str],
    asked: Asked,
    history: str | None,
    label: str,
    repeat: str | None,
    out: str | None,
    step: str | None,
    every: bool,
    format_: str | None,
    output: str | None,
) -> None:
    """Whether recordings regressed against a baseline, or exceed a budget.

    Several PATHs are recordings of one program. With --repeat, COMMAND is recorded first:

    stepscope check --baseline main --repeat auto -- python train.py

    Exit code: 0 no regression, 1 regression, 3 inconclusive, 2 error.
    """
    from stepscope.checking.checked import checked

    check_output(output, [*(paths if repeat is None else ()), *asked.baseline])
    chosen = chosen_format(format_, output, CHECKS)
    if asked.baseline:
        preload_comparing()
    if repeat is None:
        new = [open_selected(Selection([path], step=step)) for path in paths]
        found = checked(new, asked, lambda path: open_selected(Selection([path])))
    else:
        from stepscope.commands.repeated import repeated

        found, new = repeated(paths, repeat, out, step, asked)
    _write(found, chosen, every, output)
    if history:
        _remember(found, new, history, label, sys.stdout if chosen == "text" and output is None else sys.stderr)
    sys.exit(found.exit_code)


def _write(found: Verdict, format_: str, every: bool, output: str | None) -> None:
    if format_ == "text":
        from stepscope.reporters.check_text import check_lines

        write_lines(lambda width: check_lines(found, width, every), output)
        return
    from stepscope.reporters import check_documents

    made = {
        "json": check_documents.check_json,
        "markdown": check_documents.check_markdown,
        "junit": check_documents.check_junit,
    }
    write_output(made[format_](found), output)


def _remember(found: Verdict, new: Sequence[Profile], path: str, label: str, file: TextIO) -> None:
    """Add the result to the history, and say what that shows."""
    from stepscope.checking import history
    from stepscope.messages.rendering import render
    from stepscope.store.json_lines import append_line

    append_line(path, history.entry(found, new, label))
    file.write("\n" + "".join(f"{render(one)}\n" for one in history.sentences(path)))
