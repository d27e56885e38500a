"""Files of results beside a stored trace, found again only by the code that made them.

A result is a file ``kept.NAME.CODE.ENDING`` in the trace's folder. ``CODE`` changes with every source file of stepscope
and with the libraries that compute, so what an older version kept is never taken for what this one would compute. Where
a result is written, those of other code are deleted.
"""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl

from stepscope.store.checksums import seal, unsealed, write_sealed
from stepscope.store.parquet import arrow_of, write_arrow
from stepscope.store.whole_files import whole_file

_PACKAGE = Path(__file__).resolve().parent.parent
_DECISIVE = (".py", ".json", ".ftl")
"""Programs, the figures that they look up, and the words of what they say."""

PREFIX = "kept."
_NAME = re.compile(r"[A-Za-z0-9_.]+(-[a-z0-9_]+)*")
_ENDINGS = ("frame", "bin", "parquet")

_SMALL_BYTES = 1 << 20
_ARROW_FILE = b"ARROW1"
"""What a file of Arrow begins with, and a stream of it does not."""

_tidied: set[tuple[Path, str]] = set()
"""Folders in which this code has left nothing of other code."""


@lru_cache(maxsize=1)
def code_version() -> str:
    """16 hex digits that change whenever the code of stepscope, or a library that computes for it, does."""
    found = hashlib.sha256(f"polars {pl.__version__} numpy {np.__version__}".encode())
    files = sorted(
        os.path.join(at, name) for at, _, names in os.walk(_PACKAGE) for name in names if name.endswith(_DECISIVE)
    )
    if not files:
        return uuid.uuid4().hex[:16]  # run from an archive: no code is known from another, so nothing is found again
    for file in files:  # A thousand, in front of all that the user waits for: not a `Path` each.
        with open(file, "rb", buffering=0) as opened:
            text = opened.read()
        found.update(f"{file[len(str(_PACKAGE)) :]} {len(text)} ".encode())
        found.update(text)
    return found.hexdigest()[:16]


def kept_file(folder: Path, name: str, ending: str = "frame") -> Path:
    """Where a result is kept, whether it is there or not.

    Args:
        folder: that of the stored trace.
        name: what computes it, and behind ``-`` each of the arguments in lower-case letters, digits and ``_``.
        ending: ``frame`` or ``bin``.

    Raises:
        ValueError: the name has other characters in it.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"no name for a kept result: {name!r}")
    return folder / f"{PREFIX}{name}.{code_version()}.{ending}"


@contextmanager
def new_result(path: Path) -> Iterator[Path]:
    """A name to write a result to, which takes its place when the block ends well; results of other code are deleted.

    Args:
        path: as of `kept_file`.

    Raises:
        OSError: the folder cannot be written, or there is no room.
    """
    folder = path.parent
    tidied = (folder, code_version())
    if tidied not in _tidied:  # once: a report writes sixty results
        for name in filter(_of_other_code, os.listdir(folder)):
            discard(folder / name)
        _tidied.add(tidied)
    with whole_file(path) as temporary:
        yield temporary


def _of_other_code(name: str) -> bool:
    parts = name.split(".")
    return name.startswith(PREFIX) and len(parts) > 2 and parts[-1] in _ENDINGS and parts[-2] != code_version()


def write_frame(frame: pl.DataFrame, path: Path) -> None:
    """Keep a frame with its checksum; a folder that cannot be written is no error.

    As Arrow: of what was just computed, Parquet would take twice as long to write and no less room.
    """
    with suppress(OSError), new_result(path) as temporary:
        if frame.estimated_size() <= _SMALL_BYTES:
            write_sealed(temporary, arrow_of(frame))
        else:
            write_arrow(frame, temporary)
            seal(temporary)


def read_frame(path: Path, columns: list[str] | None) -> pl.DataFrame | None:
    """Some columns of a frame that was kept, or all; None where it was not, or is not what was written."""
    body = unsealed(path)
    with suppress(pl.exceptions.PolarsError):
        if body is not None:
            if body.startswith(_ARROW_FILE):
                return pl.read_ipc(body, columns=columns)
            found = pl.read_ipc_stream(body)  # all of it: it is small, and of no columns at all Polars would panic
            return found if columns is None else found.select(columns)
    discard(path)
    return None


def discard(path: Path) -> None:
    """Delete what can be computed again."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
