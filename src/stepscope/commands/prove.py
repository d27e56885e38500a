"""``stepscope prove``."""

from __future__ import annotations

import click

from stepscope.commands.options import Selection, open_selected
from stepscope.reporters.formats import COMPARED_TABLES, chosen_format
from stepscope.reporters.output import check_output, write_lines, write_output


@click.command()
@click.argument("before", type=click.Path())
@click.argument("after", type=click.Path())
@click.option("--finding", metavar="ID", help="The finding that was fixed (default: the only one that is gone).")
@click.option(
    "--work",
    type=click.FloatRange(min=0, min_open=True),
    metavar="FACTOR",
    help="How many times as much work a step does after the fix, as samples of a larger batch.",
)
@click.option("--ledger", metavar="FILE", help="Where the result is kept (default: .stepscope/ledger.jsonl).")
@click.option("--label", default="", metavar="TEXT", help="In the ledger: what to call the fix, as a commit.")
@click.option("--no-ledger", is_flag=True, help="Keep nothing.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "markdown"]),
    help="Default: as the name of the FILE ends (.md, .json, .txt), else text.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal.")
def prove(
    before: str,
    after: str,
    finding: str | None,
    work: float | None,
    ledger: str | None,
    label: str,
    no_ledger: bool,
    format_: str | None,
    output: str | None,
) -> None:
    """Whether a fix saved what its finding promised.

    BEFORE was recorded before the fix and AFTER behind it. Findings and their ids: stepscope show findings BEFORE.
    """
    from stepscope.proving.ledger import FILE, remember
    from stepscope.proving.proof import prove as prove_finding
    from stepscope.reporters.proof_documents import proof_json, proof_markdown
    from stepscope.reporters.proof_text import proof_lines

    check_output(output, [before, after])
    chosen = chosen_format(format_, output, COMPARED_TABLES)
    profiles = [open_selected(Selection([path]), ["findings", "step_time"]) for path in (before, after)]
    found = prove_finding(profiles[0], profiles[1], finding, work)
    if chosen == "json":
        write_output(proof_json(found), output)
    elif chosen == "markdown":
        write_output(proof_markdown(found), output)
    else:
        write_lines(lambda width: proof_lines(found, width), output)
    if not no_ledger:
        remember(ledger or FILE, found, profiles[1].ranks[0], label)
