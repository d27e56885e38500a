"""Which format a file is written in: as its name ends, unless --format says otherwise."""

from __future__ import annotations

import os
from collections.abc import Mapping

from stepscope.errors import BadRequest
from stepscope.messages import Message

REPORTS = {
    "": "text",
    ".txt": "text",
    ".log": "text",
    ".json": "json",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
}
COMPARISONS = REPORTS
COMPARED_TABLES = {ending: format_ for ending, format_ in REPORTS.items() if format_ != "html"}
CHECKS = COMPARED_TABLES | {".xml": "junit"}
TABLES = {
    "": "table",
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".parquet": "parquet",
    ".md": "markdown",
    ".svg": "svg",
}
"""Formats by the end of a file's name."""


def chosen_format(asked: str | None, output: str | None, known: Mapping[str, str]) -> str:
    """The format asked for, else that of the file's name, else the one without a name.

    Raises:
        BadRequest: nothing is written in files of such a name.
    """
    if asked is not None or output is None:
        return asked or known[""]
    suffix = os.path.splitext(output)[1].lower()
    if suffix not in known and os.path.exists(output) and not os.path.isfile(output):
        suffix = ""  # a device or a pipe
    if suffix not in known:
        endings = [ending for ending in known if ending]
        tried = Message("error-cannot-write", path=output)
        raise BadRequest(
            tried, Message("error-no-such-format", suffix=suffix), Message("error-formats", endings=endings)
        )
    return known[suffix]
