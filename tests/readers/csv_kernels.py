"""A second reader, for tests: kernels as lines of text. It shows what a reader needs, and nothing knows of it.

# kernels, recorder 1.2, rank 0
name,start_ns,duration_ns,stream
gemm,1000,500,7
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.readers.beginning import Beginning
from stepscope.readers.facts import OWN, Facts
from stepscope.readers.formats import TRACE, Input, Match, Reader, Reading
from stepscope.schema import KERNEL, STORE_TABLES

HEAD = re.compile(rb"# kernels, recorder ([\d.]{1,20})(?:, rank (\d{1,9}))?\r?\n")
_LINE = re.compile(r"([^,\n]{1,200}),(-?\d{1,18}),(\d{1,18}),(\d{1,9})")
_MOST_BYTES = 1 << 30
EXAMPLE = "# kernels, recorder 1.2\nname,start_ns,duration_ns,stream\n" + "".join(
    f"{name},{1000 * at},{100 * at + 50},7\n" for at, name in enumerate(("gemm", "relu", "gemm", "softmax"), start=1)
)
"""Four kernels."""


class KernelCsv(Reader):
    """Recognised by its first line."""

    name = "kernel_csv"
    recorder = "KernelCsv"
    kind = TRACE
    suffixes = (".csv",)

    def recognise(self, beginning: Beginning) -> Match | None:
        head = HEAD.match(beginning.first)
        if head is None:
            return None
        facts = {"distributedInfo": {"rank": int(head[2])}} if head[2] else {}
        return Match(self.kind, self.recorder, self.name, facts=facts)

    def read(self, given: Input) -> Reading:
        return _Pass(given)


class _Pass:
    """One pass over a file."""

    def __init__(self, given: Input) -> None:
        self.facts = Facts(KernelCsv.recorder, clock=OWN)
        self._given = given

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        stream = self._given.stream
        if stream is None:
            raise UnreadableInput(f"cannot read {self._given.source.path}", "it is a folder", "Name a file.")
        data = b""
        while piece := stream.peek(1 << 16):
            data += piece
            stream.read_into(memoryview(bytearray(len(piece))))
        head = HEAD.match(data)
        lines = data[head.end() :].decode("utf-8", "replace").splitlines()[1:] if head else []
        found = [_LINE.fullmatch(line) for line in lines]
        self.facts.events = len(lines)
        self.facts.damaged = found.count(None)
        self.facts.truncated = stream.damage or (None if data.endswith(b"\n") else "the last line is not complete")
        if head is None or self.facts.events == self.facts.damaged:
            raise UnreadableInput(f"cannot read {self._given.source.path}", "it holds no kernel", "Record it again.")
        self.facts.recorder_version = head[1].decode()
        self.facts.head = {"distributedInfo": {"rank": int(head[2])}} if head[2] else {}
        rows = [(at, *match.groups()) for at, match in enumerate(found) if match is not None]
        names = list(dict.fromkeys(row[1] for row in rows))
        columns = {
            "event": [row[0] for row in rows],
            "name": [names.index(row[1]) for row in rows],
            "start_ns": [int(row[2]) for row in rows],
            "duration_ns": [int(row[3]) for row in rows],
            "stream": [int(row[4]) for row in rows],
            "activity": [KERNEL for _ in rows],
        }
        types = STORE_TABLES["activity"]
        yield "activity", pl.DataFrame(columns, schema={name: types[name] for name in columns})
        yield "texts", pl.DataFrame({"text": names}, schema={"text": pl.String})
