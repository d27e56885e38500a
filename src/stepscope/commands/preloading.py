"""Imports what computes while a trace is read, which mostly takes longer."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module

_LONGEST_IMPORT_SECONDS = 5.0


def preloading(*modules: str) -> Callable[[], None]:
    """A function that begins to import the analyses and some modules on a thread, however often it is called.

    Where what was kept of a trace read before needs nothing of them, it is to be `ReadOptions.began`.
    """

    def load() -> None:
        with suppress(Exception):  # reported where it is needed
            from stepscope.analyses import load_analyses

            load_analyses()
            from stepscope.numeric.compiling import load_kept

            load_kept()
            for module in modules:
                import_module(module)

    @cache
    def begin() -> None:
        thread = threading.Thread(target=load, daemon=True)
        thread.start()
        # What imports compiled code while Python shuts down may abort the process. Not without end: after an interrupt
        # in the middle of an import the thread may wait for the lock of all imports for ever.
        atexit.register(thread.join, _LONGEST_IMPORT_SECONDS)

    return begin
