"""Functions of the script itself, which is never imported: they are looked for while it runs, until they are there."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

MAIN = "__main__"
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.02, 1.0


def is_of_script(module: str) -> bool:
    """Whether a module's name means the script: ``__main__``, or how the file is called that runs."""
    file = getattr(sys.modules.get(MAIN), "__file__", None)
    return module == MAIN or (file is not None and module == os.path.splitext(os.path.basename(str(file)))[0])


def when_defined(path: list[str], found: Callable[[Any, str], None]) -> None:
    """Call back, once and on a thread of its own, with what holds a function of the script, and the function's name.

    The script may define it long after it has imported torch. A daemon: one that never does must not be waited for.
    """
    if not _look(path, found):
        threading.Thread(target=_wait, args=(path, found), name="stepscope-script", daemon=True).start()


def _wait(path: list[str], found: Callable[[Any, str], None]) -> None:
    wait, pause = _FIRST_WAIT_S, threading.Event()
    while not _look(path, found):
        pause.wait(wait)
        wait = min(2 * wait, _LONGEST_WAIT_S)


def _look(path: list[str], found: Callable[[Any, str], None]) -> bool:
    owner = sys.modules.get(MAIN)
    for name in path[:-1]:
        owner = getattr(owner, name, None)
    if not callable(getattr(owner, path[-1], None)):
        return False
    found(owner, path[-1])
    return True
