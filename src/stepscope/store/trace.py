"""One stored trace: its tables as frames, its texts, and facts about the file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.messages import Message
from stepscope.readers.facts import Process
from stepscope.schema import STORE_TABLES
from stepscope.store.checksums import DamagedFile, checksum

KEEP_BYTES = 256 << 20

_WORTH = 2
"""Of fewer rows than one in so many it is worth not to read the others."""

FEW_ROWS = 20_000
"""Of a table with no more rows all columns are read at once: opening its file takes longer than what is in it."""


class Trace:
    """A trace read into the store. Frames hold codes instead of texts; `text` and `texts` turn them back.

    Args:
        folder: where it is stored.
        keep_bytes: most memory for columns that were read before, since analyses ask for the same ones again.
        renew: makes the folder anew, called when a file of it is missing or damaged; None where nothing can.
    """

    def __init__(self, folder: Path, keep_bytes: int = KEEP_BYTES, renew: Callable[[Path], None] | None = None) -> None:
        self.folder = folder
        self._renew = renew
        self._renewing = Lock()
        self._checked: set[Path] = set()
        self._keep_bytes = keep_bytes
        self._lock = Lock()
        self._reading = {table: Lock() for table in STORE_TABLES}
        self._present_in: dict[Path, set[str]] = {}
        self._columns: dict[tuple[str, str], pl.Series] = {}
        self._column_bytes: int | float = 0
        self._occurring: dict[tuple[str, str], npt.NDArray[np.bool_]] = {}
        self._matches: dict[tuple[str, bytes], pl.Series] = {}
        self.lanes: dict[str, Any] = {}
        """By host table, what `nesting.lanes_of` found."""
        self.nestings: dict[str, Any] = {}
        """By host table, what `nesting.host_nesting` found."""
        self.derived: dict[str, pl.DataFrame] | None = None
        """What was computed of it, by name, where that is held here instead of in files of the folder."""
        self.small: dict[str, pl.DataFrame] = {}
        """Small frames of those files, by name."""

    @property
    def keeps(self) -> bool:
        """Whether columns that were read are held."""
        return self._keep_bytes > 0

    @cached_property
    def meta(self) -> dict[str, Any]:
        """Facts of the file and of its reading, see `readers.facts.Facts`."""
        meta: dict[str, Any] = json.loads((self.folder / "meta.json").read_text())
        return meta

    @property
    def head(self) -> dict[str, Any]:
        """Allowed top-level values of the trace."""
        head: dict[str, Any] = self.meta["head"]
        return head

    @property
    def events(self) -> int:
        """Events that were recorded, damaged and odd ones included."""
        return int(self.meta["events"])

    @property
    def truncated(self) -> Message | None:
        """Why the recording's end is missing or was not read; None where it is complete."""
        reason = self.meta["truncated"]
        return Message.of_json(reason) if reason is not None else None

    @property
    def recorder(self) -> str:
        """What wrote it, as Kineto."""
        return str(self.meta["recorder"])

    @property
    def kind(self) -> str:
        """Kind of recording, see `readers.formats`."""
        return str(self.meta["kind"])

    @property
    def processes(self) -> list[Process]:
        """Every process of its recording, see `readers.facts.Facts`."""
        return [Process(**one) for one in self.meta["processes"]]

    @property
    def own_processes(self) -> list[Process]:
        """Those that it holds the rows of: ranks first."""
        return [one for one in self.processes if one.part == self.meta["part"]]

    @property
    def time_base_ns(self) -> int:
        """What its times count from, in ns since 1970; 0 where they count from there or it does not say."""
        return int(self.meta["time_base_ns"])

    def rows(self, table: str) -> int:
        """Number of rows of a stored table."""
        return int(self.meta["rows"].get(table, 0))

    def frame(self, table: str, columns: Sequence[str], keep: bool = True) -> pl.DataFrame:
        """Some columns of a stored table, in file order; columns the trace lacks are null.

        Args:
            table: a name of `schema.STORE_TABLES`.
            columns: names of its columns.
            keep: whether what is read is held for others; false for what nobody else asks for.
        """
        with self._reading[table]:  # who asks for the same meanwhile would read it once more
            with self._lock:
                known = {name: self._columns[table, name] for name in columns if (table, name) in self._columns}
            missing = [name for name in dict.fromkeys(columns) if name not in known]
            wanted = list(STORE_TABLES[table]) if missing and keep and self._holds(table) else missing
            fresh = self._read(table, wanted) if missing else pl.DataFrame()
            if keep and missing:
                with self._lock:
                    self._keep(table, fresh)
        return pl.DataFrame([fresh[name] if name in missing else known[name] for name in columns])

    def hold(self, tables: Mapping[str, pl.DataFrame]) -> None:
        """Keep columns that need not be read, by table."""
        with self._lock:
            for table, columns in tables.items():
                self._keep(table, columns)

    def files(self, table: str) -> list[Path]:
        """The files of a stored table, part by part, each known to hold what was written.

        Raises:
            OSError: one is missing, and cannot be made anew.
            DamagedFile: one does not hold what was written, and cannot be made anew.
            UnreadableInput: the same, because what they were read from has changed.
        """
        try:
            return self._checked_files(table)
        except (OSError, DamagedFile):
            if self._renew is None:
                raise
        with self._renewing:
            self._renew(self.folder)
            self._checked.clear()
        return self._checked_files(table)

    def _checked_files(self, table: str) -> list[Path]:
        paths = [self.folder / f"{table}.{part}.parquet" for part in range(int(self.meta["parts"].get(table, 0)))]
        for path in paths:
            if not path.exists():
                raise FileNotFoundError(path)
            if path in self._checked:
                continue
            if checksum(path) != self.meta["file_sums"][path.name]:
                raise DamagedFile(path)
            self._checked.add(path)
        return paths

    def parts(self, table: str, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        """A stored table part by part, for what needs no more than one of them at a time."""
        if self._holds(table) or all((table, name) in self._columns for name in columns):
            yield self.frame(table, columns)
            return
        for part in self._scanned(table, columns):
            yield part.collect()

    def integers(self, table: str, column: str, missing: int = 0) -> npt.NDArray[np.int64]:
        """A column of a stored table as an array of its own, which may be written to; what is null is ``missing``.

        Where columns are not held it is read part by part into its place: of millions of rows, one column in two
        copies is what most memory goes to.
        """
        if self.keeps:
            found = self.frame(table, [column])[column]
            found = found.fill_null(missing) if found.null_count() else found
            return found.cast(pl.Int64).to_numpy(writable=True)
        values = np.empty(self.rows(table), np.int64)
        at = 0
        for part in self.parts(table, [column]):
            values[at : at + len(part)] = part[column].fill_null(missing).to_numpy()
            at += len(part)
        return values

    def stretch(self, table: str, columns: Sequence[str], first: int, count: int) -> pl.DataFrame:
        """Some rows of a stored table, of which little more is read; what was read before is taken from there.

        Args:
            first, count: number of the first row, and how many.
        """
        held = all((table, name) in self._columns for name in columns)
        if held or count * _WORTH > self.rows(table):
            return self.frame(table, columns).slice(first, count)
        return pl.concat(self._scanned(table, columns)).slice(first, count).collect().rechunk()

    def _read(self, table: str, columns: Sequence[str]) -> pl.DataFrame:
        types = STORE_TABLES[table]
        paths = self.files(table)
        if not paths:
            return pl.DataFrame(schema={name: types[name] for name in columns})
        present = [self._present(path) for path in paths]
        # Polars refuses files of which a later one has columns that the first one lacks, wanted or not.
        if any(names != present[0] for names in present):
            return pl.concat(self._scanned(table, columns)).collect().rechunk()
        wanted = [name for name in columns if name in present[0]]
        # The event numbers give the height where nothing wanted is there. `read_parquet` would take the other engine,
        # which returns columns in many pieces: putting them together would take as long as reading them.
        found = pl.scan_parquet(paths).select(wanted or ["event"]).collect(engine="in-memory")
        found = found.rechunk()  # one piece, as most of numpy wants it
        return _with_absent(found, {name: types[name] for name in columns})

    def _holds(self, table: str) -> bool:
        """Whether all columns of a stored table are held once one of them was read."""
        return self.keeps and self.rows(table) <= FEW_ROWS

    def _scanned(self, table: str, columns: Sequence[str]) -> list[pl.LazyFrame]:
        """The parts of a stored table, not read yet."""
        types = STORE_TABLES[table]
        return [_columns_of(pl.scan_parquet(path), columns, types, self._present(path)) for path in self.files(table)]

    def _present(self, path: Path) -> set[str]:
        """Columns that a file of the store has."""
        if path not in self._present_in:
            self._present_in[path] = set(pl.read_parquet_schema(path))
        return self._present_in[path]

    def _keep(self, table: str, columns: pl.DataFrame) -> None:
        """Keep what was read; the oldest goes when it is too much."""
        for column in columns:
            if (table, column.name) in self._columns:
                continue
            self._columns[table, column.name] = column
            self._column_bytes += column.estimated_size()
        while self._column_bytes > self._keep_bytes:
            oldest = next(iter(self._columns))
            self._column_bytes -= self._columns.pop(oldest).estimated_size()

    def forget(self) -> None:
        """Let go of what can be read again."""
        with self._lock:
            self._columns.clear()
            self._column_bytes = 0
            self._occurring.clear()
            self._matches.clear()
            self.lanes.clear()
            self.nestings.clear()
            self.small.clear()
        for name in ("texts", "_coded_texts", "_name_texts"):
            self.__dict__.pop(name, None)  # where `cached_property` keeps it

    @cached_property
    def texts(self) -> pl.Series:
        """All texts of the trace; a code is an index into it."""
        parts = [pl.read_parquet(path)["text"] for path in self.files("texts")]
        return pl.concat(parts) if parts else pl.Series("text", [], dtype=pl.String)

    def text(self, codes: pl.Series) -> pl.Series:
        """Texts of a column of codes; null stays null."""
        # `gather` plans a query: for a few texts that takes twenty times as long as looking them up.
        found = self.texts[codes] if codes.dtype == pl.UInt32 else self.texts.gather(codes)
        return found.alias(codes.name)

    def codes(self, matches: Callable[[pl.Expr], pl.Expr]) -> pl.Series:
        """Codes of the texts for which an expression over the text is true."""
        return self._matching("_coded_texts", matches)

    def names(self, matches: Callable[[pl.Expr], pl.Expr]) -> pl.Series:
        """Codes of the names of host events for which an expression over the text is true: of few texts, since most
        texts of a trace name nothing."""
        return self._matching("_name_texts", matches)

    def _matching(self, among: str, matches: Callable[[pl.Expr], pl.Expr]) -> pl.Series:
        """Codes of the texts for which an expression is true. Analyses ask for hundreds, for many of them again."""
        expression = matches(pl.col("text"))
        key = (among, expression.meta.serialize())
        if key not in self._matches:
            texts: pl.DataFrame = getattr(self, among)
            self._matches[key] = texts["code"].filter(texts.select(expression).to_series())
        return self._matches[key]

    @cached_property
    def _coded_texts(self) -> pl.DataFrame:
        """All texts: columns code, text."""
        return pl.DataFrame({"text": self.texts}).with_row_index("code")

    @cached_property
    def _name_texts(self) -> pl.DataFrame:
        """Names of host events: columns code, text."""
        occurring = [np.flatnonzero(self._occurring_in(table, "name")[:-1]) for table in _NAMED]
        codes = pl.Series("code", np.unique(np.concatenate(occurring)), pl.UInt32)
        return pl.DataFrame([codes, self.texts.gather(codes).alias("text")])

    def occurring(self, table: str, column: str) -> pl.Series:
        """Codes of the texts that a column of a stored table has, each once."""
        return pl.Series(column, np.flatnonzero(self._occurring_in(table, column)[:-1])).cast(pl.UInt32)

    def by_text(
        self,
        table: str,
        column: str,
        of_codes: pl.Series,
        values: npt.NDArray[np.int64],
        missing: int = 0,
        rows: npt.NDArray[np.int64] | slice = slice(None),
    ) -> npt.NDArray[np.int64]:
        """By row of a stored table, the value that belongs to its text in a column; ``missing`` of others and of null.

        A table over the codes in place of a join: texts are few, rows are many.

        Args:
            rows: the ones that are asked for; else all.
        """
        by_code = np.full(len(self.texts) + 1, missing, np.int64)
        by_code[of_codes.to_numpy()] = values
        return by_code[self._dense_codes(table, column)[rows]]

    def rows_with(self, table: str, codes: pl.Series, column: str = "name") -> npt.NDArray[np.int64]:
        """Rows of a stored table that have one of some codes in a column, in file order.

        Where the column has none of them its rows are not looked at: most of what is looked for is in few traces.
        """
        wanted = self._wanted(codes)
        if not (wanted & self._occurring_in(table, column)).any():
            return np.empty(0, np.int64)
        return np.flatnonzero(wanted[self._dense_codes(table, column)])

    def marked(self, table: str, codes: pl.Series, column: str = "name") -> npt.NDArray[np.bool_]:
        """Whether each row of a stored table has one of some codes in a column, in file order."""
        return self._wanted(codes)[self._dense_codes(table, column)]

    def _wanted(self, codes: pl.Series) -> npt.NDArray[np.bool_]:
        """By code, whether it is one of some."""
        wanted = np.zeros(len(self.texts) + 1, np.bool_)
        wanted[codes.to_numpy()] = True
        return wanted

    def _occurring_in(self, table: str, column: str) -> npt.NDArray[np.bool_]:
        """By code, whether a column has it; behind the last code, whether it has null."""
        known = self._occurring.get((table, column))
        if known is None:
            known = np.zeros(len(self.texts) + 1, np.bool_)
            known[self._dense_codes(table, column)] = True
            self._occurring[table, column] = known
        return known

    def _dense_codes(self, table: str, column: str) -> npt.NDArray[np.uint32]:
        """A column of codes, with one behind the last for null."""
        codes = self.frame(table, [column])[column]
        return (codes.fill_null(len(self.texts)) if codes.null_count() else codes).to_numpy()


_NAMED = ("operator", "runtime", "annotation", "python")


def _with_absent(frame: pl.DataFrame, types: Mapping[str, Any]) -> pl.DataFrame:
    """A frame with the columns that it lacks, which are null."""
    absent = [pl.Series(name, [None], kind) for name, kind in types.items() if name not in frame.columns]
    return pl.DataFrame([*frame, *(one.new_from_index(0, len(frame)) for one in absent)]) if absent else frame


def _columns_of(file: pl.LazyFrame, columns: Sequence[str], types: dict[str, Any], present: set[str]) -> pl.LazyFrame:
    wanted = [name for name in columns if name in present]
    # The event numbers give the height where every wanted column is missing.
    absent = [pl.lit(None, dtype=types[name]).alias(name) for name in columns if name not in present]
    return file.select(wanted or ["event"]).with_columns(absent).select(columns)
