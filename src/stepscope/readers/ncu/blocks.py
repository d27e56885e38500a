"""The blocks of a report: each a header, then messages, each behind its length.

A report begins with `format.MAGIC` and a header; the blocks follow. Strings are numbered through all blocks.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stepscope.readers.ncu.fields import Bytes, Fields, MalformedReport
from stepscope.readers.ncu.format import MAGIC
from stepscope.readers.sources import Stream

SOURCE, KERNEL, RANGE, COMMANDS, GRAPH = "source", "kernel", "range", "command_list", "graph"
_COUNTS = {SOURCE: 1, KERNEL: 2, RANGE: 7, COMMANDS: 8, GRAPH: 9}
"""Kinds of messages behind a block's header, in their order, and the field of the header that counts each."""

_PAYLOAD = 5
_LENGTH = 4
_PIECE = 1 << 20
_LARGEST_HEADER = 256 << 20


class CutReport(EOFError):
    """The report ends within a block."""


class Blocks:
    """The blocks of a report, one pass.

    Args:
        stream: at its start.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def begin(self) -> Fields:
        """The header of the file.

        Raises:
            MalformedReport: it is no report.
        """
        if self._take(len(MAGIC)).tobytes() != MAGIC:
            raise MalformedReport("it begins otherwise")
        return Fields(self._take(self._length(_LARGEST_HEADER)))

    def headers(self) -> Iterator[Fields]:
        """The header of each block; take its `messages` before the next.

        Raises:
            CutReport: it ends within one.
            MalformedReport: one is damaged.
        """
        while self._stream.peek(1):
            yield Fields(self._take(self._length(_LARGEST_HEADER)))

    def messages(self, header: Fields, code: bool = False) -> Iterator[tuple[str, Bytes | None]]:
        """The kind and the bytes of each message of a block.

        Args:
            code: whether to take those of sources, too; else they are skipped, and come as None.

        Raises:
            CutReport: the file ends within one.
            MalformedReport: they are longer than their block.
        """
        left = header.whole(_PAYLOAD) or 0
        for kind, number in _COUNTS.items():
            for _ in range(header.whole(number) or 0):
                size = self._length(left - _LENGTH)
                left -= _LENGTH + size
                if kind == SOURCE and not code:
                    self._skip(size)
                    yield kind, None
                else:
                    yield kind, self._take(size)
        self._skip(left)

    def _length(self, most: int) -> int:
        """The length of the next message.

        Raises:
            MalformedReport: it is more than it may be.
        """
        size = int(self._take(_LENGTH).view("<u4")[0]) if most >= 0 else 1
        if size > most:
            raise MalformedReport("a message is longer than its block")
        return size

    def _take(self, count: int) -> Bytes:
        """The next bytes; memory grows with what there is, not with what a length promises."""
        data = bytearray(min(count, _PIECE))
        filled = 0
        while True:
            with memoryview(data) as view, view[filled:] as free:
                filled += self._stream.read_into(free)
            if filled < len(data):
                raise CutReport
            if filled == count:
                return np.frombuffer(data, np.uint8)
            data += bytes(min(count - filled, filled))

    def _skip(self, count: int) -> None:
        room = memoryview(bytearray(min(count, _PIECE)))
        while count > 0:
            taken = self._stream.read_into(room[:count])
            if taken == 0:
                raise CutReport
            count -= taken
