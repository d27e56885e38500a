"""Inflate gzip data of one or many members, as far as it can be inflated."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, BinaryIO

from stepscope.messages import Message

fast_zlib: ModuleType
try:
    from isal import isal_zlib as fast_zlib  # three times as fast
except ImportError:  # no wheel for this machine
    fast_zlib = zlib

MAGIC = b"\x1f\x8b"
CHUNK = 1 << 18
"""Bytes read from a file at a time."""

_ERRORS = (zlib.error, fast_zlib.error)
_WITH_HEADER = 31
_SMALLEST_FEED = 1 << 12
_LARGEST_STEP = 1 << 16

RawFile = BinaryIO | io.RawIOBase


class Inflating:
    """The inflated bytes of a gzip file, front to back.

    Attributes:
        damage: None, or why the data ended early.
        stray_bytes: bytes of the last chunk read that follow the data and are no gzip.
    """

    def __init__(self, read: Callable[[int], bytes], first: bytes, reopen: Callable[[], RawFile] | None) -> None:
        self.damage: Message | None = None
        self.stray_bytes = 0
        self._read_raw = read
        self._reopen = reopen
        self._chunk = memoryview(first)
        self._at = 0
        self._feed = _SMALLEST_FEED
        self._inflater: Any = fast_zlib.decompressobj(wbits=_WITH_HEADER)
        self._delivered = 0
        self._is_over = False

    def read(self, count: int) -> bytes:
        """Up to ``count`` bytes, none at the end."""
        while not self._is_over:
            if self._inflater.eof and not self._begin_member():
                return b""
            piece = self._step(count)
            if piece:
                self._delivered += len(piece)
                return piece
        return b""

    def _step(self, count: int) -> bytes:
        is_end = self._at >= len(self._chunk) and not self._next_chunk()
        data = self._chunk[self._at : self._at + self._feed]
        try:
            piece: bytes = self._inflater.decompress(data, max_length=count)
        except _ERRORS as error:
            self._is_over = True
            self.damage = Message("reader-gzip-damaged", error=str(error))
            return self._salvaged(count)
        if is_end and not piece:
            self._is_over = True
            self.damage = Message("reader-gzip-cut-off")
        self._at += len(data) - len(self._inflater.unconsumed_tail) - len(self._inflater.unused_data)
        # A member begins with little, because what does not belong to it is copied: files of many tiny members exist.
        self._feed = min(2 * self._feed, CHUNK)
        return piece

    def _next_chunk(self) -> bool:
        self._chunk = memoryview(self._read_raw(CHUNK))
        self._at = 0
        return len(self._chunk) > 0

    def _begin_member(self) -> bool:
        """Go on to the next member; zero padding behind the last is common."""
        while True:
            rest = self._chunk[self._at :].tobytes().lstrip(b"\0")
            if len(rest) >= len(MAGIC):
                break
            more = self._read_raw(CHUNK)
            self._chunk, self._at = memoryview(rest + more), 0
            if not more:
                break
        self._at = len(self._chunk) - len(rest)
        if not rest.startswith(MAGIC):
            self._is_over = True
            self.stray_bytes = len(rest)
            return False
        self._feed = _SMALLEST_FEED
        self._inflater = fast_zlib.decompressobj(wbits=_WITH_HEADER)
        return True

    def _salvaged(self, count: int) -> bytes:
        """The good bytes of the piece that failed: zlib gives none of them, so inflate up to there again."""
        if self._reopen is None:
            return b""
        raw = self._reopen()
        try:
            return _inflated_between(raw, self._delivered, count)
        finally:
            raw.close()


def _inflated_between(raw: RawFile, skip: int, count: int) -> bytes:
    """Inflate a file up to its damage, with ever smaller steps; returns up to ``count`` bytes behind ``skip`` bytes."""
    inflater = zlib.decompressobj(_WITH_HEADER)
    kept = bytearray()
    done, step, data = 0, _LARGEST_STEP, b""
    while done < skip + count:
        if inflater.eof:
            data = inflater.unused_data.lstrip(b"\0")
            inflater = zlib.decompressobj(_WITH_HEADER)
        data = data or raw.read(_LARGEST_STEP) or b""
        if not data:
            break
        before = inflater.copy()
        try:
            piece = inflater.decompress(data, step)
        except zlib.error:
            if step == 1:
                break
            inflater, step = before, step // 16
            continue
        data = inflater.unconsumed_tail
        kept += piece[max(skip - done, 0) :]
        done += len(piece)
    return bytes(kept[:count])
