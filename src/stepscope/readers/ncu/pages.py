"""What ``ncu --csv --page raw`` and ``--page details`` print, perhaps behind other output.

The raw page has a row for each kernel and a column for each metric, units in the second row. The details page has a row
for each metric under its label, and for each sentence of a rule.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.formats import Input
from stepscope.readers.ncu.format import PAGE, SOURCE_PAGE
from stepscope.readers.ncu.labels import metric_of
from stepscope.readers.ncu.report import ReportFacts
from stepscope.readers.ncu.rows import KERNEL, RANGE, Kernel, Metrics, Rows, Rule
from stepscope.readers.ncu.units import based
from stepscope.readers.telemetry.samples import whole_text

RAW, DETAILS = "raw", "details"
_BEGINS = re.compile(PAGE.pattern.decode())
_DETAILS = ("Section Name", "Metric Name", "Metric Unit", "Metric Value")
_RULE = ("Rule Name", "Rule Type", "Rule Description")
_FIXED = (
    *("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream"),
    *("Block Size", "Grid Size", "Device", "CC"),
)
_SIZES = re.compile(r"\(?\s*(\d{1,10}),\s*(\d{1,10}),\s*(\d{1,10})\s*\)?")
_NUMBER = re.compile(r"([-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)(?: \(.*\))?", re.DOTALL)
"""A number; thousands are separated, and values of instances may follow in parentheses."""

_WHOLE = re.compile(r"\d{1,18}")
_MISSING = ("", "no data", "n/a", "nan")

Cells = dict[str, str]
Value = tuple[str, str, str]
"""A metric, its unit and its value, as they stand."""


class PageReading:
    """One pass: iterate `tables` to the end, then look at `facts`."""

    def __init__(self, given: Input) -> None:
        self.facts = ReportFacts()
        self._given = given
        self._rows = Rows()
        self._used: set[int] = set()

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: it holds no kernel, or its row of units is missing.
        """
        text = whole_text(self._given)
        lines = self._lines(text)
        header = next(lines, [])
        self.facts.page = DETAILS if set(_DETAILS) <= set(header) else RAW
        read = self._details if self.facts.page == DETAILS else self._raw
        yield from read(header, lines)
        stream = self._given.stream
        self.facts.truncated = (stream.damage if stream is not None else None) or self._cut(text)
        self.facts.events = len(self._rows.kernels) + self.facts.damaged
        if not self._rows.kernels:
            raise self._refused(text, header)
        yield from self._rows.frames(last=True)

    def _cut(self, text: str) -> Message | None:
        """Whether the page ends within a row: who copied it may have left out the end of the last line, no more."""
        is_whole = text.endswith(('"', '",')) and self._rows.kernels and not self.facts.damaged
        return None if text.endswith("\n") or is_whole else Message("reader-ncu-page-cut")

    def _refused(self, text: str, header: list[str]) -> UnreadableInput:
        """Why there is no kernel."""
        tried = Message("error-cannot-read", path=self._given.source.path)
        if not header and SOURCE_PAGE.search(text.encode()):
            return UnreadableInput(tried, Message("reader-ncu-source-page"), Message("reader-ncu-open-report"))
        if self.facts.truncated is not None:
            return UnreadableInput(tried, self.facts.truncated, Message("reader-copy-again"))
        return UnreadableInput(tried, Message("reader-ncu-no-kernel"), Message("reader-ncu-profile-again"))

    def _lines(self, text: str) -> Iterator[list[str]]:
        """The rows from the header on; what is none ends them and is counted."""
        begin = _BEGINS.search(text)
        rows = csv.reader(io.StringIO(text[begin.start() :] if begin else "", newline=""))
        while True:
            try:
                yield next(rows)
            except StopIteration:
                return
            except csv.Error:
                self.facts.damaged += 1

    def _raw(self, header: list[str], lines: Iterator[list[str]]) -> Iterator[tuple[str, pl.DataFrame]]:
        metrics = [(at, name) for at, name in enumerate(header) if name not in _FIXED]
        units = next(lines, [])
        if _whole(dict(zip(header, units, strict=False)).get("ID", "")) is not None:
            # A kernel stands where the units do. Without them a duration may be 37 ns or 37 ms.
            tried = Message("error-cannot-read", path=self._given.source.path)
            raise UnreadableInput(tried, Message("reader-ncu-no-units"), Message("reader-ncu-export-again"))
        for line in lines:
            if len(line) != len(header) or len(units) != len(header):
                self._lost(header, line)
                continue
            values = [(name, units[at], line[at]) for at, name in metrics]
            self._add(dict(zip(header, line, strict=True)), values, [])
            yield from self._rows.frames()

    def _lost(self, header: list[str], line: list[str]) -> None:
        """Note a row that is not whole; what is no row of a kernel is counted."""
        row = dict(zip(header, line, strict=False))
        known = _whole(row.get("ID", ""))
        if known is None:
            self.facts.damaged += bool(line)
        else:
            self.facts.lost(known, row.get("Kernel Name", ""))

    def _details(self, header: list[str], lines: Iterator[list[str]]) -> Iterator[tuple[str, pl.DataFrame]]:
        kernel: Cells = {}
        values: list[Value] = []
        rules: list[Rule] = []
        for line in lines:
            if not set(_DETAILS) <= set(header[: len(line)]):
                self.facts.damaged += bool(line)
                continue
            row = dict(zip(header, line, strict=False))
            if kernel and any(row.get(name) != kernel.get(name) for name in ("ID", "Kernel Name")):
                self._add(kernel, values, rules)
                values, rules = [], []
                yield from self._rows.frames()
            kernel = row
            if row["Metric Name"]:
                section = row["Section Name"]
                values.append((metric_of(section, row["Metric Name"]), row["Metric Unit"], row["Metric Value"]))
            elif row.get("Rule Name"):
                rules.append(_rule(row))
        if kernel:
            self._add(kernel, values, rules)

    def _add(self, row: Cells, values: Sequence[Value], rules: Sequence[Rule]) -> None:
        code = self._rows.code
        units = {unit: based(unit) for unit in {unit for _, unit, _ in values}}
        numbers = np.array([number(cell) * units[unit][0] for _, unit, cell in values], np.float64)
        texts = [code("" if number(cell) == number(cell) else _text(cell)) for _, _, cell in values]
        names = np.array([code(name) for name, _, _ in values], np.uint32)
        bases = np.array([code(units[unit][1]) for _, unit, _ in values], np.uint32)
        none = np.zeros(len(names), np.int64)
        metrics = Metrics(names, bases, numbers, np.array(texts, np.uint32), none)
        self._rows.add(self._kernel(row), metrics, rules)

    def _kernel(self, row: Cells) -> Kernel:
        wanted = _whole(row.get("ID", ""))
        free = max(self._used, default=-1) + 1
        chosen = free if wanted is None or wanted in self._used else wanted
        self._used.add(chosen)
        return Kernel(
            chosen,
            row.get("Kernel Name", ""),
            process_id=_whole(row.get("Process ID", "")),
            process=row.get("Process Name", ""),
            device=_whole(row.get("Device", "")),
            context=_whole(row.get("Context", "")),
            stream=_whole(row.get("Stream", "")),
            grid=_sizes(row.get("Grid Size", "")),
            block=_sizes(row.get("Block Size", "")),
            kind=RANGE if row.get("Kernel Name") == RANGE and not row.get("Block Size") else KERNEL,
        )


def number(cell: str) -> float:
    """The number in a cell, NaN where it holds none.

    >>> number("1,595,986"), number("0.03"), number("3 (1; 2)"), number("PolicySpread")
    (1595986.0, 0.03, 3.0, nan)
    """
    found = _NUMBER.fullmatch(cell)
    return float(found[1].replace(",", "")) if found else float("nan")


def _text(cell: str) -> str:
    return "" if cell in _MISSING else cell


def _rule(row: Cells) -> Rule:
    name, kind, message = (row.get(column, "") for column in _RULE)
    speedup = number(row.get("Estimated Speedup", ""))
    scope = row.get("Estimated Speedup Type", "")
    known = None if speedup != speedup else speedup
    return Rule(row["Section Name"], name, "", kind, message, scope, known)


def _whole(cell: str) -> int | None:
    return int(cell) if _WHOLE.fullmatch(cell) else None


def _sizes(cell: str) -> tuple[int | None, ...]:
    """Sizes in three dimensions.

    >>> _sizes("(256, 1, 1)")
    (256, 1, 1)
    """
    found = _SIZES.fullmatch(cell)
    return tuple(int(size) for size in found.groups()) if found else (None, None, None)
