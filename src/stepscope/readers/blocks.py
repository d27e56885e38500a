"""Cut a stream into blocks that end between two events, so that they can be scanned in parallel."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stepscope.numeric.bytescan import PADDING
from stepscope.numeric.scanner import last_boundary
from stepscope.readers.sources import Stream

BLOCK_BYTES = 2 << 20
MAX_EVENT_BYTES = 64 << 20
"""A stretch of this length without the end of an event is damage, not an event."""


@dataclass
class Block:
    """Bytes ``buf[start:stop]``; ``final`` when the stream ends with them. ``buf`` is padded."""

    buf: npt.NDArray[np.uint8]
    start: int
    stop: int
    final: bool


class Buffers:
    """Reuses block buffers, so that memory does not grow with the file."""

    def __init__(self) -> None:
        self._free: deque[npt.NDArray[np.uint8]] = deque()

    def take(self, size: int) -> npt.NDArray[np.uint8]:
        if self._free and len(self._free[0]) >= size + PADDING:
            return self._free.popleft()
        return np.zeros(size + PADDING, np.uint8)

    def give(self, buf: npt.NDArray[np.uint8]) -> None:
        if len(buf) <= 2 * BLOCK_BYTES + PADDING:
            self._free.append(buf)


def read_blocks(stream: Stream, buffers: Buffers, head: bytes, block_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
    """Yield the bytes ``head`` and all that follow, cut at event boundaries where there are any.

    A block without a boundary is given out whole; the scanner then reports where its last event began.
    """
    carry = np.frombuffer(head, np.uint8)
    while True:
        kept = len(carry)
        buf = buffers.take(max(2 * block_bytes, kept + block_bytes))
        buf[:kept] = carry
        room = max(block_bytes - kept, block_bytes // 2)
        count = stream.read_into(memoryview(buf)[kept : kept + room])
        stop = kept + count
        buf[stop : stop + PADDING] = 0
        if count < room:
            yield Block(buf, 0, stop, True)
            return
        cut = int(last_boundary(buf, 0, stop))
        if cut < 0:
            cut = stop
        carry = buf[cut:stop].copy()
        yield Block(buf, 0, cut, False)
