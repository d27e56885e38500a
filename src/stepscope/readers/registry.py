"""Every file format, and what is asked of all of them: what a file is, who reads it, which names promise a recording.

A package may add readers: an entry point of the group `GROUP` names an object of a class like `formats.Reader`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

from stepscope.errors import BadRequest, UnreadableInput
from stepscope.messages import Message
from stepscope.readers.ascend.format import AscendDatabaseFile, AscendFolder, AscendTimeline
from stepscope.readers.beginning import Beginning
from stepscope.readers.compile_log.format import CompileLog
from stepscope.readers.flight_recorder.format import FlightRecorderJson, FlightRecorderPickle
from stepscope.readers.formats import OTHER, Format, Match, Reader
from stepscope.readers.kineto_format import Kineto, promised_trace
from stepscope.readers.mindspore.format import MindDataFile, MindDataFolder, MindSporeFolder, MindSporeTimeline
from stepscope.readers.nccl_inspector.format import NcclInspector
from stepscope.readers.ncu.format import NsightComputePage, NsightComputeReport
from stepscope.readers.nsys.format import NsightSystems, NsightSystemsFolder, NsightSystemsReport
from stepscope.readers.perfetto.format import Perfetto
from stepscope.readers.py_spy.format import CollapsedStacks, Speedscope
from stepscope.readers.rocm.format import Rocpd, RocprofCsv, RocprofJson
from stepscope.readers.snapshot_format import MemorySnapshots
from stepscope.readers.sources import Source, Stream
from stepscope.readers.telemetry.format import (
    DcgmExporter,
    DcgmMonitor,
    MonitoredSmi,
    OwnLines,
    QueriedSmi,
    TimedTable,
)
from stepscope.readers.unread_formats import DerivedMindSpore, RocprofSums

GROUP = "stepscope.readers"

_READERS: tuple[Reader, ...] = (
    MemorySnapshots(),
    FlightRecorderPickle(),
    FlightRecorderJson(),
    NcclInspector(),
    NsightSystems(),
    NsightSystemsFolder(),
    NsightSystemsReport(),
    NsightComputeReport(),
    NsightComputePage(),
    Perfetto(),
    Rocpd(),
    RocprofJson(),
    RocprofCsv(),
    QueriedSmi(),
    MonitoredSmi(),
    DcgmExporter(),
    DcgmMonitor(),
    TimedTable(),
    OwnLines(),
    AscendFolder(),
    MindSporeTimeline(),
    AscendTimeline(),
    AscendDatabaseFile(),
    MindSporeFolder(),
    MindDataFolder(),
    MindDataFile(),
    CompileLog(),
    Speedscope(),
    CollapsedStacks(),
)
"""Asked in this order. `_LAST` stands behind them, because it takes what nothing else claims."""

_LAST: Reader = Kineto()
_UNREAD: tuple[Format, ...] = (DerivedMindSpore(), RocprofSums())
_added: list[Reader] = []


def readers() -> tuple[Reader, ...]:
    """Every reader, in the order in which they are asked."""
    return (*_added, *_installed(), *_READERS, _LAST)


def formats() -> tuple[Format, ...]:
    """Every format that is known, in the order in which they are asked: those with a reader first."""
    *first, last = readers()
    return (*first, *_UNREAD, last)


@contextmanager
def added(reader: Reader) -> Iterator[None]:
    """Add a reader for as long as the block runs, in this process only."""
    _added.insert(0, reader)
    try:
        yield
    finally:
        _added.remove(reader)


@cache
def _installed() -> tuple[Reader, ...]:
    """Readers of other packages, by the names of their entry points.

    Raises:
        BadRequest: one cannot be imported.
    """
    from importlib.metadata import entry_points

    found = []
    for entry in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        try:
            found.append(entry.load())
        except Exception as error:
            raise BadRequest(
                Message("reader-cannot-use", name=entry.name),
                Message("reader-import-failed", module=entry.value, type=type(error).__name__),
                Message("reader-repair-package"),
            ) from error
    return tuple(one() if isinstance(one, type) else one for one in found)


def suffixes() -> tuple[str, ...]:
    """How the names of files end that may be recordings, in lower case."""
    return tuple(dict.fromkeys(suffix for one in formats() for suffix in one.suffixes))


def promises(name: str) -> bool:
    """Whether a file of this name may be a recording."""
    return any(one.promises(name) for one in formats())


def is_claimed(name: str) -> bool:
    """Whether a name is one of the last reader's, whose files are looked at when they are read, not before."""
    return name.lower().endswith(_LAST.suffixes)


def is_whole(name: str) -> bool:
    """Whether a file of this name is a recording by itself: a name of the last reader's, and of no other format's."""
    *others, _ = formats()
    return is_claimed(name) and not any(name.lower().endswith(one.suffixes) for one in others if one.suffixes)


def recorders() -> tuple[str, ...]:
    """Recorders in the order in which their recordings are preferred to stand for a rank: the richest first."""
    return tuple(dict.fromkeys((_LAST.recorder, *(one.recorder for one in readers()))))


def recognised(source: Source) -> Match:
    """What a file or folder is; of kind `OTHER` where no format knows it. Never raises for what a file holds."""
    if source.is_folder:
        return recognised_folder(source.name, _entries(source.path)) or Match(OTHER)
    try:
        with source.open() as stream:
            beginning = Beginning(stream)
            found = (one.recognise(beginning) for one in formats())
            return next((match for match in found if match is not None), Match(OTHER))
    except UnreadableInput as error:
        return promised_trace(source, error.found) or Match(OTHER, reason=error.found)


def recognised_folder(name: str, entries: Sequence[str]) -> Match | None:
    """What a folder is as a whole; None where it is no recording by itself.

    Args:
        name: of the folder.
        entries: names of what is in it.
    """
    found = (one.recognise_folder(name, entries) for one in formats())
    return next((match for match in found if match is not None), None)


def with_job_facts(match: Match, folder: str) -> Match:
    """The same of a folder, with what that says of its job: one or two small files of it are read."""
    known = _format_of(match)
    return match if known is None else replace(match, facts=match.facts | known.job_facts(folder))


def runs_in(folder: str) -> list[str]:
    """Paths of the folders in one that is a recording which are recordings of their own, see `Format.runs_among`."""
    entries = _entries(folder)
    match = recognised_folder(os.path.basename(folder), entries)
    return [os.path.join(folder, name) for name in runs_among(match, entries)] if match is not None else []


def runs_among(match: Match, entries: Sequence[str]) -> list[str]:
    """The same of a folder that was recognised, by the names of what is in it."""
    known = _format_of(match)
    return [] if known is None else known.runs_among(entries)


def _format_of(match: Match) -> Format | None:
    return next((one for one in formats() if one.name == match.format), None)


def reader_of(source: Source, stream: Stream | None) -> Reader:
    """Who reads a source. What no other reader recognises goes to the last one, which says why it is no recording.

    Args:
        stream: its bytes, not used up; None for a folder.

    Raises:
        UnreadableInput: it is a folder that nothing reads as a whole.
    """
    *first, last = readers()
    if stream is None:
        entries = _entries(source.path)
        known = (one for one in first if one.recognise_folder(source.name, entries) is not None)
    else:
        beginning = Beginning(stream) if first else None
        known = (one for one in first if beginning is not None and one.recognise(beginning) is not None)
    found = next(known, None)
    if found is None and stream is None:
        raise UnreadableInput(
            Message("error-cannot-open", path=source.path),
            Message("reader-folder-not-whole"),
            Message("reader-name-file-in-it"),
        )
    return found or last


def companions(name: str, beside: Sequence[str]) -> tuple[str, ...]:
    """Names of the files that belong to one recording with a file, see `Format.companions`."""
    of_name = (one for one in formats() if name.lower().endswith(one.suffixes))
    return tuple(dict.fromkeys(other for one in of_name for other in one.companions(name, beside) if other != name))


def _entries(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
