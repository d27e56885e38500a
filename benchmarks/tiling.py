"""Make a long trace of a real one: ``python tiling.py SOURCE COPIES TARGET``.

The events are repeated as text, in the layout of Kineto's JSON. Every copy is later in time, has numbers of its own
wherever events refer to each other, and counts its steps on. Only the source is held in memory.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from isal import igzip

_NUMBER = re.compile(rb'"(ts|External id|correlation|id|Ev Idx|Python id|Python parent id)": (\d+)|ProfilerStep#(\d+)')
_LIST_OPENS = b'"traceEvents": ['
_LIST_CLOSES = b"\n  ]"
_BLOCK_BYTES = 4 << 20
_GAP_US = 1000


@dataclass(frozen=True)
class Extent:
    """How far the numbers of one copy reach, so that the next one begins behind them."""

    time_us: int
    numbers: int
    steps: int


def blocks(text: bytes) -> Iterator[bytes]:
    """The text in pieces of whole lines."""
    at = 0
    while at < len(text):
        stop = text.find(b"\n", at + _BLOCK_BYTES) + 1 or len(text)
        yield text[at:stop]
        at = stop


def extent(events: bytes) -> Extent:
    """Look at the numbers of all events. One range serves all: a flow may have its launch's correlation as id."""
    times, numbers, steps = [], [0], []
    for block in blocks(events):
        found = _NUMBER.findall(block)
        times += [int(number) for key, number, _ in found if key == b"ts" and number != b"0"]
        numbers.append(max((int(number) for key, number, _ in found if key not in (b"", b"ts")), default=0))
        steps += [int(step) for _, _, step in found if step]
        times = [min(times), max(times)] if times else []
    return Extent(
        max(times) - min(times) + _GAP_US if times else 0,
        max(numbers) + 1,
        max(steps) - min(steps) + 1 if steps else 0,
    )


def shifted(block: bytes, reach: Extent, copy: int) -> bytes:
    """The block as it stands in a copy. Zeros stay: they say that there is none, except as an index."""

    def shift(match: re.Match[bytes]) -> bytes:
        key, number, step = match.groups()
        if step:
            return b"ProfilerStep#%d" % (int(step) + copy * reach.steps)
        if number == b"0" and key != b"Ev Idx":
            return match.group()
        return b'"%b": %d' % (key, int(number) + copy * (reach.time_us if key == b"ts" else reach.numbers))

    return _NUMBER.sub(shift, block) if copy else block


def tile(source: BinaryIO, copies: int, target: BinaryIO) -> None:
    """Write ``source`` with its events repeated."""
    text = source.read()
    begin = text.index(_LIST_OPENS) + len(_LIST_OPENS)
    end = text.rindex(_LIST_CLOSES)
    head, events, tail = text[:begin], text[begin:end], text[end:]
    del text
    reach = extent(events)
    target.write(head)
    for copy in range(copies):
        if copy:
            target.write(b",")
        for block in blocks(events):
            target.write(shifted(block, reach, copy))
    target.write(tail)


def main(source: str, copies: str, target: str) -> None:
    """Read and write gzip files; the target appears when it is complete."""
    part = Path(f"{target}.part")
    with igzip.open(source, "rb") as opened, igzip.open(part, "wb", compresslevel=1) as written:
        tile(opened, int(copies), written)
    part.rename(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
