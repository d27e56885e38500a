"""Formats of recordings that stepscope knows and does not read yet: named wherever they lie, never opened.

They are known by their first bytes or by the names in a folder: nothing is executed. A reader of one of them takes its
place here and goes to `readers.registry`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stepscope.messages import Message
from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import INPUT_PIPELINE, TRACE, Format, Match

_MINDSPORE_FOLDER = re.compile(r"_ascend_ms$")
_MINDSPORE_FILE = re.compile(
    r"^(minddata_pipeline|profiler_info|ascend_timeline_display|gpu_timeline_display|cpu_timeline_display)"
    r"(_raw|_summary)?_\d+\.(json|txt|csv)$"
)


_ROCPROF_SUMS = re.compile(rb'^"?Name"?,"?Calls"?,"?TotalDurationNs|^"?Correlation_Id"?,"?Dispatch_Id"?,.*Counter_Name')


class DerivedMindSpore(Format):
    """Output folders of MindSpore's profiler with nothing but what it derives from its own files, or with nothing."""

    name = "mindspore_derived"
    recorder = "MindSpore"
    kind = INPUT_PIPELINE
    suffixes = ()

    def recognise(self, beginning: Beginning) -> Match | None:
        return None

    def recognise_folder(self, name: str, entries: Sequence[str]) -> Match | None:
        if not _MINDSPORE_FOLDER.search(name) and not any(_MINDSPORE_FILE.match(entry) for entry in entries):
            return None
        return _unread(self, "reader-unread-mindspore", "MindSpore")


class RocprofSums(Format):
    """CSV of rocprofv3 with sums (``--stats``) or counters (``--pmc``), which no name promises."""

    name = "rocprof_sums"
    recorder = "rocprofv3"
    kind = TRACE
    suffixes = ()

    def recognise(self, beginning: Beginning) -> Match | None:
        header = beginning.first.split(b"\n", 1)[0]
        return _unread(self, "reader-unread-rocprof") if _ROCPROF_SUMS.match(header) else None


def _unread(format_: Format, reason: str, framework: str = "") -> Match:
    return Match(format_.kind, format_.recorder, format_.name, Message(reason), False, framework)
