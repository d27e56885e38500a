"""Numbers of several bytes, the lowest first."""

from __future__ import annotations

import numpy as np

from stepscope.numeric.compiling import inner


@inner
def little(buf, at, count):
    """The bits of ``count`` bytes as an unsigned number; of eight bytes it may come out negative."""
    bits = np.int64(0)
    for place in range(count):
        bits |= np.int64(buf[at + place]) << (8 * place)
    return bits
