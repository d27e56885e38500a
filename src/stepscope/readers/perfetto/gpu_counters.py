"""Samples of a GPU's counters: their units, and the time that their values are of."""

from __future__ import annotations

import numpy as np

from stepscope.numeric import packet_state as st
from stepscope.numeric.packet_counters import MOST_UNITS, UNIT_BITS
from stepscope.numeric.packet_state import Ints
from stepscope.numeric.pool import SharedPool
from stepscope.readers.perfetto.arguments import text_of

_UNITS = (
    *("", "bit", "Kbit", "Mbit", "Gbit", "Tbit", "Pbit", "B", "KB", "MB", "GB", "TB", "PB"),
    *("Hz", "KHz", "MHz", "GHz", "THz", "PHz", "ns", "us", "ms", "s", "min", "h", "vertices", "pixels", "triangles"),
    *("mW", "W", "kW", "J", "V", "A", "C", "°F", "K", "%", "primitives", "fragments", "instructions"),
)
"""As ``GpuCounterDescriptor.MeasureUnit`` numbers them."""


def names_with_units(texts: SharedPool, names: Ints, units: Ints) -> Ints:
    """Codes of names with their units behind them, as "Power (W)", which is how PyTorch writes them.

    Args:
        names: codes.
        units: of each, as `packet_counters` packs them.
    """
    pairs, place = np.unique(np.stack([names, units], 1), axis=0, return_inverse=True)
    found = []
    for name, packed in pairs.tolist():
        unit = _unit(packed)
        found.append(int(texts.add([f"{text_of(texts, name)} ({unit})".encode()])[0]) if unit else name)
    return np.array(found, np.int64)[place.reshape(-1)]


def _unit(packed: int) -> str:
    """Packed units as a text: "B/s"; nothing where none is known."""
    each = [packed >> (UNIT_BITS * place) & ((1 << UNIT_BITS) - 1) for place in range(2 * MOST_UNITS)]
    if packed <= 0 or max(each) >= len(_UNITS):
        return ""
    over, under = ("*".join(_UNITS[one] for one in part if one) for part in (each[:MOST_UNITS], each[MOST_UNITS:]))
    return f"{over or '1'}/{under}" if under else over


def next_of_series(events: Ints, sampled: Ints) -> Ints:
    """The next sample of the same counter, of each row in ``sampled``; -1 of the last one.

    Args:
        events: of `Packets`.
        sampled: rows of samples, in the order of the file.
    """
    own = events[sampled]
    order = np.lexsort((own[:, st.TIME], own[:, st.TRACK], own[:, st.NAME]))
    found = np.full(len(sampled), -1, np.int64)
    before, behind = order[:-1], order[1:]
    same = (own[before, st.NAME] == own[behind, st.NAME]) & (own[before, st.TRACK] == own[behind, st.TRACK])
    found[before[same]] = sampled[behind[same]]
    return found
