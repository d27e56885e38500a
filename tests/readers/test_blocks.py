"""Blocks cover the file, end between events, and cost neither memory nor time beyond its size."""

from __future__ import annotations

import gzip
import json
import time

import numpy as np
import pytest

from readers.reading import Memory, read, trace
from stepscope.errors import UnreadableInput
from stepscope.numeric.bytescan import PADDING
from stepscope.readers.blocks import Buffers, read_blocks

EVENT = {"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": 1, "dur": 1}
TEXT = json.dumps(EVENT)


@pytest.mark.parametrize("block_bytes", [1, 2, 16, 100, 1000, 1 << 16])
def test_blocks_cover_the_file_and_end_between_events(block_bytes: int) -> None:
    data = trace(*[EVENT] * 100)
    with Memory(data).open() as stream:
        blocks = list(read_blocks(stream, Buffers(block_bytes), b"{head}"))
    texts = [block.buf[block.start : block.stop].tobytes() for block in blocks]
    assert b"".join(texts) == b"{head}" + data
    assert [block.final for block in blocks] == [False] * (len(blocks) - 1) + [True]
    assert all(len(block.buf) >= block.stop + PADDING for block in blocks)
    if 1000 <= block_bytes < len(data):
        assert all(text.startswith(b'{"ph"') for text in texts[1:])


def test_buffers_are_reused_and_odd_ones_do_not_block_that() -> None:
    buffers = Buffers(1000)
    first = buffers.take(2000)
    buffers.give(np.zeros(300, np.uint8))
    buffers.give(np.zeros(9000, np.uint8))
    buffers.give(first)
    assert buffers.take(1500) is first
    assert len(buffers.take(5000)) == 5000 + PADDING


def test_a_file_of_blocks_that_cut_events_needs_no_more_buffers_than_workers() -> None:
    made: list[int] = []

    zeros = np.zeros

    def count(size: object, *rest: object) -> object:
        if isinstance(size, int) and size >= 2 * 4096:
            made.append(size)
        return zeros(size, *rest)  # type: ignore[call-overload]

    event = EVENT | {"args": {"list": [{"a": 1}, {"b": 2}] * 30}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stepscope.readers.blocks.np.zeros", count)
        _, facts = read(trace(*[event] * 2000), block_bytes=4096, workers=2)
    assert (facts.events, facts.damaged) == (2000, 0)
    assert len([size for size in made if size == 2 * 4096 + PADDING]) <= 6


HOSTILE = {
    "blanks": " ",
    "brackets": "[",
    "braces": "{",
    "closing brackets": "]",
    "quotes": '"',
    "backslashes": "\\",
    "words": "abc ",
    "keys": '{"a":',
    "open events": '{"ph":"X","args":{"x":[',
    "open lists": '{"ph":"X","x":[[[},',
    "open names": '{"ph":"X","name":"a},',
    "braces far apart": "{" + " " * 500,
    "ends of the list": TEXT + "], ",
    "ends of the trace": TEXT + "]} ",
    "lists": TEXT + '], "traceEvents": [',
    "other lists": TEXT + '], "other": [',
    "nested events": '{"ph":"X","b":[',
    "damaged keys": '{"ph":"X","b" [',
}


@pytest.mark.long
@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("closing", ["", "]x}"])
def test_hostile_files_take_time_in_proportion_to_their_size(pattern: str, closing: str) -> None:
    # Work that grows with the square of the size would take hours here.
    count = 3_000_000 // len(HOSTILE[pattern])
    data = ('{"traceEvents": [' + TEXT + "," + HOSTILE[pattern] * count + closing * count).encode()
    started = time.process_time()
    _, facts = read(data, workers=1)
    assert facts.events >= 1
    assert time.process_time() - started < 20


@pytest.mark.long
def test_gzip_files_of_many_empty_members_take_time_in_proportion_to_their_size() -> None:
    data = gzip.compress(trace(EVENT)) + gzip.compress(b"", mtime=0) * 100_000
    started = time.process_time()
    assert read(data)[1].events == 1
    assert time.process_time() - started < 20


def test_a_head_without_end_is_given_up() -> None:
    with pytest.raises(UnreadableInput, match="it ends before any event"):
        read(b'{"deviceProperties": [' + b"[1], " * 1_000_000)
