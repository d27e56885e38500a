"""How the hot loops are compiled, and where the compiled code is kept, in one place.

``hot`` is for entry points that allocate nothing and return only numbers: without reference counting, which costs an
atomic instruction per array and inner call (measured: the scanner takes seven times as long with it). ``inner`` is for
what they call; it must be inlined, because numba hands every array over as seven words (measured: another factor of
four). ``compiled`` is the plain kind, for loops that make their result arrays themselves. ``hot_part`` and
``compiled_part`` are for what only such functions call: its code is kept with theirs, and not loaded once more.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import pickle
import shutil
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

_HERE = Path(__file__).parent


def _code_folder() -> str | None:
    """Folder for compiled code that belongs to exactly these sources; None where none can be written.

    numba looks only at the file of an entry point to tell whether its compiled code is stale. A change to an
    inlined function in another file would go unnoticed, also when a new version is installed over an old one, and in a
    folder that the user chose.
    """
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sorted(_HERE.glob("*.py")))).hexdigest()[:16]
    folder = next(filter(_is_usable, _folders(f"numba-{digest}")), None)
    if folder is not None and Path(folder).parent == _HERE / "__pycache__":
        for stale in Path(folder).parent.glob("numba-*"):
            if stale.name != f"numba-{digest}":
                shutil.rmtree(stale, ignore_errors=True)
    return folder


def _folders(name: str) -> Iterator[str]:
    """Where compiled code may be kept, best first: a container may have neither a home nor writable packages."""
    if numba.config.CACHE_DIR:
        yield os.path.join(numba.config.CACHE_DIR, name)
    yield str(_HERE / "__pycache__" / name)
    chosen = os.environ.get("STEPSCOPE_CACHE")
    if chosen:
        yield os.path.join(os.path.expanduser(chosen), name)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(home):  # "~" stays where a user has no entry and no home
        yield os.path.join(home, "stepscope", name)
    with suppress(FileNotFoundError):  # none can be written
        yield os.path.join(tempfile.gettempdir(), f"stepscope-{name}-{_user()}")


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def _is_usable(folder: str) -> bool:
    """Whether code can be kept in a folder, which is made, and nobody else can put code there that would be run."""
    try:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        found, above = os.lstat(folder), os.stat(os.path.dirname(folder))
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    if os.name == "nt":
        return True
    is_own = found.st_uid == _user() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return is_own and (not above.st_mode & stat.S_IWOTH or bool(above.st_mode & stat.S_ISVTX))


_FOLDER = _code_folder()

_DECORATING = threading.Lock()
"""The setting is numba's only one: of two modules imported by two threads, one would undo what the other has set."""


_DECORATED: list[Any] = []
"""Functions whose code is kept."""


def _jit(**options: Any) -> Callable[[Any], Any]:
    """A decorator that compiles with some options and keeps the code in `_FOLDER`."""

    def decorate(function: Any) -> Any:
        if _FOLDER is None:
            return numba.njit(nogil=True, **{**options, "cache": False})(function)
        with _DECORATING:
            before = numba.config.CACHE_DIR
            numba.config.CACHE_DIR = _FOLDER
            try:
                return _forgiving(numba.njit(nogil=True, **options)(function))
            finally:
                numba.config.CACHE_DIR = before

    return decorate


def _forgiving(function: Any) -> Any:
    """The function, which is compiled, and not kept, where its kept code is damaged or cannot be written."""
    kept = getattr(function, "_cache", None)
    if kept is None or not hasattr(kept, "load_overload"):
        return function
    load, save = _quick_load(kept), kept.save_overload
    _DECORATED.append(function)

    def load_overload(*given: Any) -> Any:
        with suppress(Exception):  # whatever the bytes of a damaged file make of unpickling
            return load(*given)
        return None

    def save_overload(*given: Any) -> None:
        with suppress(OSError, EOFError, pickle.UnpicklingError):  # a full disk; the damaged index of earlier ones
            save(*given)

    kept.load_overload, kept.save_overload = load_overload, save_overload
    return function


def _quick_load(kept: Any) -> Callable[..., Any]:
    """What loads kept code without preparing numba to compile, which takes 0.2 s of every command.

    Kept code needs numba's memory management, and neither the types nor the lowering of all that numba knows. Whatever
    is compiled after all prepares that by itself. Where numba has other insides, it loads as it always did.
    """
    found, guard = getattr(kept, "_load_overload", None), getattr(kept, "_guard_against_spurious_io_errors", None)
    memory = None
    with suppress(ImportError, AttributeError):
        memory = importlib.import_module("numba.core.runtime").rtsys
    if found is None or guard is None or memory is None:
        load: Callable[..., Any] = kept.load_overload
        return load

    def load_overload(signature: Any, context: Any) -> Any:
        memory.initialize(context)
        code = None
        with guard():  # of a file that several processes write
            code = found(signature, context)
        return code

    return load_overload


hot = _jit(cache=True, _nrt=False)
compiled = _jit(cache=True)
inner = _jit(forceinline=True)
hot_part = _jit(_nrt=False)
compiled_part = _jit()


def load_kept() -> None:
    """Load the kept code of all that was imported: some 5 ms for each loop, which may pass while something is read.

    What was never compiled stays so. Where numba has other insides, code is loaded when it is called first.
    """
    for function in tuple(_DECORATED):
        with suppress(Exception):  # it is loaded, or compiled, where it is called
            kept, code = function._cache, function.targetctx.codegen()
            for key in kept._cache_file._load_index():
                if threading.main_thread().is_alive() and kept._index_key(key[0], code) == key:
                    function.compile(key[0])


def writable(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, copied when it is read-only: numba would compile every loop again for that kind."""
    return np.ascontiguousarray(array) if array.flags.writeable else array.copy()


def is_first_run() -> bool:
    """Whether no compiled code of an earlier run is on disk yet, so that this one spends seconds on compiling."""
    from stepscope.numeric import scanner

    stats = scanner.scan.stats
    return not stats.cache_hits
