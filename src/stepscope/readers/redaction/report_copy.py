"""Copies of reports of Nsight Compute that hold what their reader reads, except code and source lines, and no more.

The environment, the command line, the host, the code and what is not read here are left out; names are hidden in what
stays, which keeps its length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from stepscope.readers.ncu.blocks import KERNEL, RANGE, Blocks, CutReport
from stepscope.readers.ncu.fields import Allowed, Fields, MalformedReport, field_of, varint
from stepscope.readers.ncu.format import MAGIC
from stepscope.readers.redaction.hiding import Hiding
from stepscope.readers.sources import Stream

_SESSION, _STRINGS, _PAYLOAD, _PROCESS = 3, 4, 5, 6
_DEVICE: Allowed = {1: None, 2: None, 3: {1: None, 2: {5: None}}}
_HEADER: Allowed = {_SESSION: {6: _DEVICE, 8: {1: None, 2: None}}, _STRINGS: {1: None}}
_SIZES: Allowed = {1: None, 2: None, 3: None}
_SAID: Allowed = {1: None, 2: None, 4: None}
_RULE: Allowed = {1: None, 2: None, 3: {1: {1: _SAID, 10: {1: None, 2: None}}}, 4: None}
_METRIC: Allowed = {1: None, 2: None, 3: None, 4: None}
_KERNEL: Allowed = {
    **dict.fromkeys((5, 6, 7, 14, 22, 23)),
    10: _SIZES,
    11: _SIZES,
    13: _METRIC,
    17: {1: None},
    19: _RULE,
}
_RANGE: Allowed = {4: _METRIC, 5: None, 7: {1: None}, 11: None, 20: _RULE}
_RESULTS = {KERNEL: (2, _KERNEL), RANGE: (7, _RANGE)}
"""Of each kind of results that is read: the field of the header that counts it, and what is copied of one."""


class ReportCopy:
    """One copy.

    Args:
        stream: the report, at its start.

    Attributes:
        kernels: how many of them, and of ranges, were copied.
        left_out: files of code, results that are not read, and kernels that are damaged.
        whole: whether the report was read to its end.
    """

    def __init__(self, stream: Stream, hiding: Hiding) -> None:
        self.kernels = self.left_out = 0
        self.whole = True
        self._blocks, self._hiding = Blocks(stream), hiding

    def pieces(self) -> Iterator[bytes]:
        """The bytes of the copy.

        Raises:
            MalformedReport: it is no report, or one of its headers is damaged.
        """
        try:
            head = self._blocks.begin()
            yield MAGIC + _lengthed(head.copied({1: None}))
            for header in self._blocks.headers():
                yield self._block(header)
        except CutReport:
            self.whole = False

    def _block(self, header: Fields) -> bytes:
        results = self._results(header)
        payload = b"".join(one for kind in _RESULTS for one in results[kind])
        process = header.part(_PROCESS)
        name = process.text(3).replace("\\", "/").rpartition("/")[2].encode()
        own = header.copied(_HEADER) + field_of(_PROCESS, process.copied({1: None}) + field_of(3, name))
        counts = b"".join(_number(place, len(results[kind])) for kind, (place, _) in _RESULTS.items())
        counts += _number(_PAYLOAD, len(payload))
        return _lengthed(self._hiding.hidden(own) + counts) + payload

    def _results(self, header: Fields) -> dict[str, list[bytes]]:
        """The kernels and ranges of a block."""
        found: dict[str, list[bytes]] = {kind: [] for kind in _RESULTS}
        try:
            for kind, message in self._blocks.messages(header):
                if kind not in _RESULTS or message is None:
                    self.left_out += 1
                    continue
                try:
                    copy = Fields(message).copied(_RESULTS[kind][1])
                except MalformedReport:
                    self.left_out += 1
                    continue
                found[kind].append(_lengthed(self._hiding.hidden(copy)))
        except CutReport:
            self.whole = False
        self.kernels += sum(map(len, found.values()))
        return found


def _number(place: int, value: int) -> bytes:
    return varint(place << 3) + varint(value)


def _lengthed(message: bytes) -> bytes:
    return struct.pack("<I", len(message)) + message
