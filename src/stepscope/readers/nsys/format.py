"""Recognise what Nsight Systems writes: exports as a database or a folder, and reports, which only it can read."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence

from stepscope.messages import Message
from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import TRACE, Input, Match, Reader, Reading

_MAGIC = b"SQLite format 3\0"
_WORDS = (b"CUPTI_ACTIVITY", b"TARGET_INFO_", b"NVTX_EVENTS", b"ENUM_NSYS", b"ANALYSIS_DETAILS", b"OSRT_API")
_REPORT = re.compile(rb"NVIDIA Tegra Profiler Report (?:(\d{4})@(\d{1,3}))?")
_TABLE = re.compile(r"(CUPTI_ACTIVITY_KIND_\w+|NVTX_EVENTS|OSRT_API|TARGET_INFO_\w+|ANALYSIS_DETAILS)\.(parquet|arrow)")
_COMMAND = "nsys"


class NsightSystems(Reader):
    """Exports of Nsight Systems as an SQLite database."""

    name = "nsys_sqlite"
    recorder = "Nsight Systems"
    kind = TRACE
    suffixes = (".sqlite", ".sqlite3", ".db")

    def recognise(self, beginning: Beginning) -> Match | None:
        if not beginning.first.startswith(_MAGIC):
            return None
        # A long list of tables goes on behind other pages.
        if not any(word in piece for piece in beginning.pieces() for word in _WORDS):
            return None
        return Match(self.kind, self.recorder, self.name, ranks=None)

    def read(self, given: Input) -> Reading:
        from stepscope.readers.nsys.reader import NsysReading

        return NsysReading(given)


class NsightSystemsFolder(Reader):
    """Exports of Nsight Systems as a folder with a file of Parquet or Arrow for each table."""

    name = "nsys_folder"
    recorder = "Nsight Systems"
    kind = TRACE
    suffixes = ()

    def recognise(self, beginning: Beginning) -> Match | None:
        return None

    def recognise_folder(self, name: str, entries: Sequence[str]) -> Match | None:
        known = any(_TABLE.fullmatch(entry) for entry in entries)
        return Match(self.kind, self.recorder, self.name, ranks=None) if known else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.nsys.reader import NsysReading

        return NsysReading(given)


class NsightSystemsReport(Reader):
    """Reports of Nsight Systems: the user's own ``nsys`` exports them, where there is one."""

    name = "nsys"
    recorder = "Nsight Systems"
    kind = TRACE
    suffixes = (".nsys-rep", ".qdrep")

    def recognise(self, beginning: Beginning) -> Match | None:
        head = _REPORT.match(beginning.first)
        if head is None and not beginning.source.name.lower().endswith(self.suffixes):
            return None
        command = shutil.which(_COMMAND)
        reason = None if command else not_readable(report_version(beginning.first))
        return Match(self.kind, self.recorder, self.name, reason, command is not None, ranks=None)

    def read(self, given: Input) -> Reading:
        from stepscope.readers.nsys.exporting import ReportReading

        return ReportReading(given, shutil.which(_COMMAND))


def not_readable(version: str) -> Message:
    """Why a report cannot be read, and the version that could."""
    return Message("reader-nsys-report", version=version) if version else Message("reader-nsys-report-any")


def report_version(first: bytes) -> str:
    """The version that wrote a report, as "2025.5"; "" where its first bytes do not say.

    >>> report_version(b"NVIDIA Tegra Profiler Report 2025@5@1@121-36")
    '2025.5'
    """
    found = _REPORT.match(first)
    return f"{int(found[1])}.{int(found[2])}" if found and found[1] else ""
