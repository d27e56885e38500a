"""The records of a log, one after the other, without holding the file."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from stepscope.readers.sources import Stream

_CHUNK = 4 << 20
_LONGEST = 64 << 20
"""Longest record: generated code and graphs of the largest models have some megabytes."""

_HEAD_BYTES = 16
"""More than it takes to see where a record begins, which may be cut by the end of a chunk."""

_HEAD = re.compile(rb"\n(?=[VIWEC]\d{4} \d\d:)")
_LINE = re.compile(
    rb"[VIWEC](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{1,6}) +(\d{1,20}) [^\]\n]{1,1000}:\d{1,7}\] (\{[^\n]*)\n?"
)
_US = 1_000_000


@dataclass(frozen=True)
class Written:
    """When a record was written, by the clock on the wall of its machine: there is neither year nor zone."""

    month: int
    day: int
    us: int
    """Of the day."""


@dataclass(frozen=True)
class Record:
    """A record.

    Attributes:
        said: its JSON: what it is, and whose.
        written: when.
        process: number of the process, or of its thread.
        raw: the lines behind it, each with its tab.
        head: what stands in front of its JSON.
    """

    said: dict[str, Any]
    written: Written
    process: int
    raw: bytes
    head: bytes = b""

    @property
    def kind(self) -> str:
        """What it is; of artifacts their name."""
        for key in self.said:
            if key not in WHOSE:
                about = self.said[key]
                named = key == "artifact" and isinstance(about, dict) and isinstance(about.get("name"), str)
                return str(about["name"]) if named else key
        return ""

    @cached_property
    def payload(self) -> bytes:
        """What is written behind it; what else stands there is of no record."""
        return b"\n".join(line[1:] for line in self.raw.split(b"\n") if line.startswith(b"\t"))

    @property
    def text(self) -> str:
        return self.payload.decode("utf-8", "replace")

    @property
    def json(self) -> Any:
        """The value of its payload; None where that is none."""
        try:
            return json.loads(self.text, parse_constant=lambda _: None)
        except (ValueError, RecursionError):
            return None

    @property
    def is_whole(self) -> bool:
        """Whether the payload is the one that it was written with."""
        wanted = self.said.get("has_payload")
        return wanted is None or hashlib.md5(self.payload, usedforsecurity=False).hexdigest() == wanted


WHOSE = {"rank", "frame_id", "frame_compile_id", "attempt", "compiled_autograd_id", "stack", "has_payload"}
"""Members that say whose a record is; another one says what it is."""


class Records:
    """All records of a stream.

    Attributes:
        seen: how many there were, damaged ones included.
        damaged: records that cannot be read.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.seen = 0
        self.damaged = 0

    def __iter__(self) -> Iterator[Record]:
        rest, buffer = bytearray(b"\n"), bytearray(_CHUNK)
        while count := self._stream.read_into(memoryview(buffer)):
            searched = max(0, len(rest) - _HEAD_BYTES)
            rest += buffer[:count]
            begin = 0
            for start in [found.start() for found in _HEAD.finditer(rest, searched)]:
                yield from self._read(bytes(rest[begin:start]))
                begin = start
            del rest[:begin]
            if len(rest) > _LONGEST:
                self.seen, self.damaged = self.seen + 1, self.damaged + 1
                rest.clear()
        yield from self._read(bytes(rest))

    def _read(self, text: bytes) -> Iterator[Record]:
        if not text.strip():
            return
        self.seen += 1
        record = _record(text.lstrip(b"\n"))
        if record is None:
            self.damaged += 1
        else:
            yield record


def _record(text: bytes) -> Record | None:
    found = _LINE.match(text)
    if found is None:
        return None
    try:
        said = json.loads(found[8].decode("utf-8", "replace"), parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    month, day, hour, minute, second = (int(found[at]) for at in range(1, 6))
    us = ((hour * 60 + minute) * 60 + second) * _US + int(found[6].ljust(6, b"0"))
    return Record(said, Written(month, day, us), int(found[7]), text[found.end() :], text[: found.start(8)])
