"""Recognise logs of NCCL Inspector.

Format: an object a line for each collective or message that a process completed; one file a process, which may hold
several communicators (``plugins/profiler/inspector`` of NCCL). Seen: none of a real job; made: v4.0, as its page
describes it.
Read: operation, communicator, place in it, number, size, time, bandwidths. Ignored: host, events of verbose mode.
"""

from __future__ import annotations

import re

from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import COMMUNICATION_LOG, Input, Match, Reader, Reading

RECORDER = "NCCL Inspector"
_BEGINS = re.compile(rb'\s*\{\s*"header"\s*:\s*\{[^{}]{0,2000}"n_ranks"')
_PERFORMANCE = re.compile(rb'"(?:coll|p2p)_perf"')


class NcclInspector(Reader):
    """``NCCL_INSPECTOR_ENABLE=1``, in the folder NCCL_INSPECTOR_DUMP_DIR."""

    name = "nccl_inspector"
    recorder = RECORDER
    kind = COMMUNICATION_LOG
    suffixes = (".log", ".jsonl", ".log.gz")

    def recognise(self, beginning: Beginning) -> Match | None:
        first = beginning.first
        known = _BEGINS.match(first) is not None and _PERFORMANCE.search(first) is not None
        return Match(self.kind, self.recorder, self.name) if known else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.nccl_inspector.reading import LogReading

        return LogReading(given)
