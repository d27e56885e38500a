"""Frames of a database made frames of the store."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.readers.nsys.export import Export
from stepscope.readers.nsys.processes import Processes, identity
from stepscope.readers.pooled_texts import codes_of
from stepscope.schema import PART, STORE_TABLES

_VERSION = rb"_v\d+$"
"""As in ``cudaLaunchKernel_v7000``."""

_ID_BITS = (1 << 24) - 1
_CORRELATION_BITS = 32
"""Numbers of launches count from one in each process."""


class Events:
    """Numbers the rows of a recording, and makes codes of what is no text yet.

    Args:
        export: takes the texts.

    Attributes:
        count: rows so far.
        broken: rows so far that no table holds, because they have no time or end before they start.
        processes: whose rows they are.
        devices: which part has work of which GPU.
        foreign: rows of other programs, which were left out.
    """

    def __init__(self, export: Export) -> None:
        self.count = 0
        self.broken = 0
        self.processes = Processes(export)
        self.foreign = 0
        self.devices: set[tuple[int, int]] = set()
        self._export = export

    def code(self, text: str) -> pl.Expr:
        """A text that all rows have."""
        return pl.lit(int(self._export.texts.add([text.encode()])[0]), pl.UInt32)

    def codes(self, texts: pl.Series) -> pl.Series:
        """Codes of texts of which few are distinct."""
        return codes_of(texts, self._export.texts)

    def strings(self, frame: pl.DataFrame, column: str) -> pl.Series:
        """Codes of the texts that a column names by their numbers."""
        return self._export.string_codes(frame[column])

    def functions(self, frame: pl.DataFrame) -> pl.Series:
        """Codes of the functions that rows name, without the version that nsys appends."""
        return self._export.string_codes(frame["nameId"], _VERSION)

    def numbers(self, frame: pl.DataFrame, column: str) -> pl.Series:
        """Codes of numbers as texts."""
        return self.codes(frame[column].cast(pl.String))

    def of_host(self, frame: pl.DataFrame) -> list[pl.Series]:
        """Columns process, thread and part of rows that name their thread in one number."""
        ids = frame.select(process=_process("globalTid"), thread=pl.col("globalTid") & _ID_BITS)
        named = [self.numbers(ids, name).alias(name) for name in ("process", "thread")]
        return [*named, self.processes.parts(frame, "globalTid")]

    def of_gpu(self, frame: pl.DataFrame) -> list[pl.Series]:
        """Columns correlation and part of rows that name their process and device."""
        part = self.processes.parts(frame, "globalPid")
        self.devices.update(frame.select(part, "deviceId").drop_nulls().unique().iter_rows())
        return [self.correlation(frame, "globalPid"), part]

    def correlation(self, frame: pl.DataFrame, column: str) -> pl.Series:
        """Numbers of launches that are unique in the file. The parts of the rows have to be known."""
        own = frame.select(identity(column).alias("process"), "correlationId")
        number = own["process"].replace_strict(self.processes.order, default=0, return_dtype=pl.Int64).fill_null(0)
        return (own["correlationId"] + number * (1 << _CORRELATION_BITS)).alias("correlation")

    def table(self, name: str, frame: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
        """A frame with the columns of a stored table, its rows numbered; those without a time are counted, no more."""
        frame = frame.with_row_index("event", self.count)
        self.count += len(frame)
        timed = [pl.col("start_ns").is_not_null()] if "start_ns" in frame.columns else []
        timed += [pl.col("duration_ns") >= 0] if "duration_ns" in frame.columns else []
        whole = frame.filter(*timed) if timed else frame
        self.broken += len(frame) - len(whole)
        frame = whole
        types = STORE_TABLES[name] | {PART: pl.UInt16}
        if len(frame):
            yield name, frame.select(pl.col(column).cast(types[column]) for column in frame.columns if column in types)

    def facts_table(self, name: str, frame: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
        """A frame with the columns of a stored table whose rows are no events."""
        types = STORE_TABLES[name] | {PART: pl.UInt16}
        if len(frame):
            yield name, frame.select(pl.col(column).cast(types[column]) for column in frame.columns if column in types)


def timed(frame: pl.DataFrame) -> list[pl.Expr]:
    """Start and length of rows with columns start and end."""
    return [pl.col("start").alias("start_ns"), (pl.col("end") - pl.col("start")).alias("duration_ns")]


def _process(column: str) -> pl.Expr:
    return identity(column) & _ID_BITS
