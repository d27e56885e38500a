"""An export as a folder with a file for each table: ``nsys export --type=parquetdir`` and ``arrowdir``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.numeric.pool import SharedPool
from stepscope.numeric.sqlite_rows import INTEGER, TEXT
from stepscope.readers.nsys.export import Export
from stepscope.readers.pooled_texts import codes_of
from stepscope.readers.sources import Source, is_below

PARQUET, ARROW = ".parquet", ".arrow"
_TYPES = {INTEGER: pl.Int64, TEXT: pl.String}
_ROWS = 1 << 18
_FILE = b"ARROW1"
"""How a file of Arrow begins; else it is a stream."""

DAMAGE = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)
"""What damaged files of Parquet and Arrow raise."""


Found = TypeVar("Found")


class Folder(Export):
    """A folder of tables.

    Args:
        source: the folder.
        texts: takes the texts that are read.

    Raises:
        UnreadableInput: there is no table in it.
    """

    most_ids = 1 << 20

    def __init__(self, source: Source, texts: SharedPool) -> None:
        super().__init__(texts)
        self._tables = table_files(source.path)
        if not self._tables:
            tried = Message("error-cannot-read", path=source.path)
            raise UnreadableInput(tried, Message("reader-nsys-no-table"), Message("reader-export-again"))
        named = sorted(os.path.splitext(name)[0] for name in os.listdir(source.path) if name.endswith((PARQUET, ARROW)))
        # What leads elsewhere, or is a folder itself, is not read; its rows are missing.
        lost = [table for table in named if table not in self._tables]
        if lost:
            self.damage = Message("reader-database-damaged", table=lost[0])
        self._columns: dict[str, list[str]] = {}

    def close(self) -> None:
        """No file stays open."""

    def columns(self, table: str) -> list[str]:
        if table not in self._tables:
            return []
        if table not in self._columns:
            self._columns[table] = self._tried(table, lambda: _names(self._tables[table]), [])
        return self._columns[table]

    def rows(self, table: str, wanted: Mapping[str, int]) -> Iterator[pl.DataFrame]:
        has = [name for name in self.columns(table) if name in wanted]
        if not has:
            return
        columns = [
            pl.col(name).cast(_TYPES[kind], strict=False) if name in has else pl.lit(None, _TYPES[kind]).alias(name)
            for name, kind in wanted.items()
        ]
        texts = [name for name, kind in wanted.items() if kind == TEXT]
        for made in self._slices(table, columns):
            yield made.with_columns(codes_of(made[name], self.texts) for name in texts)

    def values(self, table: str, columns: list[str], most: int = 10_000) -> list[tuple[object, ...]]:
        has = self.columns(table)
        if not has:
            return []
        chosen = [pl.col(name) if name in has else pl.lit(None).alias(name) for name in columns]
        return self._tried(table, lambda: scanned(self._tables[table]).select(chosen).head(most).collect().rows(), [])

    def _named(self, ids: list[int]) -> list[tuple[int, bytes]]:
        if not {"id", "value"} <= set(self.columns("StringIds")):
            return []
        wanted = pl.col("id").cast(pl.Int64, strict=False).is_in(ids)
        columns = pl.col("id").cast(pl.Int64, strict=False), pl.col("value").cast(pl.String, strict=False)
        path = self._tables["StringIds"]
        read = lambda: scanned(path).filter(wanted).select(columns).collect()  # noqa: E731
        rows = self._tried("StringIds", read, pl.DataFrame()).rows()
        return [(number, text.encode("utf-8", "surrogateescape")) for number, text in rows if text is not None]

    def _slices(self, table: str, columns: list[pl.Expr]) -> Iterator[pl.DataFrame]:
        """Some columns in parts; what is damaged ends them, and is noted."""
        nothing = pl.DataFrame()
        frame = self._tried(table, lambda: scanned(self._tables[table]).select(columns), nothing.lazy())
        first, part = 0, self._tried(table, frame.head(_ROWS).collect, nothing)
        while len(part):
            yield part
            first += _ROWS
            part = self._tried(table, frame.slice(first, _ROWS).collect, nothing)

    def _tried(self, table: str, read: Callable[[], Found], otherwise: Found) -> Found:
        """What was read of a table; something else where its file is damaged, which is noted."""
        try:
            return read()
        except DAMAGE:
            self.damage = self.damage or Message("reader-database-damaged", table=table)
            return otherwise


def scanned(path: str) -> pl.LazyFrame:
    """The rows of a file of Parquet or Arrow, not read yet."""
    if path.endswith(PARQUET):
        return pl.scan_parquet(path, glob=False)
    with open(path, "rb") as file:
        is_file = file.read(len(_FILE)) == _FILE
    return pl.scan_ipc(path, glob=False) if is_file else pl.read_ipc_stream(path).lazy()


def _names(path: str) -> list[str]:
    return scanned(path).collect_schema().names()


def table_files(folder: str) -> dict[str, str]:
    """The file of each table; links that lead elsewhere are no tables."""
    real = os.path.realpath(folder)
    found = {}
    for name in sorted(os.listdir(folder)):
        table, ending = os.path.splitext(name)
        path = os.path.join(folder, name)
        if ending in (PARQUET, ARROW) and is_below(path, real) and os.path.isfile(path):
            found[table] = path
    return found
