"""Which process rows are of: each that has work on a GPU is a rank."""

from __future__ import annotations

import numpy as np

from stepscope.numeric.packet_state import Ints
from stepscope.readers.facts import Process

_MOST = 4096


def divided(process: Ints, on_gpu: Ints) -> tuple[Ints | None, list[Process]]:
    """The part of each row, and the processes, ranks first; no parts where fewer than two have work on a GPU.

    Args:
        process: number of the process of each row, -1 where nothing says it.
        on_gpu: whether it is of a GPU.
    """
    numbers, place, counts = np.unique(process, return_inverse=True, return_counts=True)
    place = place.reshape(-1)
    ranks = {number for number in np.unique(process[on_gpu.astype(bool)]).tolist() if number >= 0}
    known = [number for number in numbers.tolist() if number >= 0]
    if len(ranks) < 2 or len(known) > _MOST:
        return None, []
    rows = dict(zip(numbers.tolist(), counts.tolist(), strict=True))
    ordered = [*sorted(ranks), *sorted(set(known) - ranks)]
    parts = {number: part for part, number in enumerate(ordered)}
    rows[ordered[0]] += rows.get(-1, 0)
    found = [Process(number, parts[number], number in ranks, events=rows[number]) for number in ordered]
    return np.array([parts.get(number, 0) for number in numbers.tolist()], np.int64)[place], found
