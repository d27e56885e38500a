"""Scan blocks several at a time, and put together again what the blocks cut apart."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from stepscope.numeric.bytescan import words_of
from stepscope.numeric.escapes import unescape
from stepscope.numeric.plan import LOST, STOP, Output, Plan, new_output, new_scratch
from stepscope.numeric.pool import SEED, Pool, new_pool
from stepscope.numeric.scanner import ADRIFT, CLOSED, ENDS, FULL, GOES_ON, TOO_LONG, scan
from stepscope.readers.blocks import Block, Buffers
from stepscope.readers.head import MoreEvents, padded

MAX_EVENT_BYTES = 64 << 20
"""A stretch of this length without the end of an event is damage, not an event."""


class Room:
    """Output arrays of one scan at a time, grown when a block is denser than expected."""

    def __init__(self, plan: Plan, rows: int) -> None:
        self.plan = plan
        self.rows = rows
        self._make()

    def _make(self) -> None:
        self.out = new_output(self.plan, self.rows, self.rows)
        self.scratch = new_scratch(self.plan)
        self.known = np.empty(4 * self.rows, np.int64)

    def new_pool(self) -> Pool:
        return new_pool(4 * self.rows)

    def grow(self) -> None:
        self.rows *= 2
        self._make()


@dataclass
class Scanned:
    """A block and what the scan of it found."""

    block: Block
    room: Room
    pool: Pool
    status: int

    @property
    def out(self) -> Output:
        return self.room.out

    @property
    def skipped(self) -> tuple[int, int]:
        """Where the damage at the end of an adrift scan begins and ends."""
        return int(self.out.counts[LOST]), int(self.out.counts[STOP])

    def left(self) -> bytes:
        """The bytes behind the last thing that was read."""
        return self.block.buf[int(self.out.counts[STOP]) : self.block.stop].tobytes()


def scan_block(block: Block, room: Room, ending: int, adrift: bool = False) -> Scanned:
    """Scan one block, with more room if it needs that. ``ending`` and ``adrift`` as in `scanner.scan`."""
    words = words_of(block.buf)
    block.stop = int(unescape(block.buf, words, block.start, block.stop))
    while True:
        pool = room.new_pool()
        status = scan(
            room.plan,
            room.out,
            pool,
            room.known,
            room.scratch,
            block.buf,
            words,
            block.start,
            block.stop,
            ending,
            adrift,
            SEED,
        )
        if status != FULL:
            return Scanned(block, room, pool, int(status))
        room.grow()


@dataclass
class ScanOptions:
    """How to scan.

    Attributes:
        workers: threads.
        block_bytes: size of a block.
        max_event_bytes: longest event.
    """

    workers: int
    block_bytes: int
    max_event_bytes: int = MAX_EVENT_BYTES


class Scans:
    """The scans of a file's blocks, in file order.

    A block that begins inside an event is scanned again together with what the block before left over. Behind the
    list of events, bytes go to ``behind``, which may answer that there are more events in them.

    Attributes:
        is_closed: the end of the list was found, and no other list has begun.
        was_closed: the same, or it seemed so and damage followed.
        lost_bytes: bytes at the file's end that belong to no complete event.
    """

    def __init__(
        self, plan: Plan, buffers: Buffers, options: ScanOptions, behind: Callable[[bytes, bool], MoreEvents | None]
    ) -> None:
        self.is_closed = False
        self.was_closed = False
        self.lost_bytes = 0
        self._plan = plan
        self._buffers = buffers
        self._options = options
        self._behind = behind
        self._rows = max(64, options.block_bytes // 128)
        self._rooms: deque[Room] = deque()
        self._rest: list[bytes] = []
        self._rest_bytes = 0
        self._wanted = 0
        self._adrift = False
        self._skipped_bytes = 0

    def run(self, blocks: Iterator[Block]) -> Iterator[Scanned]:
        """Yield each scan; it is valid until the next one is asked for."""
        pending: deque[tuple[Block, Future[Scanned] | None]] = deque()
        with ThreadPoolExecutor(self._options.workers, thread_name_prefix="stepscope-scan") as threads:
            for block in blocks:
                ending = ENDS if block.final else GOES_ON
                scan = None if self.is_closed else threads.submit(scan_block, block, self._room(), ending)
                pending.append((block, scan))
                if len(pending) > self._options.workers:
                    yield from self._accept(*pending.popleft())
            while pending:
                yield from self._accept(*pending.popleft())

    def _accept(self, block: Block, scan: Future[Scanned] | None) -> Iterator[Scanned]:
        scanned = scan.result() if scan is not None else None
        data: bytes | None = None
        if scanned is None or self.is_closed or self._rest or self._adrift:
            data = block.buf[block.start : block.stop].tobytes()
            self._release(block, scanned)
            scanned = None
        while True:
            if scanned is None:
                scanned = self._scan_again(data or b"", block.final)
            if scanned is None:
                return
            yield scanned
            data = self._settle(scanned, block.final)
            if data is None:
                return
            scanned = None

    def _scan_again(self, data: bytes, final: bool) -> Scanned | None:
        """Scan what was left over and ``data`` together; None when that must wait for more bytes."""
        if self.is_closed:
            following = self._behind(data, final)
            if following is None:
                return None
            self.is_closed, self.was_closed = False, following.adrift
            self._adrift = following.adrift
            data = following.data
        self._rest.append(data)
        self._rest_bytes += len(data)
        if self._rest_bytes < self._wanted and not final:
            return None
        joined = padded(b"".join(self._rest))
        length = self._rest_bytes
        self._rest, self._rest_bytes = [], 0
        ending = ENDS if final else TOO_LONG if length > self._options.max_event_bytes else GOES_ON
        return scan_block(Block(joined, 0, length, final), self._room(), ending, self._adrift)

    def _settle(self, scanned: Scanned, final: bool) -> bytes | None:
        """Note how a scan ended; returns the bytes behind the list of events if it ended there."""
        left = scanned.left()
        self._release(scanned.block, scanned)
        self._drift(scanned)
        self._wanted = 0
        if scanned.status == CLOSED:
            self.is_closed = self.was_closed = True
            return left
        if final:
            self.lost_bytes = self._skipped_bytes + len(left.strip(b" \r\n\t\0,"))
        elif left:
            # Waiting for twice the bytes keeps the work linear when an event spans many blocks.
            self._rest, self._rest_bytes = [left], len(left)
            self._wanted = min(2 * len(left), self._options.max_event_bytes + 1)
        return None

    def _drift(self, scanned: Scanned) -> None:
        """Note whether a scan found no event behind damage, and how many bytes that has cost so far."""
        was_adrift, self._adrift = self._adrift, scanned.status == ADRIFT
        begin, end = scanned.skipped
        if not self._adrift:
            self._skipped_bytes = 0
        elif was_adrift and begin == scanned.block.start:
            self._skipped_bytes += end - begin
        else:
            self._skipped_bytes = end - begin

    def _room(self) -> Room:
        return self._rooms.popleft() if self._rooms else Room(self._plan, self._rows)

    def _release(self, block: Block, scanned: Scanned | None) -> None:
        self._buffers.give(block.buf)
        if scanned is not None and scanned.room.rows <= 8 * self._rows:
            self._rooms.append(scanned.room)
