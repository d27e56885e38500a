"""How the hot loops are compiled, and where the compiled code is kept, in one place.

``hot`` is for entry points that allocate nothing and return only numbers: without reference counting, which costs an
atomic instruction per array and inner call (measured: the scanner takes seven times as long with it). ``inner`` is for
what they call; it must be inlined, because numba hands every array over as seven words (measured: another factor of
four). ``compiled`` is the plain kind, for loops that make their result arrays themselves.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

_HERE = Path(__file__).parent


def _code_folder() -> str:
    """Folder for compiled code that belongs to exactly these sources.

    numba looks only at the file of an entry point to tell whether its compiled code is stale. A change to an
    inlined function in another file would go unnoticed, also when a new version is installed over an old one, and in a
    folder that the user chose.
    """
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sorted(_HERE.glob("*.py")))).hexdigest()[:16]
    if numba.config.CACHE_DIR:
        return os.path.join(numba.config.CACHE_DIR, f"numba-{digest}")
    beside = _HERE / "__pycache__"
    if os.access(beside if beside.exists() else _HERE, os.W_OK):
        for stale in beside.glob("numba-*"):
            if stale.name != f"numba-{digest}":
                shutil.rmtree(stale, ignore_errors=True)
        return str(beside / f"numba-{digest}")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(home, "stepscope", f"numba-{digest}")


_FOLDER = _code_folder()

_DECORATING = Lock()
"""The setting is numba's only one: of two modules imported by two threads, one would undo what the other has set."""


def _jit(**options: Any) -> Callable[[Any], Any]:
    """A decorator that compiles with some options and keeps the code in `_FOLDER`."""

    def decorate(function: Any) -> Any:
        with _DECORATING:
            before = numba.config.CACHE_DIR
            numba.config.CACHE_DIR = _FOLDER
            try:
                return numba.njit(nogil=True, **options)(function)
            finally:
                numba.config.CACHE_DIR = before

    return decorate


hot = _jit(cache=True, _nrt=False)
compiled = _jit(cache=True)
inner = _jit(forceinline=True)


def writable(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, copied when it is read-only: numba would compile every loop again for that kind."""
    return np.ascontiguousarray(array) if array.flags.writeable else array.copy()


def is_first_run() -> bool:
    """Whether no compiled code of an earlier run is on disk yet, so that this one spends seconds on compiling."""
    from stepscope.numeric import scanner

    stats = scanner.scan.stats
    return not stats.cache_hits
