"""An exported database: which tables it has, and their rows as columns."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.numeric.bytescan import NULL
from stepscope.numeric.pool import SharedPool, new_pool
from stepscope.numeric.sqlite_rows import DONE, INTEGER, ROW_ID, TEXT, decode_rows, rows_on
from stepscope.readers.nsys.export import Export
from stepscope.readers.nsys.pages import Pages
from stepscope.readers.sources import Source, Stream

MAGIC = b"SQLite format 3\0"
DAMAGE = (sqlite3.Error, UnicodeDecodeError)
"""What a damaged database raises: its complaints quote names, which may be no UTF-8."""

ASKED: ContextVar[dict[str, set[str]] | None] = ContextVar("asked", default=None)
"""Where somebody wants to know what is read: takes columns by table."""

_TYPES = {INTEGER: pl.Int64, TEXT: pl.UInt32}
_ROWS = 50_000
_SHORTEST_ROW = 4
"""Bytes of the shortest row and the number of its place; a page that counts more rows is damaged."""


class Database(Export):
    """A database that is read, and never written.

    Args:
        source: the file; one that is remote or compressed is unpacked into a temporary one.
        stream: its bytes.
        texts: takes the texts that are read.

    Raises:
        UnreadableInput: it is no database, or its list of tables is damaged.
    """

    def __init__(self, source: Source, stream: Stream, texts: SharedPool) -> None:
        super().__init__(texts)
        self._source = source
        self._folder: str | None = None
        self._path: str = source.path if not source.is_remote and not stream.is_gzip else self._unpacked(stream)
        self._pages = Pages(self._path)
        self.damage = self._pages.damage
        try:
            # Immutable: nothing is locked or created beside the user's file.
            uri = f"file:{quote(os.path.abspath(self._path))}?mode=ro&immutable=1"
            self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
            self._connection.text_factory = bytes
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._roots = {
                name.decode("utf-8", "replace"): root
                for name, root in self._connection.execute(
                    "SELECT name, rootpage FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
                )
            }
        except DAMAGE as error:
            self.close()
            raise self._unreadable() from error

    def close(self) -> None:
        if hasattr(self, "_connection"):
            self._connection.close()
        self._pages.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def tables(self) -> list[str]:
        """Names of all tables."""
        return list(self._roots)

    def columns(self, table: str) -> list[str]:
        if table not in self._roots:
            return []
        return [row[1].decode("utf-8", "replace") for row in self._ask(f"PRAGMA table_info({_quoted(table)})")]

    def rows(self, table: str, wanted: Mapping[str, int]) -> Iterator[pl.DataFrame]:
        has = self.columns(table)
        columns = sorted((name for name in wanted if name in has), key=has.index)
        if not columns:
            return
        _note(table, columns)
        kinds = [wanted[name] for name in columns]
        lacking = [pl.lit(None, _TYPES[wanted[name]]).alias(name) for name in wanted if name not in has]
        read = 0
        for frame in self._decoded(table, [has.index(name) for name in columns], columns, kinds):
            read += len(frame)
            yield frame.with_columns(lacking)
        if not self._is_whole:
            for frame in self._selected(table, columns, kinds, read):
                yield frame.with_columns(lacking)

    def values(self, table: str, columns: list[str], most: int = 10_000) -> list[tuple[object, ...]]:
        has = self.columns(table)
        if not has:
            return []
        _note(table, columns)
        chosen = ", ".join(_quoted(name) if name in has else "NULL" for name in columns)
        rows = self._ask(f"SELECT {chosen} FROM {_quoted(table)} LIMIT {most}")
        return [tuple(_plain(value) for value in row) for row in rows]

    def _named(self, ids: list[int]) -> list[tuple[int, bytes]]:
        if not {"id", "value"} <= set(self.columns("StringIds")):
            return []
        marks = ", ".join("?" * len(ids))
        rows = self._ask(f"SELECT id, value FROM StringIds WHERE id IN ({marks})", ids)
        return [(number, text) for number, text in rows if isinstance(text, bytes)]

    def _decoded(self, table: str, places: list[int], columns: list[str], kinds: list[int]) -> Iterator[pl.DataFrame]:
        """Parts that the quick decoder understands; `_is_whole` says whether these are all."""
        self._is_whole = False
        if (TEXT in kinds and not self._pages.is_utf_8) or self._has_odd_columns(table):
            return
        number = self._row_number(table)
        kinds = [ROW_ID if place == number else kind for place, kind in zip(places, kinds, strict=True)]
        for block, count in self._pages.leaves(self._roots[table]):
            frame = self._batch(block, count, places, columns, kinds)
            if frame is None:
                return
            yield frame
        self._is_whole = self._pages.is_whole

    def _batch(
        self, block: npt.NDArray[np.uint8], pages: int, places: list[int], columns: list[str], kinds: list[int]
    ) -> pl.DataFrame | None:
        layout = self._pages.layout
        rows = rows_on(block[: pages * layout.page], layout)
        if rows > len(block) // _SHORTEST_ROW:
            return None
        pool = new_pool(rows * kinds.count(TEXT) + 1)
        out = np.empty((len(columns), rows), np.int64)
        done, status = decode_rows(block, pages, layout, np.array(places), np.array(kinds), pool, out)
        if status != DONE or done != rows:
            return None
        codes = self.texts.absorb(pool, block) if TEXT in kinds else np.empty(0, np.int64)
        return pl.DataFrame([_series(name, out[i], kinds[i], codes) for i, name in enumerate(columns)])

    def _selected(self, table: str, columns: list[str], kinds: list[int], skipped: int) -> Iterator[pl.DataFrame]:
        """The rows behind the first ones, as SQLite itself reads them."""
        chosen = ", ".join(map(_quoted, columns))
        try:
            cursor = self._connection.execute(f"SELECT {chosen} FROM {_quoted(table)} LIMIT -1 OFFSET {skipped}")
            while rows := cursor.fetchmany(_ROWS):
                yield pl.DataFrame(
                    [self._of_values(columns[i], [row[i] for row in rows], kind) for i, kind in enumerate(kinds)]
                )
        except DAMAGE:
            self.damage = self.damage or Message("reader-database-damaged", table=table)

    def _of_values(self, name: str, values: list[object], kind: int) -> pl.Series:
        if kind == INTEGER:
            return pl.Series(name, [value if isinstance(value, int) else None for value in values], pl.Int64)
        texts = [value if isinstance(value, bytes) else None for value in values]
        codes = iter(self.texts.add([text for text in texts if text is not None]).tolist())
        return pl.Series(name, [None if text is None else next(codes) for text in texts], pl.UInt32)

    def _has_odd_columns(self, table: str) -> bool:
        """Whether rows are not what a table's columns are: generated columns, or no row numbers."""
        found = self._ask(f"PRAGMA table_xinfo({_quoted(table)})")
        return any(row[6] for row in found) or (any(row[5] for row in found) and self._row_number(table) is None)

    def _row_number(self, table: str) -> int | None:
        """Place of the column that is the row's own number, which no record holds; None where there is none."""
        keys = [row for row in self._ask(f"PRAGMA table_info({_quoted(table)})") if row[5]]
        return int(keys[0][0]) if len(keys) == 1 and keys[0][2].upper() == b"INTEGER" else None

    def _ask(self, question: str, values: list[int] | None = None) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(question, values or []).fetchall()
        except DAMAGE:
            self.damage = self.damage or Message("reader-database-odd")
            return []

    def _unpacked(self, stream: Stream) -> str:
        self._folder = tempfile.mkdtemp(prefix="stepscope-")
        return str(unpacked(stream, Path(self._folder)))

    def _unreadable(self) -> UnreadableInput:
        tried = Message("error-cannot-read", path=self._source.path)
        return UnreadableInput(tried, self.damage or Message("reader-no-database"), Message("reader-export-again"))


def _note(table: str, columns: list[str]) -> None:
    asked = ASKED.get()
    if asked is not None:
        asked.setdefault(table, set()).update(columns)


def unpacked(stream: Stream, folder: Path) -> Path:
    """A file in a folder with what a stream delivers."""
    path = folder / "export.sqlite"
    buffer = bytearray(1 << 20)
    with path.open("wb") as file:
        while count := stream.read_into(memoryview(buffer)):
            file.write(memoryview(buffer)[:count])
    return path


def _series(name: str, cells: npt.NDArray[np.int64], kind: int, codes: npt.NDArray[np.int64]) -> pl.Series:
    empty = cells == NULL
    if kind == TEXT:
        values = pl.Series(name, codes[np.where(empty, 0, cells)] if len(codes) else np.zeros(len(cells), np.int64))
        values = values.cast(pl.UInt32)
    else:
        values = pl.Series(name, cells)
    return values.set(pl.Series(empty), None) if empty.any() else values


def _plain(value: object) -> object:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
