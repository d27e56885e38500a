"""Interned byte strings: every distinct value gets a code, in order of first appearance.

A `Pool` is an open-addressing hash table over byte ranges of one buffer. The scanner fills one per block, whose
ranges point into the block; `SharedPool` gathers them for the whole file. The hash seed is random per process, so
that a hostile file cannot be built to collide.
"""

from __future__ import annotations

import os
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric.bytescan import PADDING, hash_bytes, same_bytes, words_of
from stepscope.numeric.compiling import hot, inner

SEED = np.uint64(int.from_bytes(os.urandom(8), "little") | 1)


class Pool(NamedTuple):
    """Arrays of one string table; ``used[0]`` codes are in use."""

    used: npt.NDArray[np.int64]  # [1]
    table: npt.NDArray[np.int32]  # [power of two], code + 1, 0 is free
    entries: npt.NDArray[np.int64]  # [capacity, 3]: start, length, hash


def new_pool(capacity: int) -> Pool:
    """An empty pool for ``capacity`` distinct strings."""
    slots = 1 << max(4, (capacity * 2 - 1).bit_length())
    return Pool(np.zeros(1, np.int64), np.zeros(slots, np.int32), np.empty((capacity, 3), np.int64))


@inner
def find_slot(table, entries, words, start, length, hashed, other_words):
    """Slot of the table that holds the string, or the free one where it belongs."""
    mask = len(table) - 1
    slot = hashed & mask
    while True:
        code = np.int64(table[slot]) - 1
        if code < 0:
            return slot
        if (
            entries[code, 2] == hashed
            and entries[code, 1] == length
            and same_bytes(words, entries[code, 0], other_words, start, length)
        ):
            return slot
        slot = (slot + 1) & mask


@inner
def intern(used, table, entries, words, start, stop, seed):
    """Code of the bytes ``[start, stop)`` of the pool's own buffer; -1 when the pool is full."""
    hashed = np.int64(hash_bytes(words, start, stop, seed))
    slot = find_slot(table, entries, words, start, stop - start, hashed, words)
    code = np.int64(table[slot]) - 1
    if code >= 0:
        return code
    code = used[0]
    if code >= len(entries):
        return np.int64(-1)
    table[slot] = code + 1
    entries[code, 0] = start
    entries[code, 1] = stop - start
    entries[code, 2] = hashed
    used[0] = code + 1
    return code


@hot
def _absorb(shared, arena, arena_words, used, pool, buf, words, codes):
    """Copy the strings of ``pool`` that ``shared`` lacks into ``arena``; ``codes`` maps pool to shared."""
    table, entries = shared.table, shared.entries
    theirs = pool.entries
    for code in range(pool.used[0]):
        start, length, hashed = theirs[code, 0], theirs[code, 1], theirs[code, 2]
        slot = find_slot(table, entries, arena_words, start, length, hashed, words)
        found = np.int64(table[slot]) - 1
        if found < 0:
            found = shared.used[0]
            table[slot] = found + 1
            entries[found, 0] = used
            entries[found, 1] = length
            entries[found, 2] = hashed
            shared.used[0] = found + 1
            for i in range(length):
                arena[used + i] = buf[start + i]
            used += length
        codes[code] = found
    return used


@hot
def _intern_one(used, table, entries, words, start, stop, seed):
    return intern(used, table, entries, words, start, stop, seed)


@hot
def _rehash(pool):
    table, entries = pool.table, pool.entries
    mask = len(table) - 1
    for code in range(pool.used[0]):
        slot = entries[code, 2] & mask
        while table[slot] != 0:
            slot = (slot + 1) & mask
        table[slot] = code + 1


class SharedPool:
    """The distinct strings of a whole file, owned as one byte arena."""

    def __init__(self) -> None:
        self._pool = new_pool(1 << 14)
        self._arena = np.empty(1 << 20, np.uint8)
        self._used = 0

    def __len__(self) -> int:
        return int(self._pool.used[0])

    def absorb(self, pool: Pool, buf: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        """Add the strings of a block's pool; returns their shared codes, one per code of ``pool``."""
        count = int(pool.used[0])
        codes = np.empty(count, np.int64)
        self._reserve(count, int(pool.entries[:count, 1].sum()))
        arena = self._arena
        used = _absorb(self._pool, arena, words_of(arena), self._used, pool, buf, words_of(buf), codes)
        self._used = int(used)
        return codes

    def add(self, texts: list[bytes]) -> npt.NDArray[np.int64]:
        """Add some strings; returns their codes."""
        pool = new_pool(len(texts) + 1)
        buf = np.frombuffer(b"".join(texts) + bytes(PADDING), np.uint8).copy()
        ends = np.cumsum([0, *(len(text) for text in texts)])
        local = np.array([_intern_one(*pool, words_of(buf), a, b, SEED) for a, b in pairwise(ends)], np.int64)
        return self.absorb(pool, buf)[local]

    def room_for(self, strings: int, size: int) -> tuple[Pool, npt.NDArray[np.uint8]]:
        """The table and the bytes themselves, with room for some more strings, to be filled in place."""
        self._reserve(strings, size)
        return self._pool, self._arena

    def filled(self, used: int) -> None:
        """How many bytes are in use now, after filling in place."""
        self._used = used

    def texts(self, first: int, last: int) -> list[bytes]:
        """The raw bytes of the codes ``first`` to ``last - 1``."""
        return self._bytes_of(self._pool.entries[first:last])

    def texts_of(self, codes: npt.NDArray[np.int64]) -> list[bytes]:
        """The raw bytes of some codes."""
        return self._bytes_of(self._pool.entries[codes])

    def _bytes_of(self, entries: npt.NDArray[np.int64]) -> list[bytes]:
        arena = self._arena.data
        return [bytes(arena[start : start + length]) for start, length, _ in entries.tolist()]

    def _reserve(self, strings: int, size: int) -> None:
        if self._used + size + PADDING > len(self._arena):
            arena = np.empty(2 * (self._used + size + PADDING), np.uint8)
            arena[: self._used] = self._arena[: self._used]
            self._arena = arena
        count = len(self)
        if count + strings > len(self._pool.entries):
            grown = new_pool(2 * (count + strings))
            grown.used[0] = count
            grown.entries[:count] = self._pool.entries[:count]
            _rehash(grown)
            self._pool = grown
