"""The files of a run, read into the tables of the store: the timeline, and what its analysis says beside it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.ascend import collectives, details, job, matrix, memory
from stepscope.readers.ascend.database import AscendDatabase
from stepscope.readers.ascend.names import (
    ALLOCATIONS,
    ANALYSIS,
    COLLECTIVES,
    DATABASE,
    DATABASE_NAME,
    KERNELS,
    MATRIX,
    MEMORY,
    METADATA,
    MODULES,
    STEPS,
    VIEW,
    files_of,
)
from stepscope.readers.ascend.placing import stored
from stepscope.readers.ascend.recorded import Recorded, collectives_of, steps_of
from stepscope.readers.ascend.texts import TextCodes
from stepscope.readers.ascend.timeline import NPU, TimelineReading
from stepscope.readers.facts import EPOCH, KinetoFacts
from stepscope.readers.formats import Input
from stepscope.readers.run_timeline import RunTimeline
from stepscope.readers.sources import Source
from stepscope.readers.telemetry.samples import whole_text
from stepscope.schema import STORE_TABLES

DAMAGE = (ValueError, OverflowError, OSError, UnreadableInput, csv.Error, pl.exceptions.PolarsError)
"""What parsers raise for a file that is damaged."""

Table = tuple[str, pl.DataFrame]


@dataclass
class AscendFacts(KinetoFacts):
    """Facts of a run on an Ascend NPU.

    Attributes:
        level: of the profiler, "" where the run does not say.
    """

    level: str = ""


class FolderReading:
    """One pass over a folder, or a database alone. Iterate `tables` to the end, then look at `facts`.

    Args:
        recorder: what wrote it.
    """

    def __init__(self, given: Input, recorder: str) -> None:
        self.facts = AscendFacts(recorder)
        self._given = given
        source = given.source
        # A database alone has a name of its own.
        self._files = files_of(source.path) if source.is_folder else {DATABASE_NAME: source.path}
        self._codes = TextCodes(pl.Series("text", [], pl.String))
        self._rank: int | None = None
        self._odd = 0

    def tables(self) -> Iterator[Table]:
        """Yield (table, frame), ``texts`` last.

        Raises:
            UnreadableInput: it holds nothing that is read.
        """
        texts: list[pl.Series] = []
        base = next((name for name in sorted(self._files) if DATABASE.fullmatch(name)), None)
        if VIEW in self._files or base is None:
            yield from self._timeline(texts)
        else:
            yield from self._database(base, texts)
        self._codes = TextCodes(pl.concat(texts) if texts else pl.Series("text", [], pl.String))
        for frame in self._parsed(KERNELS, details.kernels):
            yield from self._events("npu_kernel", frame)
        for frame in self._parsed(STEPS, details.steps):
            yield from self._events("npu_step", frame)
        yield from self._collectives()
        for table, name, parse in _BESIDE:
            for frame in self._parsed(name, parse):
                yield from stored(table, self._coded(table, frame))
        yield from self._analysis()
        self._say()
        self._check()
        yield from (("texts", pl.DataFrame({"text": text})) for text in texts)
        yield "texts", self._codes.added()

    def _timeline(self, texts: list[pl.Series]) -> Iterator[Table]:
        """The tables of the timeline; its texts go to ``texts``."""
        if VIEW not in self._files:
            return
        recorder = self.facts.recorder
        timeline = RunTimeline(self._given, self._files[VIEW], lambda given: TimelineReading(given, recorder))
        yield from timeline.tables()
        texts += timeline.texts
        found = timeline.facts
        if found is None:
            self._lost(VIEW)
            return
        said = {name: getattr(found, name) for name in KinetoFacts.__dataclass_fields__ if name != "recorder"}
        self.facts = replace(self.facts, **said)

    def _database(self, name: str, texts: list[pl.Series]) -> Iterator[Table]:
        """The tables of a database; its texts go to ``texts``."""
        began = False
        try:
            with AscendDatabase(Source(self._files[name]), self._given.max_bytes) as base:
                recorded = Recorded(base)
                for table, frame in recorded.tables():
                    began = True
                    yield table, frame
                found = self._memory_of(base)
                texts.extend(base.texts())
                texts.append(base.codes.added()["text"])
                self._say_of(base, recorded)
                yield from found
        except DAMAGE:
            if began:
                raise
            self._lost(name)

    def _memory_of(self, base: AscendDatabase) -> list[Table]:
        """What a database says of memory, unless files do."""
        found: list[Table] = []
        for table, name, read in (
            ("npu_memory", MEMORY, memory.totals_of),
            ("npu_allocation", ALLOCATIONS, memory.allocations_of),
        ):
            if name not in self._files:
                frame, odd = read(base)
                found += stored(table, frame.with_columns(base.codes.codes(frame["device"])))
                self._odd += odd
        if MODULES not in self._files:
            frame, odd = memory.modules_of(base)
            found += stored(
                "npu_memory", frame.with_columns(map(base.codes.codes, (frame["component"], frame["device"])))
            )
            self._odd += odd
        return found

    def _say_of(self, base: AscendDatabase, recorded: Recorded) -> None:
        """What a database says of the run."""
        facts = self.facts
        facts.clock, facts.events, facts.damaged = EPOCH, recorded.rows + recorded.odd, recorded.odd
        self.facts.skipped(self._odd, "")
        if isinstance(base.damage, Message):
            facts.truncated = base.damage
        names = base.enumeration("NPU_INFO")
        devices = sorted(recorded.devices)
        facts.head = {"deviceProperties": [{"id": one, "name": names.get(one, NPU)[:60]} for one in devices]}
        ranks = base.numbers("RANK_DEVICE_MAP", "rankId", "deviceId")["rankId"].drop_nulls().to_list()
        self._rank = ranks[0] if len(ranks) == 1 and ranks[0] >= 0 else None

    def _analysis(self) -> Iterator[Table]:
        """What the analysis of a database says beside it, unless files do."""
        name = next((name for name in sorted(self._files) if ANALYSIS.fullmatch(name)), None)
        with_times, with_pairs = {STEPS, COLLECTIVES}.isdisjoint(self._files), MATRIX not in self._files
        if name is None or not (with_times or with_pairs):
            return
        steps = rows = links = pairs = pl.DataFrame()
        odd = 0
        try:
            with AscendDatabase(Source(self._files[name]), self._given.max_bytes) as base:
                if with_times:
                    steps, (rows, links) = steps_of(base), collectives_of(base)
                if with_pairs:
                    pairs, odd = matrix.pairs_of(base)
        except DAMAGE:
            self._lost(name)
            return
        self.facts.skipped(odd, name)
        yield from self._events("npu_step", steps)
        yield from self._events("npu_collective", rows)
        yield from stored("npu_link", self._coded("npu_link", links))
        yield from stored("npu_pair", self._coded("npu_pair", pairs))

    def _collectives(self) -> Iterator[Table]:
        if COLLECTIVES not in self._files:
            return
        try:
            rows, links, odd = collectives.collectives(self._text(COLLECTIVES))
        except DAMAGE:
            self._lost(COLLECTIVES)
            return
        self.facts.skipped(odd, COLLECTIVES)
        yield from self._events("npu_collective", rows.with_row_index("collective").cast({"collective": pl.Int64}))
        yield from stored("npu_link", self._coded("npu_link", links))

    def _parsed(self, name: str, parse: Callable[[str], tuple[pl.DataFrame, int]]) -> Iterator[pl.DataFrame]:
        """What a file holds; nothing where it is missing or damaged, which is noted."""
        if name not in self._files:
            return
        try:
            text = self._text(name)
            frame, odd = parse(text)
        except DAMAGE:
            self._lost(name)
            return
        self.facts.skipped(odd, name)
        if name.endswith(".csv"):
            self.facts.ends(text, name)
        yield frame

    def _events(self, table: str, frame: pl.DataFrame) -> Iterator[Table]:
        """Rows of a table, numbered."""
        first = self.facts.events
        self.facts.events += len(frame)
        numbers = pl.int_range(first, first + len(frame), dtype=pl.UInt32, eager=True)
        yield from stored(table, self._coded(table, frame).with_columns(event=numbers))

    def _coded(self, table: str, frame: pl.DataFrame) -> pl.DataFrame:
        wanted = STORE_TABLES[table]
        coded = [name for name in frame.columns if wanted.get(name) == pl.UInt32 and frame[name].dtype == pl.String]
        return frame.with_columns(self._codes.codes(frame[name]).alias(name) for name in coded)

    def _lost(self, name: str) -> None:
        self.facts.unread_files.append(name)

    def _text(self, name: str) -> str:
        """All of a file.

        Raises:
            UnreadableInput: it is gone, or too long.
        """
        source = Source(self._files[name])
        with source.open(self._given.max_bytes) as stream:
            text = whole_text(replace(self._given, source=source, stream=stream))
            if stream.damage is not None:
                self.facts.truncated = stream.damage
        return text

    def _object(self, name: str) -> dict[str, Any]:
        """A file that is one object of JSON; empty where it is missing or is none."""
        if name not in self._files:
            return {}
        try:
            found = json.loads(self._text(name))
        except (*DAMAGE, RecursionError):
            found = None
        if not isinstance(found, dict):
            self._lost(name)
            return {}
        return found

    def _say(self) -> None:
        """What the run says of itself: rank, size of the job, versions, level."""
        facts = self.facts
        name = job.info_name(self._files)
        info = self._object(name)
        facts.head |= {"distributedInfo": job.distributed(name, info, self._object(METADATA), self._rank)}
        versions = [f"{what} {info[key]}"[:40] for what, key in _VERSIONS.items() if isinstance(info.get(key), str)]
        facts.recorder_version = ", ".join(versions)
        config = info.get("config")
        options = config.get("experimental_config") if isinstance(config, dict) else None
        level = options.get("_profiler_level") if isinstance(options, dict) else None
        facts.level = level[:20] if isinstance(level, str) else ""

    def _check(self) -> None:
        """Refuse what holds nothing.

        Raises:
            UnreadableInput: there is no row.
        """
        facts, tried = self.facts, Message("error-cannot-read", path=self._given.source.path)
        if facts.events > facts.damaged:
            return
        if facts.unread_files:
            raise UnreadableInput(
                tried, Message("reader-ascend-damaged", files=facts.unread_files[:3]), Message("reader-ascend-analyse")
            )
        raise UnreadableInput(tried, Message("reader-ascend-raw"), Message("reader-ascend-analyse"))


_BESIDE: tuple[tuple[str, str, Callable[[str], tuple[pl.DataFrame, int]]], ...] = (
    ("npu_pair", MATRIX, matrix.pairs),
    ("npu_memory", MEMORY, memory.totals),
    ("npu_memory", MODULES, memory.modules),
    ("npu_allocation", ALLOCATIONS, memory.allocations),
)
"""Stored tables, the files that they are read of, and how."""

_VERSIONS = {"torch_npu": "torch_npu_version", "MindSpore": "ms_version", "CANN": "cann_version"}
