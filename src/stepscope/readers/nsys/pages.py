"""The pages of a database file, read as they are wanted.

They are read and not mapped into memory: a file that grows shorter meanwhile would end the process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from stepscope.messages import Message
from stepscope.numeric.bytescan import PADDING
from stepscope.numeric.sqlite_rows import Layout, is_leaf, pages_below

_HEAD_BYTES = 100
_BATCH_BYTES = 4 << 20
_DEEPEST = 20
_UTF_8 = 1


class Pages:
    """The pages of a file, numbered from 1.

    Attributes:
        layout: of its pages; of 0 bytes where the file does not say it soundly.
        is_utf_8: whether texts are UTF-8.
        is_whole: whether the last call of `leaves` met no damage.
        damage: None, or why pages may be missing.
    """

    def __init__(self, path: str) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115, closed by `close`
        head = self._file.read(_HEAD_BYTES).ljust(_HEAD_BYTES, b"\0")
        self.layout = _layout(head)
        self.is_utf_8 = int.from_bytes(head[56:60], "big") == _UTF_8
        self.is_whole = False
        size = os.fstat(self._file.fileno()).st_size
        self._pages = size // self.layout.page if self.layout.page else 0
        self.damage = _damage(path, int.from_bytes(head[28:32], "big") > self._pages)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def leaves(self, root: int) -> Iterator[tuple[npt.NDArray[np.uint8], int]]:
        """The pages with a table's rows, in order, in batches: their bytes and `PADDING` more, and their number."""
        self.is_whole = False
        numbers = self._leaf_numbers(root)
        each = max(1, _BATCH_BYTES // max(1, self.layout.page))
        for first in range(0, len(numbers), each):
            some = numbers[first : first + each]
            block = self._read(some)
            if block is None:
                return
            yield block, len(some)
        self.is_whole = len(numbers) > 0

    def _leaf_numbers(self, root: int) -> npt.NDArray[np.int64]:
        """Numbers of the leaves, which lie at one depth; none where the tree is damaged."""
        level = np.array([root], np.int64)
        nothing = level[:0]
        for _ in range(_DEEPEST):
            first = self._read(level[:1])
            if first is None or is_leaf(first):
                return nothing if first is None else level
            block = self._read(level)
            below = None if block is None else pages_below(block, len(level), self.layout)
            if below is None or not 0 < len(below) <= self._pages:
                return nothing
            level = below
        return nothing

    def _read(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8] | None:
        """The bytes of some pages and `PADDING` more; None where one lies outside the file."""
        page = self.layout.page
        if page == 0 or numbers.min() < 1 or numbers.max() > self._pages:
            return None
        block = np.zeros(len(numbers) * page + PADDING, np.uint8)
        # Pages of a table mostly lie in a row: each row is read at once.
        starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 2) != 1)
        for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(numbers)], strict=True):
            self._file.seek((int(numbers[start]) - 1) * page)
            if not self._fill(block.data[start * page : end * page]):
                return None
        return block

    def _fill(self, view: memoryview) -> bool:
        filled = 0
        while filled < len(view):
            count = self._file.readinto(view[filled:])
            if not count:
                return False
            filled += count
        return True


def _layout(head: bytes) -> Layout:
    page = int.from_bytes(head[16:18], "big")
    page = 65536 if page == 1 else page
    is_sound = page >= 512 and page & (page - 1) == 0 and page - head[20] >= 480
    return Layout(page, page - head[20]) if is_sound else Layout(0, 0)


def _damage(path: str, is_cut: bool) -> Message | None:
    if is_cut:
        return Message("reader-database-cut")
    with suppress(OSError):
        if any(os.path.exists(path + end) and os.path.getsize(path + end) for end in ("-wal", "-journal")):
            return Message("reader-database-unfinished")
    return None
