"""What was freed goes back to the system: the C library keeps it, though the next arrays are of other sizes."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def give_back() -> None:
    """Give back what is free, where the C library can (glibc); takes milliseconds. Elsewhere nothing happens."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
