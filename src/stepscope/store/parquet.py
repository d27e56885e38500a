"""How frames are written to the store: what was read as Parquet, what was computed of it as Arrow."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from stepscope.store.held_columns import HeldColumns


class StoreWriter:
    """Writes tables part by part into ``folder``. ``rows`` and ``parts`` count by table.

    Args:
        held: holds some of what is written, for who reads it next; None where nobody does.
    """

    def __init__(self, folder: Path, held: HeldColumns | None = None) -> None:
        self.rows: dict[str, int] = {}
        self.parts: dict[str, int] = {}
        self.folder = folder
        self.held = held

    def add(self, table: str, frame: pl.DataFrame) -> None:
        part = self.parts.get(table, 0)
        write_parquet(frame, self.folder / f"{table}.{part}.parquet")
        if self.held is not None:
            self.held.add(table, frame)
        self.parts[table] = part + 1
        self.rows[table] = self.rows.get(table, 0) + len(frame)


def write_parquet(frame: pl.DataFrame, path: Path) -> None:
    """Write one file.

    Raises:
        OSError: there is no room.
    """
    with _no_room_as_os_error(path):
        frame.write_parquet(path, compression="zstd", compression_level=1, statistics=False)


def arrow_of(frame: pl.DataFrame) -> bytes:
    """A small frame as bytes: a tenth of the time of a file, whose writer is made for millions of rows."""
    buffer = io.BytesIO()
    # Of a handle of its own: while it is written it is locked, and the buffer needs Python's lock. Another thread that
    # has this one and asks for the frame's rows would wait for ever, and so would the writer.
    frame.clone().write_ipc_stream(buffer, compression="lz4")
    return buffer.getvalue()


def write_arrow(frame: pl.DataFrame, path: Path) -> None:
    """Write one file of what is likely to be asked for once more: half of the time of Parquet, and no more room.

    Raises:
        OSError: there is no room.
    """
    with _no_room_as_os_error(path):
        frame.write_ipc(path, compression="lz4")


@contextmanager
def _no_room_as_os_error(path: Path) -> Iterator[None]:
    try:
        yield
    except pl.exceptions.ComputeError as error:  # Polars gives the number only in its words
        number = re.search(r"\(os error (\d+)\)", str(error))
        if number is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1])), str(path.parent)) from error
