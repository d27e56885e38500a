"""Recognise what MindSpore writes: the folder of a run, its timeline alone, and files of its data engine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import INPUT_PIPELINE, TRACE, Input, Match, Reader, Reading
from stepscope.readers.mindspore.names import PIPELINE, RAW, devices, parts_of

MINDSPORE, MINDDATA = "MindSpore", "MindData"
_RUN = re.compile(r"_ascend_ms$")
_BELOW = {"FRAMEWORK", "ASCEND_PROFILER_OUTPUT"}
_PROCESS = re.compile(rb'"process_name"[^{}]{0,200}\{\s*"name"\s*:\s*"(?:CPU OP|Scope Layer)"')
"""The processes of a timeline that no other tool writes: since MindSpore 2.5 it begins with their names."""

_PIPELINE_KEYS = re.compile(rb'"op_info"\s*:.{0,4000}"op_type"\s*:', re.DOTALL)
_CPU_KEYS = re.compile(rb'\{\s*"(?:sampling_interval|cpu_processor_num)"\s*:')
_QUEUE_LINE = re.compile(rb"(?:\d{1,20} ){3,4}\d{1,20}\r?\n|GetNext\w* \d{1,20} \d{1,20} \d{1,20}\r?\n?")


class MindSporeTimeline(Reader):
    """The timeline of a run, ``trace_view.json``: a list of events with texts as times and an empty category."""

    name = "mindspore_timeline"
    recorder = MINDSPORE
    kind = TRACE
    suffixes = ()

    def recognise(self, beginning: Beginning) -> Match | None:
        text = beginning.first.lstrip(b"\xef\xbb\xbf \r\n\t")
        known = text[:1] == b"[" and _PROCESS.search(text)
        return Match(self.kind, self.recorder, self.name, framework=MINDSPORE) if known else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.mindspore.timeline import TimelineReading

        return TimelineReading(given)


class MindSporeFolder(Reader):
    """The folder of a run: ``HOST_PID_TIME_ascend_ms`` since 2.5, on any device; before, ``profiler``."""

    name = "mindspore"
    recorder = MINDSPORE
    kind = TRACE
    suffixes = ()

    def recognise(self, beginning: Beginning) -> Match | None:
        return None

    def recognise_folder(self, name: str, entries: Sequence[str]) -> Match | None:
        is_run = bool(_RUN.search(name)) and not _BELOW.isdisjoint(entries)
        if not (is_run or devices(entries, RAW)):
            return None
        ranks = max(1, len(devices(entries, (*RAW, *PIPELINE))))
        return Match(self.kind, self.recorder, self.name, framework=MINDSPORE, ranks=ranks)

    def job_facts(self, folder: str) -> dict[str, Any]:
        from stepscope.readers.mindspore.job import said_of

        return {"distributedInfo": said_of(folder)}

    def read(self, given: Input) -> Reading:
        from stepscope.readers.mindspore.folder import FolderReading

        return FolderReading(given, self.recorder)


class MindDataFolder(Reader):
    """A folder with what MindData, the data engine of MindSpore, recorded.

    Runs whose pipeline that is may lie in it: each is a recording of its own.
    """

    name = "minddata"
    recorder = MINDDATA
    kind = INPUT_PIPELINE
    suffixes = ()

    def recognise(self, beginning: Beginning) -> Match | None:
        return None

    def recognise_folder(self, name: str, entries: Sequence[str]) -> Match | None:
        ranks = len(devices(entries, PIPELINE))
        known = Match(self.kind, self.recorder, self.name, framework=MINDSPORE, ranks=max(1, ranks))
        return known if ranks else None

    def runs_among(self, entries: Sequence[str]) -> list[str]:
        return sorted(name for name in entries if _RUN.search(name))

    def read(self, given: Input) -> Reading:
        from stepscope.readers.mindspore.folder import FolderReading

        return FolderReading(given, self.recorder)


class MindDataFile(Reader):
    """One file of MindData: its pipeline, the use of CPUs, or one of its queues."""

    name = "minddata_file"
    recorder = MINDDATA
    kind = INPUT_PIPELINE
    suffixes = ()

    def recognise(self, beginning: Beginning) -> Match | None:
        part = parts_of(beginning.source.name)
        if part is None or part[0] not in PIPELINE:
            return None
        first = beginning.first
        begins = _QUEUE_LINE.match(first) or (
            first.lstrip()[:1] == b"{" and (_PIPELINE_KEYS.search(first) or _CPU_KEYS.match(first.lstrip()))
        )
        return Match(self.kind, self.recorder, self.name, framework=MINDSPORE) if begins else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.mindspore.folder import FolderReading

        return FolderReading(given, self.recorder)
