"""How the hot loops are compiled, in one place.

``hot`` is for entry points that allocate nothing and return only numbers: without reference counting, which costs an
atomic instruction per array and inner call (measured: the scanner takes seven times as long with it). ``inner`` is for
what they call; it must be inlined, because numba hands every array over as seven words (measured: another factor of
four). ``compiled`` is the plain kind, for loops that make their result arrays themselves.

numba's cache looks at the file of the entry point only: after a change to an ``inner`` function in another file, delete
``__pycache__``.
"""

from __future__ import annotations

from numba import njit

hot = njit(nogil=True, cache=True, _nrt=False)
compiled = njit(nogil=True, cache=True)
inner = njit(nogil=True, forceinline=True)
