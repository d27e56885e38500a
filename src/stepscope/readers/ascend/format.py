"""Recognise what the profilers of Ascend NPUs write: the folder of a run, and its timeline alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stepscope.readers.ascend.names import ANALYSED, INFO, OUTPUT, RAW, RUN, VIEW
from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import TRACE, Input, Match, Reader, Reading

TORCH_NPU, MINDSPORE = "torch_npu", "MindSpore"
_TIME = re.compile(rb'"ts"\s*:\s*"\d{16}(?:\.\d{1,3})?"')
_PROCESS = re.compile(rb'"process_name"[^{}]{0,200}\{\s*"name"\s*:\s*"(?:Ascend Hardware|CANN|Overlap Analysis)"')


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


class AscendFolder(Reader):
    """The folder of a run on an NPU: ``NAME_PID_TIME_ascend_pt``, or ``..._ascend_ms``, which MindSpore writes.

    The folder in it that holds the analysed files is the same run. A run of MindSpore on a CPU, which has no file that
    says the rank, is not of this format.
    """

    name = "ascend"
    recorder = TORCH_NPU
    kind = TRACE
    suffixes = ()

    def recognise(self, beginning: Beginning) -> Match | None:
        return None

    def recognise_folder(self, name: str, entries: Sequence[str]) -> Match | None:
        run = RUN.search(name)
        has_info = any(INFO.fullmatch(entry) for entry in entries)
        is_run = run is not None and (OUTPUT in entries or any(entry.startswith(RAW) for entry in entries))
        is_run = is_run and (has_info or (run is not None and run[1] == "pt"))
        named = has_info and OUTPUT in entries
        is_output = name == OUTPUT and VIEW in entries and not ANALYSED.isdisjoint(entries)
        by_mindspore = run is not None and run[1] == "ms"
        framework, recorder = ("MindSpore", MINDSPORE) if by_mindspore else ("PyTorch", TORCH_NPU)
        known = Match(self.kind, recorder, self.name, framework=framework)
        return known if is_run or named or is_output else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.ascend.folder import FolderReading

        run = RUN.search(given.source.name)
        return FolderReading(given, MINDSPORE if run is not None and run[1] == "ms" else TORCH_NPU)
