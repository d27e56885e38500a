"""Which copy is made of a recording, and what was taken out of it."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from stepscope.errors import BadRequest, UnreadableInput
from stepscope.messages import Message
from stepscope.readers.formats import Input
from stepscope.readers.redaction.database_copy import DatabaseCopy
from stepscope.readers.redaction.hiding import LONGEST, Hiding
from stepscope.readers.redaction.snapshot_copy import copy_snapshot
from stepscope.readers.redaction.trace_copy import TraceCopy
from stepscope.readers.registry import reader_of, recognised
from stepscope.readers.sources import Source

TRACES, DATABASES, SNAPSHOTS = "kineto", "nsys_sqlite", "memory_snapshot"
_SHORTEST = 3


def redact(path: str, target: Path, words: Sequence[str] = ()) -> list[Message]:
    """Write a copy without what names people and machines; returns what was taken out.

    Args:
        target: a new file; compressed where its name ends in ``.gz``.
        words: further texts to hide.

    Raises:
        BadRequest: there are no copies of such a file, or a word is too short or too long.
        UnreadableInput: it is damaged.
    """
    tried = Message("error-cannot-redact", path=path)
    odd = [word for word in words if not _SHORTEST <= len(word.encode()) < LONGEST]
    if odd:
        raise BadRequest(tried, Message("redact-odd-word", word=odd[0]), Message("redact-word-length", least=_SHORTEST))
    source = Source(path)
    kind = recognised(source).format if not source.is_folder else ""
    hiding = Hiding(words, is_binary=kind == SNAPSHOTS)
    if kind == DATABASES:
        return _database(source, target, hiding)
    if kind not in (TRACES, SNAPSHOTS):
        raise BadRequest(tried, Message("redact-not-known"), Message("redact-known"))
    with ExitStack() as stack:
        stream = stack.enter_context(source.open())
        file = stack.enter_context(target.open("wb"))
        write = file.write
        if target.name.endswith(".gz"):
            write = stack.enter_context(gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="")).write
        if kind == SNAPSHOTS:
            copy_snapshot(stream, write, hiding)
            said = _counts(hiding)
        else:
            copy = TraceCopy(stream, write, hiding)
            whole = copy.copy()
            said = [Message("redact-trace", members=copy.members, arguments=copy.arguments), *_counts(hiding)]
            said += [] if whole else [Message("redact-cut")]
    if kind == SNAPSHOTS:
        _check(source, target)
    return said


def _database(source: Source, target: Path, hiding: Hiding) -> list[Message]:
    tried = Message("error-cannot-redact", path=source.path)
    with source.open() as stream:
        if source.is_remote or stream.is_gzip:
            raise BadRequest(tried, Message("redact-packed"), Message("redact-unpack"))
    copy = DatabaseCopy(source.path, target, hiding)
    try:
        copy.copy()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise UnreadableInput(tried, Message("reader-no-database"), Message("reader-export-again")) from error
    return [Message("redact-database", tables=len(copy.left_out)), *_counts(hiding)]


def _counts(hiding: Hiding) -> list[Message]:
    return [Message("redact-names", homes=hiding.homes, words=hiding.words)]


def _check(source: Source, target: Path) -> None:
    """A copy of a snapshot is decoded as far as the snapshot is: nothing but texts was changed.

    Raises:
        UnreadableInput: it is not.
    """
    if _events(source) != _events(Source(str(target))):
        tried = Message("error-cannot-redact", path=source.path)
        raise UnreadableInput(tried, Message("redact-copy-differs"), Message("redact-report"))


def _events(source: Source) -> tuple[int, int, str]:
    with source.open() as stream:
        reading = reader_of(source, stream).read(Input(source, stream, workers=1))
        rows = sum(len(frame) for _, frame in reading.tables())
    return rows, reading.facts.events, str(reading.facts.truncated)
