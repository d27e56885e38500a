"""How frames are written to the store."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import polars as pl

from stepscope.store.whole_files import whole_file


class StoreWriter:
    """Writes tables part by part into a folder. ``rows`` and ``parts`` count by table."""

    def __init__(self, folder: Path) -> None:
        self.rows: dict[str, int] = {}
        self.parts: dict[str, int] = {}
        self._folder = folder

    def add(self, table: str, frame: pl.DataFrame) -> None:
        part = self.parts.get(table, 0)
        _write(frame, self._folder / f"{table}.{part}.parquet")
        self.parts[table] = part + 1
        self.rows[table] = self.rows.get(table, 0) + len(frame)


def write_beside(frame: pl.DataFrame, path: Path) -> None:
    """Write through a temporary name; a cache that cannot be written is no error."""
    with suppress(OSError), whole_file(path) as temporary:
        _write(frame, temporary)


def _write(frame: pl.DataFrame, path: Path) -> None:
    frame.write_parquet(path, compression="zstd", compression_level=1, statistics=False)
