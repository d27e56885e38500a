"""``stepscope redact``."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import click

_ENDING = re.compile(r"((?:\.pt)?(?:\.trace)?\.\w+(?:\.gz)?)$", re.IGNORECASE)


@click.command()
@click.argument("path")
@click.option("-o", "--output", help="File to write; default: the name of PATH with .redacted in it.")
@click.option(
    "--hide", "words", multiple=True, metavar="TEXT", help="A further name to hide; may be given several times."
)
def redact(path: str, output: str | None, words: Sequence[str]) -> None:
    """A copy of a recording to pass on: without environment, hosts, users, output and other programs.

    PATH is any recording that stepscope reads, but pages of Nsight Compute in CSV and reports of Nsight Systems
    (.nsys-rep), which are exported first.
    """
    from stepscope.errors import BadRequest
    from stepscope.messages import Message
    from stepscope.messages.rendering import render
    from stepscope.readers.redaction.redacting import redact as copy
    from stepscope.reporters.output import check_output
    from stepscope.store.whole_files import whole_file

    target = output or default_name(path.rstrip("/" + os.sep) if os.path.isdir(path) else path)
    check_output(target, [path])
    if os.path.isdir(path) and os.path.exists(target):
        tried = Message("error-cannot-write", path=target)
        raise BadRequest(tried, Message("redact-no-folder"), Message("error-name-other-file"))
    with whole_file(Path(os.path.realpath(target))) as temporary:
        # What ends in .gz is compressed, so the temporary file's name has to end so, too.
        written = temporary.with_name(f"{temporary.name}-copy{os.path.splitext(target)[1]}")
        try:
            said = copy(path, written, words)
            written.replace(temporary)
        finally:
            shutil.rmtree(written, ignore_errors=True) if written.is_dir() else written.unlink(missing_ok=True)
    for one in said:
        sys.stderr.write(f"{render(one)}\n")
    sys.stderr.write(f"wrote {target}\n")


def default_name(path: str) -> str:
    """Where a copy is written unless another file is named.

    >>> default_name("runs/rank0.pt.trace.json.gz"), default_name("report.sqlite")
    ('runs/rank0.redacted.pt.trace.json.gz', 'report.redacted.sqlite')
    """
    return _ENDING.sub(r".redacted\1", path) if _ENDING.search(path) else f"{path}.redacted"
