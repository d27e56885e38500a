"""What a file is, told by its first bytes: enough to list it among other runs, without opening it."""

from __future__ import annotations

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.detect import locate_events
from stepscope.readers.formats import OTHER, Match
from stepscope.readers.head import Head
from stepscope.readers.registry import recognised
from stepscope.readers.sources import Source

__all__ = ["OTHER", "check_recording", "probe"]


def probe(path: str) -> Match:
    """What the file at a path seems to be. A file that may not be read is an unreadable trace if its name says so."""
    return recognised(Source(path))


def check_recording(path: str) -> None:
    """Read the beginning of a file that a user named.

    Raises:
        UnreadableInput: it is no recording that is read; says what the reader says of it.
    """
    found = probe(path)
    if found.kind != OTHER and found.is_read and found.reason is None:
        return
    with Source(path).open() as stream:
        locate_events(stream, Head())
    what = found.reason or Message("reader-no-event")
    raise UnreadableInput(Message("error-cannot-read", path=path), what, Message("reader-name-trace"))
