"""Recognise dumps of PyTorch's flight recorder.

Format: what ``torch.distributed`` writes when a collective times out, one file for each process, named by a prefix and
the rank (``torch/csrc/distributed/c10d/FlightRecorder.hpp``); a pickle of plain values, or JSON without stacks. Seen:
version 2.10, by gloo; made: as NCCL writes it, and the oldest form.
Read: every collective and message, groups, the last collectives of each group. Ignored: state of NCCL's communicators.
"""

from __future__ import annotations

import re

from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import FLIGHT_RECORDER, Input, Match, Reader, Reading

RECORDER = "flight recorder"

_PICKLES = tuple(bytes([0x80, protocol]) for protocol in (2, 3, 4, 5))
_WORDS = (b"pg_config", b"pg_status", b"profiling_name", b"collective_seq_id")
_ENOUGH = 2
_NAME = re.compile(r"(?i)^[^.]*(?:trace|rank|dump|nccl|hccl|xccl|rccl|flight|fr)[^.]*?\d{1,6}$")
"""Names of dumps have no ending: a prefix that can be set, and the rank."""


class _Dump(Reader):
    """A dump, which enough of the words of its keys tell."""

    recorder = RECORDER
    kind = FLIGHT_RECORDER

    def _recognised(self, beginning: Beginning) -> Match | None:
        words = sum(word in beginning.first for word in _WORDS)
        return Match(self.kind, self.recorder, self.name, framework="PyTorch") if words >= _ENOUGH else None


class FlightRecorderPickle(_Dump):
    """What a watchdog writes, or ``torch._C._distributed_c10d._dump_nccl_trace()`` returns."""

    name = "flight_recorder"
    suffixes = (".pickle", ".pkl")

    def promises(self, name: str) -> bool:
        return _NAME.match(name) is not None or super().promises(name)

    def recognise(self, beginning: Beginning) -> Match | None:
        return self._recognised(beginning) if beginning.first.startswith(_PICKLES) else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.flight_recorder.pickled import pickled
        from stepscope.readers.flight_recorder.reading import DumpReading

        return DumpReading(given, pickled)


class FlightRecorderJson(_Dump):
    """``torch._C._distributed_c10d._dump_nccl_trace_json()``, also through the debug server."""

    name = "flight_recorder_json"
    suffixes = (".json",)

    def recognise(self, beginning: Beginning) -> Match | None:
        first = beginning.first
        if not first.lstrip().startswith(b"{") or b'"traceEvents"' in first:
            return None
        return self._recognised(beginning)

    def read(self, given: Input) -> Reading:
        from stepscope.readers.flight_recorder.json_text import from_json
        from stepscope.readers.flight_recorder.reading import DumpReading

        return DumpReading(given, from_json)
