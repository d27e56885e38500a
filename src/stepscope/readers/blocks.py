"""Cut a stream into blocks that end between two events, so that they can be scanned in parallel."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stepscope.numeric.boundaries import last_boundary
from stepscope.numeric.bytescan import PADDING
from stepscope.readers.sources import Stream

BLOCK_BYTES = 2 << 20


@dataclass
class Block:
    """Bytes ``buf[start:stop]``; ``final`` when the stream ends with them. ``buf`` is padded."""

    buf: npt.NDArray[np.uint8]
    start: int
    stop: int
    final: bool


class Buffers:
    """Reuses block buffers, so that memory does not grow with the file."""

    def __init__(self, block_bytes: int = BLOCK_BYTES) -> None:
        self.block_bytes = block_bytes
        self._size = 2 * block_bytes + PADDING
        self._free: deque[npt.NDArray[np.uint8]] = deque()

    def take(self, size: int) -> npt.NDArray[np.uint8]:
        """A buffer for ``size`` bytes and the padding; its content is left over from earlier use."""
        if size + PADDING > self._size:
            return np.zeros(size + PADDING, np.uint8)
        return self._free.popleft() if self._free else np.zeros(self._size, np.uint8)

    def give(self, buf: npt.NDArray[np.uint8]) -> None:
        """Take back a buffer that nobody reads any more; those of odd size are dropped."""
        if len(buf) == self._size:
            self._free.append(buf)


def read_blocks(stream: Stream, buffers: Buffers, head: bytes) -> Iterator[Block]:
    """Yield the bytes ``head`` and all that follow, cut at event boundaries where there are any.

    A block without a boundary is given out whole; the scanner then reports where its last event began.
    """
    block_bytes = buffers.block_bytes
    carry = np.frombuffer(head, np.uint8)
    while True:
        kept = len(carry)
        room = max(block_bytes - kept, block_bytes // 2, 1)
        buf = buffers.take(kept + room)
        buf[:kept] = carry
        count = stream.read_into(buf.data[kept : kept + room])
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
