"""Values of counter events (``ph: "C"``): their keys are names of series, so the scanner keeps them as texts."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric.bytescan import NULL
from stepscope.numeric.counter_values import ELSEWHERE, LONG_NUMBER, NUMBER, read_counter_values
from stepscope.numeric.plan import EXTRAS, TEXT, Output, Plan
from stepscope.numeric.pool import Pool, SharedPool
from stepscope.readers.kineto_plan import GROUPS

Ints = npt.NDArray[np.int64]

_GROUP = list(GROUPS).index("counter")


class CounterValues(NamedTuple):
    """What of a scan's extras are values of counters.

    Attributes:
        at: their places among the extras.
        value: of each; NaN where it is no finite number, its text then stays an extra.
    """

    at: Ints
    value: npt.NDArray[np.float64]

    @property
    def numbers(self) -> Ints:
        """Places of those that are numbers, which no text is needed of."""
        return self.at[np.isfinite(self.value)]


def counter_values(out: Output, pool: Pool, buf: npt.NDArray[np.uint8]) -> CounterValues | None:
    """The values of the counters of a scan; None where it has no counter, as most have."""
    rows, count = int(out.rows[_GROUP]), int(out.counts[EXTRAS])
    if rows == 0:
        return None
    bits, found = np.zeros(count, np.uint64), np.zeros(count, np.int8)
    read_counter_values(out.extras, count, out.row[_GROUP, :rows], pool.entries, buf, bits, found)
    at = np.flatnonzero(found != ELSEWHERE)
    value = np.where(found == NUMBER, bits.view(np.float64), np.nan)
    for i in np.flatnonzero(found == LONG_NUMBER).tolist():
        start, length, _ = pool.entries[out.extras[3, i]].tolist()
        number = float(buf[start : start + length].tobytes().strip(b'"'))
        value[i] = number if math.isfinite(number) else np.nan
    return CounterValues(at, value[at])


def absorb_texts(
    texts: SharedPool, plan: Plan, out: Output, pool: Pool, buf: npt.NDArray[np.uint8], values: CounterValues | None
) -> Ints:
    """Codes in the file's texts of the texts of a scan, without those that were only numbers of counters.

    Nearly every such number is another one: as texts they would outgrow all others.
    """
    if values is None:
        return texts.absorb(pool, buf)
    kept = _used_texts(plan, out, int(pool.used[0]), values)
    codes = np.zeros(len(kept), np.int64)
    smaller = Pool(np.array([np.count_nonzero(kept)]), pool.table, pool.entries[: len(kept)][kept])
    codes[kept] = texts.absorb(smaller, buf)
    return codes


def _used_texts(plan: Plan, out: Output, size: int, values: CounterValues) -> npt.NDArray[np.bool_]:
    """Which texts of a scan anything but a number of a counter is."""
    used = np.zeros(size, np.bool_)
    for place in np.unique(plan.column[:, plan.keys[:, 3] == TEXT]).tolist():
        cells = out.cells[place, : int(out.filled[place])] if place >= 0 else np.empty(0, np.int64)
        used[cells[cells != NULL]] = True
    keys, texts = out.extras[2:, : int(out.counts[EXTRAS])]
    used[keys[keys >= 0]] = True
    used[np.delete(texts, values.numbers)] = True
    return used
