"""Recognise what the profilers of Ascend NPUs write: the folder of a run, and its timeline alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from stepscope.readers.ascend.job import said_of
from stepscope.readers.ascend.names import ANALYSED, DATABASE, INFO, ON_DEVICE, ON_HOST, OUTPUT, RUN, VIEW
from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import TRACE, Input, Match, Reader, Reading

TORCH_NPU, MINDSPORE = "torch_npu", "MindSpore"
_TIME = re.compile(rb'"ts"\s*:\s*"\d{16}(?:\.\d{1,3})?"')
_PROCESS = re.compile(rb'"process_name"[^{}]{0,200}\{\s*"name"\s*:\s*"(?:Ascend Hardware|CANN|Overlap Analysis)"')


_MAGIC, _TABLES = b"SQLite format 3\0", (b"STRING_IDS", b"COMPUTE_TASK_INFO")


class AscendTimeline(Reader):
    """The timeline of a run, ``trace_view.json``: a list of events whose times are texts of 16 digits."""

    name = "ascend_timeline"
    recorder = TORCH_NPU
    kind = TRACE
    suffixes = ()

    def recognise(self, beginning: Beginning) -> Match | None:
        text = beginning.first.lstrip(b"\xef\xbb\xbf \r\n\t")
        known = text[:1] == b"[" and (_TIME.search(text) or _PROCESS.search(text))
        return Match(self.kind, self.recorder, self.name, framework="PyTorch") if known else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.ascend.timeline import TimelineReading

        return TimelineReading(given, self.recorder)


class AscendDatabaseFile(Reader):
    """The database form of a run, ``ascend_pytorch_profiler_RANK.db`` or ``msprof_TIME.db``, alone."""

    name = "ascend_database"
    recorder = TORCH_NPU
    kind = TRACE
    suffixes = (".db",)

    def recognise(self, beginning: Beginning) -> Match | None:
        if not beginning.first.startswith(_MAGIC):
            return None
        # A long list of tables goes on behind other pages.
        if not all(any(word in piece for piece in beginning.pieces()) for word in _TABLES):
            return None
        return Match(self.kind, self.recorder, self.name, framework="PyTorch")

    def read(self, given: Input) -> Reading:
        from stepscope.readers.ascend.folder import FolderReading

        return FolderReading(given, self.recorder)


class AscendFolder(Reader):
    """The folder of a run on an NPU: ``NAME_PID_TIME_ascend_pt``, or ``..._ascend_ms``, which MindSpore writes.

    The folder in it that holds the analysed files is the same run. What MindSpore recorded on a CPU, so without the
    files of a device, is not of this format.
    """

    name = "ascend"
    recorder = TORCH_NPU
    kind = TRACE
    suffixes = ()

    def recognise(self, beginning: Beginning) -> Match | None:
        return None

    def recognise_folder(self, name: str, entries: Sequence[str]) -> Match | None:
        has_info = any(INFO.fullmatch(entry) for entry in entries)
        has_raw = [any(entry.startswith(beginning) for entry in entries) for beginning in (ON_HOST, ON_DEVICE)]
        is_output = VIEW in entries and not ANALYSED.isdisjoint(entries)
        is_output = is_output or any(DATABASE.fullmatch(entry) for entry in entries)
        if _by_mindspore(name):
            is_run = has_raw[1] and (OUTPUT in entries or has_raw[0])
            return Match(self.kind, MINDSPORE, self.name, framework=MINDSPORE) if is_run else None
        is_run = OUTPUT in entries or any(has_raw) if RUN.search(name) else OUTPUT in entries and has_info
        return Match(self.kind, self.recorder, self.name, framework="PyTorch") if is_run or is_output else None

    def job_facts(self, folder: str) -> dict[str, Any]:
        return {"distributedInfo": said_of(folder)}

    def read(self, given: Input) -> Reading:
        from stepscope.readers.ascend.folder import FolderReading

        return FolderReading(given, MINDSPORE if _by_mindspore(given.source.name) else TORCH_NPU)


def _by_mindspore(folder: str) -> bool:
    run = RUN.search(folder)
    return run is not None and run[1] == "ms"
