"""What every reader keeps to, checked from one good file of its format.

A reader of a folder or a database gives its files as ``files``; the first one is damaged, emptied and cut.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.readers import registry
from stepscope.readers.facts import Facts
from stepscope.readers.formats import OTHER, Input, Reader
from stepscope.readers.kineto_format import Kineto
from stepscope.readers.sources import Source
from stepscope.schema import PART, STORE_TABLES


@dataclass(frozen=True)
class Example:
    """A good recording of a format.

    Attributes:
        reader: of the format.
        file: name of the file.
        content: what it holds.
        beside: other files of the recording.
        is_folder: whether the folder of the files is the recording.
    """

    reader: Reader
    file: str
    content: bytes
    beside: Mapping[str, bytes] = field(default_factory=dict)
    is_folder: bool = False

    def write(self, folder: Path, content: bytes | None = None, alone: bool = False) -> Source:
        """The recording in a folder, with other content if some is given, and perhaps without its other files."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in self.beside.items():
            if not alone:
                (folder / name).write_bytes(data)
        path = folder / self.file
        path.write_bytes(self.content if content is None else content)
        if self.is_folder:
            return Source(str(folder))
        return Source(str(path), tuple(str(folder / name) for name in self.beside))


@dataclass(frozen=True)
class Read:
    """What a reader made of a source."""

    frames: dict[str, pl.DataFrame]
    order: list[str]
    facts: Facts


def read(reader: Reader, source: Source) -> Read:
    """Read it whole, parts put together.

    Raises:
        UnreadableInput: the reader refuses it.
    """
    with nullcontext() if source.is_folder else source.open() as stream:
        reading = reader.read(Input(source, stream, workers=1))
        parts: dict[str, list[pl.DataFrame]] = {}
        order = []
        for table, frame in reading.tables():
            parts.setdefault(table, []).append(frame)
            order.append(table)
    frames = {table: pl.concat(several, how="diagonal") for table, several in parts.items()}
    return Read(frames, order, reading.facts)


def check_example(example: Example, folder: Path) -> None:
    """A good recording: recognised, its recorder named, each event in one table, types as the schema says."""
    source = example.write(folder)
    match = registry.recognised(source)
    reader = example.reader
    assert (match.kind, match.recorder, match.format) == (reader.kind, reader.recorder, reader.name)
    assert (match.is_read, match.reason) == (True, None)
    # A format without names of its own is found by those of the last reader, whose files are looked at anyway.
    assert example.is_folder or example.file.lower().endswith(reader.suffixes or Kineto.suffixes)
    found = read(reader, source)
    assert found.facts.recorder == reader.recorder
    assert (found.facts.damaged, found.facts.truncated) == (0, None)
    check_sound(found)


_NO_EVENTS = {table for table, types in STORE_TABLES.items() if "event" not in types} | {"extras"}


def check_sound(found: Read) -> None:
    """Nothing is dropped silently, and the store can hold it."""
    assert found.order[-1] == "texts"
    events = [frame["event"] for table, frame in found.frames.items() if table not in _NO_EVENTS]
    numbers = pl.concat([pl.Series("event", [], dtype=pl.UInt32), *events])
    assert numbers.n_unique() == len(numbers), "an event is in two tables"
    lost = found.facts.damaged + getattr(found.facts, "not_objects", 0)
    assert len(numbers) + lost == found.facts.events, "events are missing without a word"
    texts = len(found.frames["texts"])
    for table, frame in found.frames.items():
        types = STORE_TABLES[table] | ({} if table == "texts" else {PART: pl.UInt16})
        assert {name: types[name] for name in frame.columns} == dict(frame.schema)
        codes = [frame[name].max() for name in frame.columns if types[name] == pl.UInt32 and name != "event"]
        assert all(code < texts for code in codes if isinstance(code, int))


def check_determinism(example: Example, folder: Path) -> None:
    """Two passes give the same."""
    source = example.write(folder)
    first, second = (read(example.reader, source) for _ in range(2))
    assert first.facts == second.facts
    assert first.order == second.order
    assert all(first.frames[table].equals(second.frames[table]) for table in first.frames)


def check_damage(example: Example, folder: Path) -> None:
    """Whatever is cut or changed: a sound result, or one sentence; the same each time."""
    for at, content in enumerate(_damaged(example.content)):
        source = example.write(folder / str(at), content)
        outcomes = [_outcome(lambda source=source: read(example.reader, source)) for _ in range(2)]  # type: ignore[misc]
        assert outcomes[0] == outcomes[1]
        match = registry.recognised(source)
        assert match.kind == OTHER or match.recorder


def check_empty(example: Example, folder: Path) -> None:
    """An empty file, and one that is something else, are refused."""
    for at, content in enumerate((b"", b"\0" * 100, b"\n\n", b"hello, world\n", bytes(range(256)) * 8)):
        source = example.write(folder / str(at), content, alone=example.is_folder)
        outcome = _outcome(lambda source=source: read(example.reader, source))  # type: ignore[misc]
        assert outcome, f"{content[:20]!r} was read as a recording"


def _outcome(attempt: Callable[[], Read]) -> str:
    """The sentence of a refusal, "" where it was read."""
    try:
        found = attempt()
    except UnreadableInput as refused:
        error = refused
    else:
        check_sound(found)
        return ""
    assert "\n" not in str(error)
    assert all((error.tried, error.found, error.advice))
    return str(error)


def _damaged(content: bytes) -> Iterator[bytes]:
    """The content cut at many places, and with bytes changed, from one seed."""
    dice = random.Random(7)
    for at in sorted({0, 1, len(content) - 1, *(dice.randrange(len(content)) for _ in range(25))}):
        yield content[:at]
    for _ in range(40):
        changed = bytearray(content)
        for _ in range(dice.choice((1, 2, 8))):
            changed[dice.randrange(len(changed))] = dice.choice((0, 0x0A, 0x22, 0x2C, 0x7B, 0xFF, dice.randrange(256)))
        yield bytes(changed)
    yield content * 2
    yield content + b"\xff" * 1000
