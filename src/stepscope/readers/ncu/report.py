"""Reports of Nsight Compute (``.ncu-rep``), read without its software.

The layout of the messages was found on reports of Nsight Compute 2022.3 and 2025.3; unknown fields are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.numeric.wire import (
    FLOAT32,
    FLOAT64,
    MALFORMED,
    TEXT,
    UINT32,
    UINT64,
    instance_values,
    metric_values,
)
from stepscope.readers.facts import Facts
from stepscope.readers.formats import Input
from stepscope.readers.ncu.blocks import SOURCE, Blocks, CutReport
from stepscope.readers.ncu.code import Code, Values, by_address, is_of_instructions
from stepscope.readers.ncu.fields import Bytes, Fields, Ints, MalformedReport
from stepscope.readers.ncu.format import MAGIC
from stepscope.readers.ncu.markup import plain
from stepscope.readers.ncu.results import LAYOUTS, NAMES_OF_RANGE, Waiting, ranged
from stepscope.readers.ncu.rows import RANGE, Curve, Kernel, Metrics, Rows, Rule
from stepscope.readers.ncu.units import unit_of
from stepscope.readers.sources import Stream

RECORDER = "Nsight Compute"
_KINDS = {0: "", 1: "INF", 2: "WRN", 3: "ERR", 4: "OPT"}
_SCOPES = {0: "", 1: "local", 2: "global"}
_TOOL = "Nsight Compute Target"
CURVES = tuple(f"launch__occupancy_per_{what}" for what in ("register_count", "block_size", "shared_mem_size"))
"""Metrics whose instances are read: warps of an SM at each number of registers, threads of a block, bytes."""

_MOST_NAMED = 5
_DEVICES = ("launch__device_id", "device__attribute_device_index")
_PROPERTIES = {
    "device__attribute_multiprocessor_count": "numSms",
    "device__attribute_compute_capability_major": "computeMajor",
    "device__attribute_compute_capability_minor": "computeMinor",
}
"""Attributes of a device, as a trace's ``deviceProperties`` name them."""


@dataclass
class ReportFacts(Facts):
    """Facts of kernel reports.

    Attributes:
        unread_results: results of other kinds than kernels and ranges of them, by kind: they are not read.
        sources: how many files of code the report holds.
        page: of a CSV, which page of Nsight Compute it is; "" of a report.
        damaged_kernels: number and name ("" where that is lost) of the first kernels that could not be read.
    """

    recorder: str = RECORDER
    unread_results: dict[str, int] = field(default_factory=dict)
    sources: int = 0
    page: str = ""
    damaged_kernels: list[tuple[int, str]] = field(default_factory=list)

    def lost(self, kernel: int, name: str) -> None:
        """Note a kernel that could not be read."""
        self.damaged += 1
        if len(self.damaged_kernels) < _MOST_NAMED:
            self.damaged_kernels.append((kernel, name))


class ReportReading:
    """One pass: iterate `tables` to the end, then look at `facts`."""

    def __init__(self, given: Input, stream: Stream) -> None:
        self.facts = ReportFacts()
        self._given, self._stream = given, stream
        self._rows = Rows()
        self._names = _Names(self._rows)
        self._process: tuple[int | None, str] = None, ""
        self._waiting = Waiting()
        self._results = 0
        self._code = Code()

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: it is no report, or holds no kernel.
        """
        try:
            yield from self._blocks(Blocks(self._stream))
        except CutReport:
            ends = Message("reader-ncu-cut" if self._stream.delivered else "reader-empty")
            self.facts.truncated = self._stream.damage or ends
        except MalformedReport:
            is_other = self._stream.delivered <= len(MAGIC)
            self.facts.truncated = Message("reader-ncu-other" if is_other else "reader-ncu-malformed")
        for kind, message in self._waiting.taken(None):
            self._result(kind, message)
            yield from self._rows.frames()
        self.facts.events = len(self._rows.kernels) + self.facts.damaged
        if not self._rows.kernels:
            tried = Message("error-cannot-read", path=self._given.source.path)
            found = self.facts.truncated or Message("reader-ncu-no-kernel")
            raise UnreadableInput(tried, found, Message("reader-ncu-profile-again"))
        yield from self._code.frames(self._rows)
        yield from self._rows.frames(last=True)

    def _blocks(self, blocks: Blocks) -> Iterator[tuple[str, pl.DataFrame]]:
        blocks.begin()
        for header in blocks.headers():
            self._header(header)
            for kind, message in blocks.messages(header, code=True):
                if kind == SOURCE and message is not None:
                    self._source(message)
                elif kind in LAYOUTS and message is not None:
                    self._waiting.add(kind, message)
                else:
                    self.facts.unread_results[kind] = self.facts.unread_results.get(kind, 0) + 1
                for result in self._waiting.taken(len(self._names)):
                    self._result(*result)
                    yield from self._rows.frames()
            if self._given.progress is not None:
                self._given.progress(self._stream.consumed, len(self._rows.kernels))

    def _header(self, header: Fields) -> None:
        """What the header of a block says of the session, its process and the strings that are new in it."""
        self._names.add(header.part(4).texts(1))
        process = header.part(6)
        self._process = process.whole(1), process.text(3).replace("\\", "/").rpartition("/")[2]
        session = header.part(3)
        for version in session.parts(8):
            if version.text(1) == _TOOL:
                self.facts.recorder_version = version.text(2).partition(" ")[0]
        devices = [_device(one) for one in session.parts(6)]
        if devices:
            self.facts.head.setdefault("deviceProperties", []).extend(devices)

    def _source(self, message: Bytes) -> None:
        """Read a record of code; a damaged one is counted."""
        self.facts.sources += 1
        try:
            self._code.add(message)
        except MalformedReport:
            self.facts.damaged += 1

    def _result(self, kind: str, message: Bytes) -> None:
        """Read a kernel or a range; a damaged one is counted, and keeps its number."""
        self._results += 1
        places = LAYOUTS[kind]
        try:
            fields = Fields(message)
            spans = fields.spans(places.metrics)
            metrics = self._metrics(message, spans)
            curves = [self._curve(Fields(message, *spans[at]), int(metrics.names[at])) for at in self._curved(metrics)]
            rules = [rule for one in fields.parts(places.rules) for rule in _rules(one)]
            sections = tuple(one.text(1) for one in fields.parts(places.sections))
            device = self._device_of(metrics)
            if kind == RANGE:
                one = self._ranged(fields, device, sections, metrics)
            else:
                one = self._launched(fields, device, sections)
                self._code.profiled(one.id, fields, self._by_address(message, spans, metrics))
        except MalformedReport:
            self.facts.lost(self._results - 1, _name_in(message))
            return
        self._rows.add(one, metrics, rules, curves)

    def _launched(self, fields: Fields, device: int | None, sections: tuple[str, ...]) -> Kernel:
        grid, block = fields.part(10), fields.part(11)
        return Kernel(
            self._results - 1,
            fields.text(7) or fields.text(5),
            fields.text(6),
            *self._process,
            device,
            _short(fields.whole(22)),
            _short(fields.whole(23)),
            tuple(_short(grid.whole(axis)) for axis in (1, 2, 3)),
            tuple(_short(block.whole(axis)) for axis in (1, 2, 3)),
            _short(fields.whole(14)),
            sections,
        )

    def _ranged(self, fields: Fields, device: int | None, sections: tuple[str, ...], metrics: Metrics) -> Kernel:
        """A range of kernels: what of a launch would be that of its first kernel is left out."""
        places = LAYOUTS[RANGE]
        at = np.flatnonzero(metrics.names == self._rows.code(NAMES_OF_RANGE))[-1:].tolist()
        named = [Fields(fields.buffer, *fields.spans(places.metrics)[one]) for one in at]
        name, kernels = ranged(named)
        return Kernel(
            self._results - 1,
            name,
            "",
            *self._process,
            device,
            _short(fields.whole(places.context)),
            created_s=_short(fields.whole(places.created)),
            sections=sections,
            kind=RANGE,
            kernels=kernels,
        )

    def _metrics(self, message: Bytes, spans: Ints) -> Metrics:
        """The values of a kernel's metrics.

        Raises:
            MalformedReport: one is damaged, or has a name that is not in the report.
        """
        found = np.empty((len(spans), 5), np.int64)
        metric_values(message, spans, found)
        number, kind, low, high, instances = found.T
        if (kind == MALFORMED).any() or (number < 0).any() or (number >= len(self._names)).any():
            raise MalformedReport("a metric is damaged")
        values = np.full(len(found), np.nan)
        values[kind == FLOAT32] = low[kind == FLOAT32].astype(np.uint32).view(np.float32)
        values[kind == FLOAT64] = low[kind == FLOAT64].view(np.float64)
        whole = (kind == UINT32) | (kind == UINT64)
        values[whole] = low[whole].view(np.uint64)
        texts = np.zeros(len(found), np.uint32)
        for row in np.flatnonzero(kind == TEXT).tolist():
            texts[row] = self._rows.code(message[low[row] : high[row]].tobytes().decode("utf-8", "replace"))
        names, units = self._names.codes(number)
        return Metrics(names, units, values, texts, instances)

    def _curved(self, metrics: Metrics) -> list[int]:
        """Which metrics have a curve that is read."""
        wanted = [self._rows.code(name) for name in CURVES]
        return [int(at) for at in np.flatnonzero(np.isin(metrics.names, wanted) & (metrics.instances > 0))]

    def _by_address(self, message: Bytes, spans: Ints, metrics: Metrics) -> Values:
        """The values of a kernel's instructions, by metric.

        Raises:
            MalformedReport: one is damaged.
        """
        names = list(self._rows.codes)
        several = np.flatnonzero(metrics.instances > 0).tolist()
        named = {names[metrics.names[at]]: at for at in several}
        return {name: by_address(Fields(message, *spans[at])) for name, at in named.items() if is_of_instructions(name)}

    def _curve(self, metric: Fields, name: int) -> Curve:
        """The curve of a metric; what is no whole number of a setting or a value is left out.

        Raises:
            MalformedReport: an instance of it is damaged.
        """
        spans = metric.spans(3)
        found = np.empty((len(spans), 4), np.int64)
        instance_values(metric.buffer, spans, found)
        if (found[:, (0, 2)] == MALFORMED).any():
            raise MalformedReport("an instance of a metric is damaged")
        found = found[np.isin(found[:, (0, 2)], (UINT32, UINT64)).all(axis=1)]
        return Curve(name, found[:, 1].copy(), found[:, 3].astype(np.float64))

    def _device_of(self, metrics: Metrics) -> int | None:
        for name in _DEVICES:
            at = np.flatnonzero(metrics.names == self._rows.code(name))
            if len(at) and np.isfinite(metrics.values[at[-1]]):
                return int(metrics.values[at[-1]])
        return None


class _Names:
    """Names of metrics by their number, as codes of texts, with their units."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._names: list[int] = []
        self._units: list[int] = []

    def __len__(self) -> int:
        return len(self._names)

    def add(self, names: list[str]) -> None:
        self._names += [self._rows.code(name) for name in names]
        self._units += [self._rows.code(unit_of(name)) for name in names]

    def codes(self, numbers: Ints) -> tuple[np.ndarray[Any, np.dtype[np.uint32]], np.ndarray[Any, np.dtype[np.uint32]]]:
        """Codes of names and of units."""
        return np.array(self._names, np.uint32)[numbers], np.array(self._units, np.uint32)[numbers]


def _rules(result: Fields) -> Iterator[Rule]:
    """What a rule says: nothing, or one or several sentences."""
    for item in result.part(3).parts(1):
        said, speedup = item.part(1), item.part(10)
        if not said.text(1):
            continue
        kind = said.whole(2) or 0
        yield Rule(
            result.text(4),
            result.text(1),
            said.text(4) or result.text(2),
            _KINDS.get(kind, str(kind)),
            plain(said.text(1)),
            _SCOPES.get(speedup.whole(1) or 0, ""),
            speedup.real(2),
        )


def _device(fields: Fields) -> dict[str, Any]:
    """A device as a trace's ``deviceProperties`` has it."""
    found: dict[str, Any] = {"id": _short(fields.whole(1)), "name": fields.text(2)}
    for attribute in fields.parts(3):
        name = _PROPERTIES.get(attribute.text(1))
        if name is not None:
            found[name] = attribute.part(2).whole(5)
    return {name: value for name, value in found.items() if value is not None}


def _name_in(message: Bytes) -> str:
    """The name in the message of a damaged kernel; "" where it is lost, too."""
    try:
        fields = Fields(message)
        return fields.text(7) or fields.text(5)
    except MalformedReport:
        return ""


def _short(number: int | None) -> int | None:
    """A number that fits into the store; None of one that does not."""
    return number if number is not None and number < 1 << 63 else None
