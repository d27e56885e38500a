"""Reader of PyTorch traces (Kineto, Chrome trace JSON).

Format: an object with ``traceEvents``, or the bare array of events; plain or gzip. Seen: torch 1.8 to 2.13, CUDA,
ROCm, MTIA, CPU only; times as numbers or strings.
Read: every event and every argument; of the top level only the keys that `readers.head` allows.
Ignored: other top-level keys. Damaged events are skipped and counted in `Facts`.
Specification: "Trace Event Format" (Google, 2016) and libkineto's ``output_json.cpp``.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.numeric.bytescan import words_of
from stepscope.numeric.pool import SEED, Pool, SharedPool, new_pool
from stepscope.numeric.scanner import (
    CLOSED,
    DAMAGED,
    FULL,
    NOT_OBJECTS,
    OBJECTS,
    ROUNDED_TIMES,
    STOP,
    Output,
    new_output,
    new_scratch,
    scan,
)
from stepscope.readers.blocks import BLOCK_BYTES, MAX_EVENT_BYTES, Block, Buffers, read_blocks
from stepscope.readers.columns import Gathered
from stepscope.readers.detect import locate_events
from stepscope.readers.head import Head, padded, walk_members
from stepscope.readers.kineto_plan import SLOTS, kineto_plan
from stepscope.readers.sources import Stream

Progress = Callable[[int, int], None]
"""Called with the bytes of the file consumed and the events read so far."""

_TEXT_CHUNK = 1 << 17
_MAX_TAIL = 64 << 20


@dataclass
class Facts:
    """What a read learned beside the tables: top-level facts and what was wrong.

    Attributes:
        head: allowed top-level values.
        events: rows of ``traceEvents``, damaged and odd ones included.
        damaged: events that are no JSON and were skipped.
        not_objects: rows that are no objects.
        rounded_times: times finer than 1 ns, rounded half to even.
        truncated: None, or why the file's end is missing.
        json_bytes: length of the JSON, inflated.
        lost_bytes: JSON behind the last complete event that could not be read.
    """

    head: dict[str, Any] = field(default_factory=dict)
    events: int = 0
    damaged: int = 0
    not_objects: int = 0
    rounded_times: int = 0
    truncated: str | None = None
    json_bytes: int = 0
    lost_bytes: int = 0


class _Room:
    """Output arrays of one scan at a time, grown when a block is denser than expected."""

    def __init__(self) -> None:
        self.plan = kineto_plan()
        self.rows = BLOCK_BYTES // 128
        self.extras = BLOCK_BYTES // 128
        self.texts = 1 << 16
        self._make()

    def _make(self) -> None:
        self.out = new_output(self.plan, self.rows, self.extras)
        self.scratch = new_scratch(self.plan)
        self.known = np.empty(self.texts, np.int64)

    def grow(self) -> None:
        self.rows *= 2
        self.extras *= 2
        self.texts *= 2
        self._make()


@dataclass
class _Scanned:
    block: Block
    room: _Room
    pool: Pool
    status: int

    @property
    def out(self) -> Output:
        return self.room.out

    @property
    def stop(self) -> int:
        return int(self.out.counts[STOP])


def _scan(block: Block, room: _Room) -> _Scanned:
    words = words_of(block.buf)
    while True:
        pool = new_pool(room.texts)
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
            block.final,
            SEED,
        )
        if status != FULL:
            return _Scanned(block, room, pool, int(status))
        room.grow()


class KinetoReader:
    """One pass over a trace. Iterate `tables` to the end, then look at `facts`."""

    def __init__(self, stream: Stream, progress: Progress | None = None, workers: int | None = None) -> None:
        self.facts = Facts()
        self._stream = stream
        self._progress = progress
        self._workers = workers or min(8, os.cpu_count() or 1)
        self._plan = kineto_plan()
        self._texts = SharedPool()
        self._keys = self._texts.add([slot.key.encode() for slot in SLOTS])
        self._gathered = Gathered(self._plan, self._texts)
        self._buffers = Buffers()
        self._rooms: deque[_Room] = deque()
        self._tail: list[bytes] | None = None
        self._bare_array = False

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: the stream holds no trace, or no event.
        """
        head = Head()
        begin = locate_events(self._stream, head)
        self._bare_array = begin.bare_array
        self.facts.head = head.facts
        yield from self._scan_all(begin.rest)
        self._finish(head)
        if self.facts.events == 0:
            raise UnreadableInput(
                f"cannot read {self._stream.source.path}",
                "the trace holds no events",
                "Was the profiler stopped before a step was recorded, or the file cut off?",
            )
        yield from self._gathered.parts(everything=True)
        yield from self._text_parts()

    def _scan_all(self, head: bytes) -> Iterator[tuple[str, pl.DataFrame]]:
        pending: deque[tuple[Block, Future[_Scanned]]] = deque()
        rest = b""
        with ThreadPoolExecutor(self._workers, thread_name_prefix="stepscope-scan") as pool:
            for block in read_blocks(self._stream, self._buffers, head):
                if self._tail is not None:
                    self._add_tail(block.buf[block.start : block.stop].tobytes())
                    continue
                room = self._rooms.popleft() if self._rooms else _Room()
                pending.append((block, pool.submit(_scan, block, room)))
                if len(pending) > self._workers:
                    rest = self._accept(pending.popleft()[1].result(), rest)
                    yield from self._gathered.parts()
            while pending:
                rest = self._accept(pending.popleft()[1].result(), rest)
                yield from self._gathered.parts()

    def _accept(self, scanned: _Scanned, rest: bytes) -> bytes:
        """Take over a scanned block; returns the bytes of an event that the next block must complete.

        ``rest`` is what the block before left over. Then this block began inside an event, its own scan is void, and
        both are scanned together.
        """
        block = scanned.block
        if self._tail is not None:
            self._add_tail(block.buf[block.start : block.stop].tobytes())
            self._release(scanned)
            return b""
        if rest:
            joined = padded(rest + block.buf[block.start : block.stop].tobytes())
            length = len(rest) + block.stop - block.start
            final = block.final or length > MAX_EVENT_BYTES
            self._buffers.give(block.buf)
            scanned = _scan(Block(joined, 0, length, final), scanned.room)
            scanned.block.final = block.final
        self._take(scanned)
        block = scanned.block
        left = block.buf[scanned.stop : block.stop].tobytes()
        self._release(scanned)
        if scanned.status == CLOSED:
            self._tail = []
            self._add_tail(left)
            return b""
        if block.final:
            left = left.strip(b" \r\n\t\0,")
            self.facts.lost_bytes = len(left)
            return b""
        if len(left) > MAX_EVENT_BYTES:
            self.facts.damaged += 1
            return b""
        return left

    def _take(self, scanned: _Scanned) -> None:
        out = scanned.out
        counts = out.counts
        codes = self._texts.absorb(scanned.pool, scanned.block.buf)
        self._gathered.add(out, codes, self._keys, self.facts.events)
        self.facts.events += int(counts[OBJECTS])
        self.facts.damaged += int(counts[DAMAGED])
        self.facts.not_objects += int(counts[NOT_OBJECTS])
        self.facts.rounded_times += int(counts[ROUNDED_TIMES])
        if self._progress is not None:
            self._progress(self._stream.consumed, self.facts.events)

    def _release(self, scanned: _Scanned) -> None:
        self._buffers.give(scanned.block.buf)
        self._rooms.append(scanned.room)

    def _add_tail(self, data: bytes) -> None:
        if self._tail is not None and sum(map(len, self._tail)) < _MAX_TAIL:
            self._tail.append(data)

    def _finish(self, head: Head) -> None:
        """Read the keys behind the events and say whether the end of the file is there."""
        self.facts.json_bytes = self._stream.delivered
        if self._tail is None:
            self.facts.truncated = self._stream.damage or "the list of events is not closed"
            return
        if not self._bare_array:
            tail = b"".join(self._tail)
            buf = padded(tail)
            outcome = walk_members(head, buf, 0, len(tail)).outcome
            if outcome == "more":
                self.facts.truncated = "the end of the JSON object is missing"
        if self._stream.damage:
            self.facts.truncated = self._stream.damage

    def _text_parts(self) -> Iterator[tuple[str, pl.DataFrame]]:
        for first in range(0, len(self._texts), _TEXT_CHUNK):
            raw = self._texts.texts(first, min(first + _TEXT_CHUNK, len(self._texts)))
            yield "texts", pl.DataFrame({"text": [_decode(text) for text in raw]}, schema={"text": pl.String})


def _decode(raw: bytes) -> str:
    """Text of a pooled value: JSON containers and quoted values stay JSON, bare strings lose their escapes."""
    text = raw.decode("utf-8", "replace")
    if "\\" not in text or _is_json(text):
        return text
    try:
        value = json.loads(f'"{text}"', strict=False)
    except ValueError:
        return text
    return str(value).encode("utf-8", "replace").decode("utf-8")


def _is_json(text: str) -> bool:
    if text[:1] not in '"[{':
        return False
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


