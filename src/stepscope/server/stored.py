"""Tables kept on disk beside the stored trace, so that a run opened again shows them at once.

One file for each table, named by a hash of everything its rows follow from: the traces of all ranks and their numbers,
the table and its options, and the sources of stepscope, so that another version never shows rows of this one. A file is
``MAGIC``, the length of its JSON head (8 bytes, little endian), the head (notes), and the frame as Parquet.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from functools import cache
from pathlib import Path

import polars as pl

from stepscope.server.opening import Opened

MAGIC = b"stepscope table\n"
MAX_BYTES = 256 << 20
"""Larger frames are not kept: they are quicker made again than read."""

_LENGTH = 8
_FOLDER = Path(__file__).resolve().parent.parent
_DECISIVE = ("schema", "numeric", "readers", "store", "analyses", "findings")


@cache
def code_version() -> str:
    """A text that changes with every source that a table's rows follow from."""
    digest = hashlib.sha256(pl.__version__.encode())
    for layer in _DECISIVE:
        for path in sorted((_FOLDER / layer).rglob("*")):
            if path.suffix in (".py", ".json"):
                digest.update(path.relative_to(_FOLDER).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _path(opened: Opened, table: str, by: str, source: bool) -> Path:
    ranks = [(rank.number, rank.trace.folder.name) for rank in opened.profile.ranks]
    key = json.dumps([code_version(), ranks, table, by, source])
    name = f"served.{table}.{hashlib.sha256(key.encode()).hexdigest()[:24]}"
    return opened.profile.ranks[0].trace.folder / name


def load_table(opened: Opened, table: str, by: str, source: bool) -> tuple[pl.DataFrame, list[str]] | None:
    """A table and its notes as they were kept; None where they were not, or the file is damaged."""
    path = _path(opened, table, by, source)
    try:
        data = path.read_bytes()
    except OSError:
        return None
    start = len(MAGIC) + _LENGTH
    try:
        if not data.startswith(MAGIC):
            raise ValueError("no such file")
        end = start + int.from_bytes(data[len(MAGIC) : start], "little")
        notes = [str(note) for note in json.loads(data[start:end])["notes"]]
        return pl.read_parquet(io.BytesIO(data[end:])), notes
    except (ValueError, KeyError, TypeError, OSError, pl.exceptions.PolarsError):
        path.unlink(missing_ok=True)  # damaged; it can be made again
        return None


def store_table(opened: Opened, table: str, by: str, source: bool, frame: pl.DataFrame, notes: list[str]) -> None:
    """Keep a table; a cache that cannot be written is no error."""
    if frame.estimated_size() > MAX_BYTES:
        return
    path = _path(opened, table, by, source)
    head = json.dumps({"notes": notes}).encode()
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=1, statistics=False)
    temporary = path.with_name(f"{path.name}.tmp-{os.getpid()}")
    try:
        temporary.write_bytes(MAGIC + len(head).to_bytes(_LENGTH, "little") + head + buffer.getvalue())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
