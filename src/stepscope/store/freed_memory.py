"""Memory that was freed: what the C library and Polars' allocator keep of it, for whom and how long."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctypes import CDLL

_M_ARENA_MAX = -8
"""Number of this parameter in malloc.h."""

_OF_POLARS = "_RJEM_MALLOC_CONF"
"""The environment variable in which Polars' allocator looks for options when it is loaded, beside its own."""


def give_back() -> None:
    """Give back what is free: the next arrays may be of other sizes. Takes milliseconds, and more to ask for it again.

    Where the C library cannot (all but glibc) nothing happens.
    """
    with suppress(OSError, AttributeError, TypeError):
        _c_library().malloc_trim(0)


def set_for_polars() -> None:
    """Have Polars return freed memory to the system as soon as it stops keeping it for itself, and let its threads
    share the heaps that keep it until then, of which it would make four for each core.

    To be called before Polars is loaded.
    """
    heaps = max(2, (os.cpu_count() or 1) // 2)
    os.environ.setdefault(_OF_POLARS, f"muzzy_decay_ms:0,narenas:{heaps}")


def reuse_freed() -> None:
    """Let all threads use what any of them has freed, where the C library can: else each keeps a heap of its own. And
    let Polars keep for a second what it has freed, twice as long as it would: the next table of a report needs as much
    again, and the system takes long to provide new memory.

    To be called before other threads begin and Polars is loaded.
    """
    known = os.environ.get(_OF_POLARS, "")
    if "dirty_decay_ms" not in known:
        os.environ[_OF_POLARS] = ",".join(filter(None, [known, "dirty_decay_ms:1000"]))
    with suppress(OSError, AttributeError, TypeError):
        _c_library().mallopt(_M_ARENA_MAX, 1)


def _c_library() -> CDLL:
    import ctypes

    return ctypes.CDLL(None)
