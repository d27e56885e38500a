"""Which copy is made of a recording, and what was taken out of it."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path

from stepscope.errors import BadRequest, UnreadableInput
from stepscope.messages import Message
from stepscope.readers.formats import TELEMETRY, Input
from stepscope.readers.ncu.fields import MalformedReport
from stepscope.readers.nsys.database import unpacked
from stepscope.readers.nsys.folder import DAMAGE
from stepscope.readers.redaction.asked_copy import AskedCopy, asked_by_reader
from stepscope.readers.redaction.database_copy import DatabaseCopy
from stepscope.readers.redaction.folder_copy import FolderCopy
from stepscope.readers.redaction.hiding import LONGEST, Hiding
from stepscope.readers.redaction.log_copy import LogCopy
from stepscope.readers.redaction.other_copies import COPIES, PERFETTO
from stepscope.readers.redaction.report_copy import ReportCopy
from stepscope.readers.redaction.snapshot_copy import copy_snapshot
from stepscope.readers.redaction.trace_copy import TraceCopy
from stepscope.readers.redaction.writing import counts, written
from stepscope.readers.registry import reader_of, recognised
from stepscope.readers.sources import Source
from stepscope.readers.telemetry.samples import whole_text

DATABASES, FOLDERS, KERNELS = "nsys_sqlite", "nsys_folder", "ncu"
READ_DATABASES = ("rocpd", "ascend_database")
"""Databases of which what is read is copied."""

PICKLES = ("memory_snapshot", "flight_recorder")
TRACES = ("kineto", "mindspore_timeline", "ascend_timeline")
"""Formats that are Chrome's events."""

_SHORTEST = 3
_PIECE = 4 << 20


def redact(path: str, target: Path, words: Sequence[str] = ()) -> list[Message]:
    """Write a copy without what names people and machines; returns what was taken out.

    Args:
        target: a new file, compressed where its name ends in ``.gz``; of a folder a new folder.
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
    match = recognised(source)
    hiding = Hiding(words, is_binary=match.format in (*PICKLES, PERFETTO))
    if match.format == FOLDERS:
        return _folder(source, target, hiding)
    if match.format in (DATABASES, *READ_DATABASES):
        asked = asked_by_reader(source) if match.format in READ_DATABASES else None
        return _database(source, target, hiding, asked)
    if match.format in COPIES:
        return COPIES[match.format](source, target, hiding)
    if match.kind == TELEMETRY:
        return _log(source, target, hiding, match.format)
    if match.format == KERNELS:
        return _kernels(source, target, hiding)
    if match.format in PICKLES:
        return _pickle(source, target, hiding)
    if match.format not in TRACES:
        if Path(path).is_dir():
            raise BadRequest(tried, Message("redact-several"), Message("redact-one-by-one"))
        raise BadRequest(tried, Message("redact-not-known"), Message("redact-known"))
    return _trace(source, target, hiding)


def _trace(source: Source, target: Path, hiding: Hiding) -> list[Message]:
    with source.open() as stream, written(target) as write:
        copy = TraceCopy(stream, write, hiding)
        cut = [] if copy.copy() else [Message("redact-cut")]
    return [Message("redact-trace", members=copy.members, arguments=copy.arguments), *counts(hiding), *cut]


def _pickle(source: Source, target: Path, hiding: Hiding) -> list[Message]:
    with source.open() as stream, written(target) as write:
        copy_snapshot(stream, write, hiding)
    _check(source, target)
    return counts(hiding)


def _database(source: Source, target: Path, hiding: Hiding, asked: dict[str, set[str]] | None = None) -> list[Message]:
    """A copy of a database; what is compressed is unpacked beside it, where it is as safe as the copy."""
    tried = Message("error-cannot-redact", path=source.path)
    with tempfile.TemporaryDirectory(prefix=".stepscope-", dir=target.parent) as folder, source.open() as stream:
        is_packed = source.is_remote or stream.is_gzip
        path = str(unpacked(stream, Path(folder))) if is_packed else source.path
        if stream.damage is not None:
            raise UnreadableInput(tried, stream.damage, Message("reader-export-again"))
        plain = Path(folder) / "copy.sqlite" if target.name.endswith(".gz") else target
        copy = DatabaseCopy(path, plain, hiding) if asked is None else AskedCopy(path, plain, hiding, asked)
        try:
            copy.copy()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise UnreadableInput(tried, Message("reader-no-database"), Message("reader-export-again")) from error
        if plain != target:
            with plain.open("rb") as file, written(target) as write:
                while piece := file.read(_PIECE):
                    write(piece)
    said = "redact-database" if asked is None else "redact-asked"
    return [Message(said, tables=len(copy.left_out)), *counts(hiding)]


def _folder(source: Source, target: Path, hiding: Hiding) -> list[Message]:
    target.mkdir()
    copy = FolderCopy(source.path, target, hiding)
    try:
        copy.copy()
    except DAMAGE as error:
        tried = Message("error-cannot-redact", path=source.path)
        raise UnreadableInput(tried, Message("reader-no-database"), Message("reader-export-again")) from error
    return [Message("redact-database", tables=len(copy.left_out)), *counts(hiding)]


def _log(source: Source, target: Path, hiding: Hiding, format_: str) -> list[Message]:
    with source.open() as stream:
        copy = LogCopy(whole_text(Input(source, stream, workers=1)), format_)
        cut = [Message("redact-cut")] if stream.damage is not None else []
    with written(target) as write:
        write(hiding.hidden(copy.text.encode()))
    return [Message("redact-log", lines=copy.lines, cells=copy.cells), *counts(hiding), *cut]


def _kernels(source: Source, target: Path, hiding: Hiding) -> list[Message]:
    tried = Message("error-cannot-redact", path=source.path)
    with source.open() as stream, written(target) as write:
        copy = ReportCopy(stream, hiding)
        try:
            for piece in copy.pieces():
                write(piece)
        except MalformedReport as error:
            raise UnreadableInput(
                tried, Message("reader-ncu-malformed"), Message("reader-ncu-profile-again")
            ) from error
    cut = [] if copy.whole else [Message("redact-cut")]
    return [Message("redact-kernels", kernels=copy.kernels, left_out=copy.left_out), *counts(hiding), *cut]


def _check(source: Source, target: Path) -> None:
    """A copy of a pickle is decoded as far as the pickle is: nothing but texts was changed.

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
