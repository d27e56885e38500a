"""Recognise what Nsight Compute writes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import KERNEL_REPORT, Input, Match, Reader, Reading

MAGIC = b"NVR\0"
"""How a report begins. Here, because recognising files must not load compiled code."""

PAGE = re.compile(rb'(?m)^"ID","Process ID","Process Name"')
"""How the header of a page begins."""

SOURCE_PAGE = re.compile(
    rb'(?m)^(?=[^\n]{0,20000}"Source")[^\n]{0,20000}"(?:Warp Stall Sampling|Instructions Executed|# Samples)[^"\n]*"'
)
"""The header of the source page, which is a page of one kernel, with a row for each line or instruction."""

_ENDINGS = (".ncu-rep", ".ncu-rep.gz")


class NsightComputeReport(Reader):
    """Reports, as ``ncu -o NAME`` writes them."""

    name = "ncu"
    recorder = "Nsight Compute"
    kind = KERNEL_REPORT
    suffixes = _ENDINGS

    def recognise(self, beginning: Beginning) -> Match | None:
        if beginning.first.startswith(MAGIC):
            return Match(self.kind, self.recorder, self.name)
        named = beginning.source.name.lower().endswith(self.suffixes)
        return Match(self.kind, self.recorder, self.name, Message("reader-ncu-other")) if named else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.ncu.report import ReportReading

        if given.stream is None:
            tried = Message("error-cannot-read", path=given.source.path)
            raise UnreadableInput(tried, Message("reader-folder"), Message("reader-name-file-in-it"))
        return ReportReading(given, given.stream)

    def companions(self, name: str, beside: Sequence[str]) -> tuple[str, ...]:
        """CSV of the same report, by name: it holds no more than the report."""
        stem = next((name[: -len(ending)] for ending in _ENDINGS[::-1] if name.lower().endswith(ending)), name)
        return tuple(other for other in beside if other.startswith(f"{stem}.") and other.lower().endswith(".csv"))


class NsightComputePage(Reader):
    """``ncu --csv --page raw`` or ``--page details``, perhaps behind what else ``ncu`` and the program printed.

    The source page is recognised, and refused with a word on where to find what it says.
    """

    name = "ncu_csv"
    recorder = "Nsight Compute"
    kind = KERNEL_REPORT
    suffixes = (".csv", ".log")

    def recognise(self, beginning: Beginning) -> Match | None:
        if PAGE.search(beginning.first):
            return Match(self.kind, self.recorder, self.name)
        is_source = SOURCE_PAGE.search(beginning.first)
        return Match(self.kind, self.recorder, self.name, Message("reader-ncu-source-page")) if is_source else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.ncu.pages import PageReading

        return PageReading(given)
