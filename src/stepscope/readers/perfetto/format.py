"""Recognise Perfetto traces; `readers.perfetto.reading` reads them."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import TRACE, Input, Match, Reader, Reading
from stepscope.readers.perfetto.fields import varint

_LOOKED_AT = 3
_PACKET = 0x0A
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_NUMBERS = {3, 8, 10, 13, 41, 42, 58, 79, 87, 98}
"""Fields of a packet that are numbers; all others are messages or texts."""

_TELLING = {6, 8, 10, 13, 33, 36, 50, 58, 59, 60, 87, 89}
"""Fields one of which every packet has."""

_MOST_FIELD = 2000
_LONG = 4096
"""Of a packet that goes on behind what is looked at, so many bytes must be fields."""


class Perfetto(Reader):
    """A Perfetto trace, plain or gzip, as PyTorch, rocprofv3, wprof and Perfetto's own tools write it."""

    name = "perfetto"
    recorder = "Perfetto"
    kind = TRACE
    suffixes = (
        *(".pftrace", ".pftrace.gz"),
        *(".perfetto-trace", ".perfetto-trace.gz", ".perfetto", ".perfetto.gz"),
    )

    def recognise(self, beginning: Beginning) -> Match | None:
        if not looks_like_packets(beginning.first):
            return None
        return Match(self.kind, self.recorder, self.name, ranks=None)

    def read(self, given: Input) -> Reading:
        from stepscope.readers.perfetto.reading import PerfettoReading

        if given.stream is None:
            tried = Message("error-cannot-read", path=given.source.path)
            raise UnreadableInput(tried, Message("reader-folder"), Message("reader-name-file-in-it"))
        return PerfettoReading(given, given.stream)


def looks_like_packets(data: bytes) -> bool:
    """Whether bytes begin with packets: in Python, because a list of runs must not wait for compiled code."""
    at, seen = 0, 0
    while seen < _LOOKED_AT and at < len(data):
        if data[at] != _PACKET:
            return False
        size, start = varint(data, at + 1)
        if start < 0 or not _is_packet(data[start : start + size], start + size <= len(data)):
            return False
        at, seen = start + size, seen + 1
    return seen > 0


def _is_packet(data: bytes, whole: bool) -> bool:
    """Whether bytes are the fields of a packet, or, of one that is cut, begin with them."""
    numbers = set()
    for number, wire, ends in _fields(data):
        expected = wire == _VARINT if number in _NUMBERS else wire != _VARINT
        if number < 1 or number > _MOST_FIELD or not expected or (whole and not ends):
            return False
        numbers.add(number)
    return bool(numbers & _TELLING) or (not whole and len(data) > _LONG)


def _fields(data: bytes) -> Iterator[tuple[int, int, bool]]:
    """Number and wire type of each field, and whether it ends within the bytes; number 0 for what is none."""
    at = 0
    while 0 <= at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if at >= 0 and wire == _VARINT:
            _, at = varint(data, at)
        elif at >= 0 and wire == _BYTES:
            size, at = varint(data, at)
            at = at + size if at >= 0 else at
        elif at >= 0 and wire in (_FIXED64, _FIXED32):
            at += 8 if wire == _FIXED64 else 4
        else:
            number = 0
        yield number, wire, 0 <= at <= len(data)
