"""How frames are written to the store."""

from __future__ import annotations

import os
import re
from pathlib import Path

import polars as pl


class StoreWriter:
    """Writes tables part by part into ``folder``. ``rows`` and ``parts`` count by table."""

    def __init__(self, folder: Path) -> None:
        self.rows: dict[str, int] = {}
        self.parts: dict[str, int] = {}
        self.folder = folder

    def add(self, table: str, frame: pl.DataFrame) -> None:
        part = self.parts.get(table, 0)
        write_parquet(frame, self.folder / f"{table}.{part}.parquet")
        self.parts[table] = part + 1
        self.rows[table] = self.rows.get(table, 0) + len(frame)


def write_parquet(frame: pl.DataFrame, path: Path) -> None:
    """Write one file.

    Raises:
        OSError: there is no room.
    """
    try:
        frame.write_parquet(path, compression="zstd", compression_level=1, statistics=False)
    except pl.exceptions.ComputeError as error:  # Polars gives the number only in its words
        number = re.search(r"\(os error (\d+)\)", str(error))
        if number is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1])), str(path.parent)) from error
