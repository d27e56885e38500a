"""Recognise exports of Nsight Systems; `nsys.reader` reads them."""

from __future__ import annotations

import re

from stepscope.messages import Message
from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import TRACE, Format, Input, Match, Reader, Reading

_MAGIC = b"SQLite format 3\0"
_WORDS = (b"CUPTI_ACTIVITY", b"TARGET_INFO_", b"NVTX_EVENTS", b"ENUM_NSYS", b"ANALYSIS_DETAILS")
_REPORT = re.compile(rb"NVIDIA Tegra Profiler Report (\d{4})@(\d{1,3})")


class NsightSystems(Reader):
    """Exports of Nsight Systems as an SQLite database."""

    name = "nsys"
    recorder = "Nsight Systems"
    kind = TRACE
    suffixes = (".sqlite", ".sqlite3", ".db")

    def recognise(self, beginning: Beginning) -> Match | None:
        words = any(word in beginning.first for word in _WORDS)
        return Match(self.kind, self.recorder, self.name) if beginning.first.startswith(_MAGIC) and words else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.nsys.reader import NsysReading

        return NsysReading(given)


class NsightSystemsReport(Format):
    """Reports as Nsight Systems itself keeps them: only Nsight Systems can read those."""

    name = "nsys_report"
    recorder = "Nsight Systems"
    kind = TRACE
    suffixes = (".nsys-rep", ".qdrep")

    def recognise(self, beginning: Beginning) -> Match | None:
        if not beginning.source.name.lower().endswith(self.suffixes):
            return None
        version = _REPORT.search(beginning.first[:200])
        text = f"{int(version[1])}.{int(version[2])}" if version else ""
        reason = Message("reader-nsys-report", version=text)
        return Match(self.kind, self.recorder, self.name, reason, is_read=False)
