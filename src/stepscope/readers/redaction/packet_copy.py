"""A copy of a Perfetto trace: the packets that are read, without command lines and what tells of the machine.

Names keep their lengths when they are hidden, so that no message around them has to change.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.perfetto.fields import Field, fields_of, varint
from stepscope.readers.redaction.hiding import Hiding
from stepscope.readers.redaction.told import KEYS, is_told
from stepscope.readers.sources import Stream

_PIECE = 4 << 20
_LONGEST = 64 << 20
_PACKET, _BYTES = 0x0A, 2
_SEQUENCE, _NUMBERS, _EVENT, _TRACK, _PACKED, _TIMED = 10, 12, 11, 60, 50, 8
_KEPT = {6, _TIMED, _SEQUENCE, _EVENT, _NUMBERS, 13, 41, 42, 52, 53, 58, 59, _TRACK, 87}
"""Fields of packets: snapshots of clocks, events, tracks, numbered texts, GPU work and counters, what packets share."""

_SAYS = {6, _EVENT, _NUMBERS, 52, 53, 59, _TRACK}
"""Fields without one of which a packet says nothing."""

_ANNOTATIONS, _ANNOTATION_NAMES, _NAME, _NAMED = 4, 3, 10, 1
_PROCESS, _COMMAND = 3, 2
_NAMED_IN_FULL = re.compile(rb"\x52[\x01-\x40](?i:" + KEYS + rb")")
"""The name of an annotation that tells of the machine: its key, its length, itself."""

_VALUES = {2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 17}


class PacketCopy:
    """One copy.

    Attributes:
        packets, left_out: that were copied, and that were not.
        arguments: annotations that were emptied.
        whole: whether the trace was read to its end.
    """

    def __init__(self, stream: Stream, hiding: Hiding) -> None:
        self.packets = self.left_out = self.arguments = 0
        self.whole = True
        self._stream, self._hiding = stream, hiding
        self._told: set[tuple[int, int]] = set()
        """Numbers of the names of annotations that tell of the machine, by sequence."""
        self._telling: set[int] = set()
        """Sequences that have, or had, such numbers."""

    def pieces(self) -> Iterator[bytes]:
        """The copy, packet by packet.

        Raises:
            UnreadableInput: it is no trace, or damaged.
        """
        buffer, held = bytearray(_PIECE), b""
        while count := self._stream.read_into(memoryview(buffer)):
            held += bytes(buffer[:count])
            at = 0
            while (found := self._next(held, at)) is not None:
                packet, at = found
                yield from self._copied(packet)
            held = held[at:]
        self.whole = not held and self._stream.damage is None

    def _next(self, data: bytes, at: int) -> tuple[bytes, int] | None:
        """The packet that lies whole at a place, and what is behind it."""
        if at >= len(data):
            return None
        size, start = varint(data, at + 1)
        if data[at] != _PACKET or size > _LONGEST:
            tried = Message("error-cannot-redact", path=self._stream.source.path)
            raise UnreadableInput(
                tried,
                Message("reader-packets-broken", packets=self.packets + self.left_out),
                Message("reader-record-again"),
            )
        if start < 0 or start + size > len(data):
            return None
        return data[start : start + size], start + size

    def _copied(self, packet: bytes) -> Iterator[bytes]:
        """The packet without what is not read; those in a compressed one come one by one."""
        fields = fields_of(packet)
        packed = next((one.content for one in fields if one.number == _PACKED and isinstance(one.content, bytes)), None)
        if packed is not None:
            yield from self._inflated(packed)
            return
        kept = [one for one in fields if one.number in _KEPT]
        if not any(one.number in _SAYS for one in kept):
            self.left_out += 1
            return
        sequence = next((one.content for one in kept if one.number == _SEQUENCE and isinstance(one.content, int)), 0)
        for one in kept:
            if one.number == _NUMBERS:
                self._learn(one.content, sequence)
        body = self._hiding.hidden(b"".join(self._field(one, sequence) for one in kept))
        self.packets += 1
        yield lengthed(_PACKET, body)

    def _inflated(self, packed: bytes) -> Iterator[bytes]:
        inflating = zlib.decompressobj()
        try:
            plain = inflating.decompress(packed, _LONGEST)
        except zlib.error:
            plain = b""
        at = 0
        while (found := self._next(plain, at)) is not None:
            packet, at = found
            yield from self._copied(packet)
        self.whole &= bool(plain) and at == len(plain) and inflating.eof

    def _learn(self, numbers: int | bytes, sequence: int) -> None:
        for one in fields_of(numbers):
            entry = {part.number: part.content for part in fields_of(one.content)}
            name, number = entry.get(2), entry.get(1)
            if one.number == _ANNOTATION_NAMES and isinstance(number, int):
                told = isinstance(name, bytes) and is_told(name)
                (self._told.add if told else self._told.discard)((sequence, number))
                self._telling |= {sequence} if told else set()

    def _field(self, field: Field, sequence: int) -> bytes:
        if field.number == _EVENT:
            return lengthed(field.key, self._event(field.content, sequence))
        if field.number == _TRACK:
            return lengthed(field.key, self._without(field.content, {_PROCESS: {_COMMAND}}))
        return field.raw

    def _event(self, event: int | bytes, sequence: int) -> bytes:
        # Most events say nothing of the machine, and need not be taken apart.
        if isinstance(event, bytes) and sequence not in self._telling and _NAMED_IN_FULL.search(event) is None:
            return event
        return b"".join(
            lengthed(one.key, self._annotation(one.content, sequence)) if one.number == _ANNOTATIONS else one.raw
            for one in fields_of(event)
        )

    def _annotation(self, annotation: int | bytes, sequence: int) -> bytes:
        parts = fields_of(annotation)
        told = any(
            (one.number == _NAME and isinstance(one.content, bytes) and is_told(one.content))
            or (one.number == _NAMED and (sequence, one.content) in self._told)
            for one in parts
        )
        self.arguments += told
        kept = (one for one in parts if not (told and one.number in _VALUES))
        return b"".join(
            lengthed(one.key, self._annotation(one.content, sequence)) if one.number in (11, 12) else one.raw
            for one in kept
        )

    @staticmethod
    def _without(message: int | bytes, inner: dict[int, set[int]]) -> bytes:
        """A message without some fields of the messages in it."""
        parts = []
        for one in fields_of(message):
            left_out = inner.get(one.number)
            if left_out is None:
                parts.append(one.raw)
            else:
                own = (part.raw for part in fields_of(one.content) if part.number not in left_out)
                parts.append(lengthed(one.key, b"".join(own)))
        return b"".join(parts)


def lengthed(key: int, body: bytes) -> bytes:
    """A field whose value is bytes."""
    return _written(key) + _written(len(body)) + body


def _written(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])
