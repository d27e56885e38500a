"""Memory that was freed: what the C library keeps of it, for whom."""

from __future__ import annotations

import ctypes
from contextlib import suppress

_M_ARENA_MAX = -8
"""Number of this parameter in malloc.h."""


def give_back() -> None:
    """Give back what is free: the next arrays may be of other sizes. Takes milliseconds, and more to ask for it again.

    Where the C library cannot (all but glibc) nothing happens.
    """
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def share_freed() -> None:
    """Let all threads use what any of them has freed, where the C library can: else each keeps a heap of its own.

    To be called before other threads begin.
    """
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
