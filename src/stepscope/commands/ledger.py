"""``stepscope ledger``."""

from __future__ import annotations

import click

from stepscope.reporters.output import check_output, write_lines, write_output


@click.command()
@click.argument("file", required=False, type=click.Path())
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal.")
def ledger(file: str | None, format_: str, output: str | None) -> None:
    """What findings promised and what came, of all that stepscope prove kept in FILE.

    FILE is .stepscope/ledger.jsonl unless given.
    """
    from stepscope.proving.ledger import FILE, read_ledger
    from stepscope.reporters.proof_documents import ledger_json
    from stepscope.reporters.proof_text import ledger_lines

    path = file or FILE
    check_output(output, [path])
    entries, broken = read_ledger(path)
    if format_ == "json":
        write_output(ledger_json(entries, broken), output)
    else:
        write_lines(lambda width: ledger_lines(entries, broken, path, width), output)
