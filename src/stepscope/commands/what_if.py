"""``stepscope what-if``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import click

from stepscope.commands.options import Selection, open_selected, peak_options, read_peaks, selection_options
from stepscope.reporters.output import write_document


def _print_changes(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value:
        return
    from stepscope.analyses.simulation.changes import KINDS, usage
    from stepscope.messages.rendering import render
    from stepscope.reporters.console import print_described

    kinds = zip(usage(), KINDS.values(), strict=True)
    print_described(((written, render(kind.description)) for written, kind in kinds), 23)
    ctx.exit()


@click.command("what-if")
@selection_options
@peak_options
@click.option("--change", "texts", multiple=True, required=True, help="What to change; may be given several times.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_changes,
    help="List the changes.",
)
def what_if(
    selected: Selection,
    peak: Sequence[str],
    peaks_file: str | None,
    texts: Sequence[str],
    format_: str,
) -> None:
    """What a step would take with something changed, such as --change "op:aten::addmm x0.5"."""
    from stepscope.analyses.simulation.changes import parse_change
    from stepscope.findings.what_if import what_if as of_ranks
    from stepscope.findings.what_if_job import what_if_job
    from stepscope.reporters.what_if_text import what_if_json, what_if_lines

    changes = [parse_change(text) for text in texts]
    peaks = read_peaks(peak, peaks_file)
    profile = replace(open_selected(selected), peaks=peaks)
    ranks = of_ranks(profile, changes)
    job = what_if_job(profile, changes, ranks)
    if format_ == "json":
        write_document(what_if_json(profile, ranks, job) + "\n")
        return
    from stepscope.reporters.console import output_width, print_lines

    print_lines(what_if_lines(ranks, output_width(sys.stdout), job))
