"""How the hot loops are compiled, in one place.

``hot`` is for entry points that allocate nothing and return only numbers: without reference counting, which costs an
atomic instruction per array and inner call (measured: the scanner takes seven times as long with it). ``inner`` is for
what they call; it must be inlined, because numba hands every array over as seven words (measured: another factor of
four). ``compiled`` is the plain kind, for loops that make their result arrays themselves.

numba's cache looks at the file of the entry point only: after a change to an ``inner`` function in another file, delete
``__pycache__``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

hot = njit(nogil=True, cache=True, _nrt=False)
compiled = njit(nogil=True, cache=True)
inner = njit(nogil=True, forceinline=True)


def writable(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, copied when it is read-only: numba would compile every loop again for that kind."""
    return np.ascontiguousarray(array) if array.flags.writeable else array.copy()


def is_first_run() -> bool:
    """Whether no compiled code of an earlier run is on disk yet, so that this one spends seconds on compiling."""
    from stepscope.numeric import scanner

    stats = scanner.scan.stats
    return not stats.cache_hits
