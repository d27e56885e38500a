"""Terminals and pipes of any encoding: what it lacks is said in ASCII."""

from __future__ import annotations

import codecs
import sys
from contextlib import suppress
from typing import TextIO

_IN_ASCII = str.maketrans(
    {
        **dict.fromkeys("▏▎▍", "."),
        **dict.fromkeys("▌▋▊▉█", "#"),
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("–—·", "-"),
        "…": "~",
        "×": "x",
        "µ": "u",
        "≤": "<=",
        "≥": ">=",
        "°": "deg ",
    }
)
"""One character for one wherever it stands in a table, so that columns stay aligned."""


def write_in_any_encoding() -> None:
    """Have stdout and stderr say in ASCII what their encoding lacks, in place of failing."""
    codecs.register_error("stepscope-in-ascii", _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # another object than Python's own, or none
            stream.reconfigure(errors="stepscope-in-ascii")  # type: ignore[union-attr]


def writes_chinese(stream: TextIO) -> bool:
    """Whether the encoding of stdout or stderr has Chinese letters."""
    try:
        "\u4e2d".encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_IN_ASCII)
    return "".join(letter if letter.isascii() else "?" for letter in text), error.end
