"""Results of one rank that are kept beside its stored trace, and found again only by the code that made them.

A result is a file ``kept.NAME.RANK.CODE.parquet`` in the trace's folder. ``CODE`` changes with every source file of
stepscope and with the libraries that compute, so what an older version kept is never taken for what this one would
compute. The rank's number is part of the name because rows hold it, and one trace may be rank 0 of one folder and
rank 3 of another.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl

from stepscope.store.parquet import write_beside

_PACKAGE = Path(__file__).resolve().parent.parent
_DECISIVE = (".py", ".json")
"""Programs, and the figures that they look up."""

_NAME = re.compile(r"[a-z0-9_]{1,64}")


@lru_cache(maxsize=1)
def code_version() -> str:
    """16 hex digits that change whenever the code of stepscope, or a library that computes for it, does."""
    found = hashlib.sha256(f"polars {pl.__version__} numpy {np.__version__}".encode())
    files = sorted(path for path in _PACKAGE.rglob("*") if path.suffix in _DECISIVE)
    if not files:
        return uuid.uuid4().hex[:16]  # run from an archive: nothing can be told apart, so nothing is found again
    for file in files:
        found.update(file.relative_to(_PACKAGE).as_posix().encode())
        found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:16]


def kept_file(folder: Path, name: str, number: int) -> Path:
    """Where a result of a rank is kept, whether it is there or not.

    Args:
        folder: that of the stored trace.
        name: lower-case letters, digits and ``_``.
        number: of the rank.

    Raises:
        ValueError: the name has other signs in it.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"no name for a kept result: {name!r}")
    return folder / f"kept.{name}.{number}.{code_version()}.parquet"


def kept_frame(folder: Path, name: str, number: int, make: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """The kept result, made and kept first where it is missing or damaged. Where it cannot be written it is made.

    Args:
        folder, name, number: as of `kept_file`.
        make: computes it.
    """
    path = kept_file(folder, name, number)
    if path.is_file():
        try:
            return pl.read_parquet(path)
        except (pl.exceptions.PolarsError, OSError):
            path.unlink(missing_ok=True)  # damaged; it can be made again
    frame = make()
    for old in folder.glob(f"kept.{name}.{number}.*.parquet"):
        old.unlink(missing_ok=True)  # of other code
    write_beside(frame, path)
    return frame
