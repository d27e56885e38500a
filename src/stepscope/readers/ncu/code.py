"""What a report says of single instructions and of the lines they come from.

A kernel has values by the address of an instruction; where its functions stand, their bits and their lines are in
records of code, which may follow the kernel: rows are made at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.wire import MALFORMED, UINT32, UINT64, instance_values
from stepscope.readers.ncu.cubin import Function, functions
from stepscope.readers.ncu.fields import Bytes, Fields, Ints, MalformedReport
from stepscope.readers.ncu.rows import Rows
from stepscope.readers.ncu.sass import WIDTH
from stepscope.schema import STORE_TABLES

SAMPLES = "smsp__pcsamp_sample_count"
STALL = "smsp__pcsamp_warps_issue_stalled_"
NOT_ISSUED = "_not_issued"
COLUMNS = {
    "samples": SAMPLES,
    "executed": "inst_executed",
    "thread_executed": "thread_inst_executed",
    "sectors": "memory_l2_theoretical_sectors_global",
    "ideal_sectors": "memory_l2_theoretical_sectors_global_ideal",
    "wavefronts": "memory_l1_wavefronts_shared",
    "ideal_wavefronts": "memory_l1_wavefronts_shared_ideal",
}
"""Metrics with a value for each instruction, by the column that they are."""

_UNKNOWN = Function(b"", 0)
_MOST_FILLED = 4
"""Instructions without a value have a row, too, as long as there are no more than this times those with one."""

Values = Mapping[str, tuple[Ints, npt.NDArray[np.float64]]]
"""By metric: addresses, and values at them."""


def is_of_instructions(metric: str) -> bool:
    """Whether the values of a metric's instances are read."""
    return metric in COLUMNS.values() or metric.startswith(STALL)


def by_address(metric: Fields) -> tuple[Ints, npt.NDArray[np.float64]]:
    """The addresses that a metric has values of, and these.

    Raises:
        MalformedReport: an instance is damaged.
    """
    spans = metric.spans(3)
    found = np.empty((len(spans), 4), np.int64)
    instance_values(metric.buffer, spans, found)
    if (found[:, (0, 2)] == MALFORMED).any():
        raise MalformedReport("an instance of a metric is damaged")
    found = found[np.isin(found[:, (0, 2)], (UINT32, UINT64)).all(axis=1) & (found[:, 1] >= 0) & (found[:, 3] >= 0)]
    return found[:, 1].copy(), found[:, 3].astype(np.float64)


@dataclass(frozen=True)
class _Profiled:
    """A kernel with values of its instructions."""

    number: int
    mangled: str
    function: str
    source: int | None
    values: Values


@dataclass
class Code:
    """The code in a report, and the kernels whose instructions have values.

    Attributes:
        functions: by record and mangled name.
        places: by record: where functions begin, and their mangled names.
        files: texts of sources, by path.
    """

    functions: dict[int, dict[str, Function]] = field(default_factory=dict)
    places: dict[int, dict[int, str]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    kernels: list[_Profiled] = field(default_factory=list)

    def add(self, message: Bytes) -> None:
        """Take a record of code.

        Raises:
            MalformedReport: it is damaged.
        """
        record = Fields(message)
        number = record.whole(1) or 0
        for start, end in record.spans(4).tolist():
            self.functions.setdefault(number, {}).update(functions(message[start:end].tobytes()))
        for one in record.part(8).parts(1):
            self.files.setdefault(one.text(1), one.text(2))
        for one in record.part(9).parts(1):
            address = one.whole(2)
            if address is not None and address < 1 << 62:
                self.places.setdefault(number, {})[address] = one.text(1)

    def profiled(self, number: int, kernel: Fields, values: Values) -> None:
        """Take a kernel, by the fields of its result."""
        if any(len(addresses) for addresses, _ in values.values()):
            source = kernel.part(15).whole(1)
            self.kernels.append(_Profiled(number, kernel.text(5), kernel.text(6), source, values))

    def frames(self, rows: Rows) -> Iterator[tuple[str, pl.DataFrame]]:
        """The tables of instructions, of the samples of each by warp state, and of the lines that they come from."""
        lines: set[tuple[str, int]] = set()
        for kernel in self.kernels:
            for name, own in self._functions_of(kernel):
                function = self.functions.get(kernel.source or 0, {}).get(name, _UNKNOWN)
                shown = kernel.function if name == kernel.mangled else name
                yield from _rows_of(kernel.number, shown, function, own, rows, lines)
        if lines:
            yield "source_line", self._lines(lines, rows)

    def _functions_of(self, kernel: _Profiled) -> Iterator[tuple[str, Values]]:
        """The functions in which a kernel has values, and these by offset."""
        places = self.places.get(kernel.source or 0, {})
        starts = np.array(sorted(places), np.int64)
        inside = {
            metric: (np.searchsorted(starts, addresses, "right") - 1, addresses, values)
            for metric, (addresses, values) in kernel.values.items()
        }
        for at in sorted({int(one) for which, _, _ in inside.values() for one in np.unique(which) if one >= 0}):
            own = {
                metric: (addresses[which == at] - starts[at], values[which == at])
                for metric, (which, addresses, values) in inside.items()
            }
            yield places[int(starts[at])], own

    def _lines(self, lines: set[tuple[str, int]], rows: Rows) -> pl.DataFrame:
        """The text of lines, where the report holds it."""
        texts = {path: self.files[path].splitlines() for path in {path for path, _ in lines} if path in self.files}
        known = [
            {"file": rows.code(path), "line": line, "text": rows.code(texts[path][line - 1])}
            for path, line in sorted(lines)
            if path in texts and line <= len(texts[path])
        ]
        return pl.DataFrame(known, schema=STORE_TABLES["source_line"])


def _rows_of(
    number: int, shown: str, function: Function, values: Values, rows: Rows, lines: set[tuple[str, int]]
) -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows of one function of a kernel."""
    offsets = _offsets(function, values)
    counts = {name: _at(offsets, *values[metric]) if metric in values else None for name, metric in COLUMNS.items()}
    missing = [metric for metric in values if metric.startswith(STALL) and metric.endswith(NOT_ISSUED)]
    waiting = sum(_at(offsets, *values[metric]) for metric in missing) if missing else None
    places = [function.line(offset) for offset in offsets.tolist()]
    lines.update(place for place in places if place is not None)
    columns = {
        "kernel": np.full(len(offsets), number),
        "function": np.full(len(offsets), rows.code(shown)),
        "offset": offsets,
        "opcode": [rows.code(function.opcode(offset)) for offset in offsets.tolist()],
        "file": [rows.code(place[0] if place else "") for place in places],
        "line": [place[1] if place else None for place in places],
        **counts,
        "not_issued": waiting,
    }
    schema = STORE_TABLES["kernel_instruction"]
    known = {name: value for name, value in columns.items() if value is not None}
    frame = pl.DataFrame(known, schema={name: schema[name] for name in known}, strict=False)
    absent = [pl.lit(None, schema[name]).alias(name) for name in schema if name not in known]
    yield "kernel_instruction", frame.with_columns(absent).select(list(schema))
    yield "kernel_sample", _samples(number, shown, values, rows)


def _offsets(function: Function, values: Values) -> Ints:
    """The instructions that have a row, in order."""
    own = np.unique(np.concatenate([addresses for addresses, _ in values.values()]))
    if function.instructions <= _MOST_FILLED * len(own):
        own = np.union1d(own, np.arange(function.instructions, dtype=np.int64) * WIDTH)
    return own


def _at(offsets: Ints, own: Ints, values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """The values of some instructions, 0 where there is none; of one that stands twice their sum."""
    found = np.zeros(len(offsets))
    np.add.at(found, np.searchsorted(offsets, own), values)
    return np.minimum(found, 2.0**62).astype(np.int64)


def _samples(number: int, shown: str, values: Values, rows: Rows) -> pl.DataFrame:
    """Samples by instruction and warp state."""
    schema = STORE_TABLES["kernel_sample"]
    parts = [pl.DataFrame(schema=schema)]
    for metric in values:
        if not metric.startswith(STALL) or metric.endswith(NOT_ISSUED):
            continue
        offsets = np.unique(np.concatenate([values[metric][0], values.get(metric + NOT_ISSUED, values[metric])[0]]))
        every = _at(offsets, *values[metric])
        waiting = _at(offsets, *values[metric + NOT_ISSUED]) if metric + NOT_ISSUED in values else every * 0
        columns = {
            "kernel": np.full(len(offsets), number),
            "function": np.full(len(offsets), rows.code(shown)),
            "offset": offsets,
            "reason": np.full(len(offsets), rows.code(metric.removeprefix(STALL))),
            "samples": every,
            "not_issued": waiting,
        }
        frame = pl.DataFrame(columns, schema=schema)
        parts.append(frame.filter((pl.col("samples") > 0) | (pl.col("not_issued") > 0)))
    return pl.concat(parts)
