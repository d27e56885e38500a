"""Read bytes as if they were a file."""

from __future__ import annotations

import io
import json
from typing import Any

from readers.reproduction import Tables, gather
from stepscope.readers.facts import KinetoFacts
from stepscope.readers.kineto import KinetoReader
from stepscope.readers.sources import Fingerprint, Source


class Memory(Source):
    """A file that is only bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__("trace.json")
        object.__setattr__(self, "data", data)

    def fingerprint(self) -> Fingerprint:
        return Fingerprint(self.path, len(self.data), "")

    def open_raw(self) -> io.BytesIO:
        return io.BytesIO(self.data)


def read(data: bytes, max_bytes: int | None = None, **options: Any) -> tuple[Tables, KinetoFacts]:
    """All tables of some bytes, and the facts. ``options`` are those of `KinetoReader`."""
    with Memory(data).open(max_bytes) as stream:
        reader = KinetoReader(stream, **options)
        return gather(reader.tables()), reader.facts


def trace(*events: Any, **members: Any) -> bytes:
    """A trace of some events, which may be ready-made JSON text; ``members`` stand before them."""
    texts = [event if isinstance(event, str) else json.dumps(event) for event in events]
    return b"".join(
        [
            json.dumps(members)[:-1].encode(),
            b", " if members else b"",
            b'"traceEvents": [\n',
            ",\n".join(texts).encode("utf-8", "surrogateescape"),
            b"\n]}",
        ]
    )
