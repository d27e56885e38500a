"""Rows of a track that many threads or streams share: what belongs together stays together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stepscope.numeric.compiling import compiled, compiled_part, writable
from stepscope.numeric.nested import Ints, Rows


class SharedRows(NamedTuple):
    """Where ``n`` events lie on shared tracks.

    Attributes:
        order: of the events, so that those of each row are in order of time.
        depth: of each event, as they came.
        rows: that each track needs.
        busy: time in which any event of each track runs, in ns.
    """

    order: Ints
    depth: Rows
    rows: Ints
    busy: Ints


def share_rows(track: Rows, line: Rows, start: Ints, end: Ints, depth: Rows, tracks: int) -> SharedRows:
    """Rows for events of lines that share tracks.

    A spell is what runs on a line without a break, as a call with all calls inside it. It keeps the depths that its
    line gave it, and takes the first rows that are free side by side until its end. So no two events of a row overlap,
    and the rows between two of a spell hold nothing of another line while it runs.

    Args:
        track, line: numbers; a line is of one track.
        start, end: in ns; by line and start.
        depth: of each event on its line.
        tracks: how many there are.
    """
    spell, begin, until, height = (writable(one) for one in _spells(line, start, end, depth))
    of = np.empty(len(begin), np.int64)
    of[spell] = track
    in_order = np.lexsort((begin, of))
    base, rows, busy = _place(in_order, of, begin, until, height, tracks)
    rank = np.empty(len(begin), np.int64)
    rank[in_order] = np.arange(len(begin))
    order = np.argsort(rank[spell], kind="stable")
    return SharedRows(order, depth + base[spell], rows, busy)


@compiled
def _spells(line, start, end, depth):
    """Number of each event's spell; begin, end and rows of each."""
    n = len(line)
    spell = np.empty(n, np.int64)
    begin = np.empty(n, np.int64)
    until = np.empty(n, np.int64)
    height = np.zeros(n, np.int32)
    last = -1
    for i in range(n):
        if last < 0 or line[i] != line[i - 1] or start[i] >= until[last]:
            last += 1
            begin[last] = start[i]
            until[last] = end[i]
        spell[i] = last
        until[last] = max(until[last], end[i])
        height[last] = max(height[last], depth[i] + 1)
    return spell, begin[: last + 1], until[: last + 1], height[: last + 1]


_MOST_ROWS_LOOKED_AT = 256
"""Rows that are looked at for free ones; a spell that finds none goes below all that run."""


@compiled_part
def _place(order, track, begin, until, height, tracks):
    """First row of each spell; rows and busy time of each track."""
    base = np.empty(len(order), np.int32)
    rows = np.zeros(tracks, np.int64)
    busy = np.zeros(tracks, np.int64)
    taken = np.zeros(256, np.int64)
    reach = np.int64(0)
    size = 0
    for i in range(len(order)):
        one = order[i]
        if i == 0 or track[one] != track[order[i - 1]]:
            size, reach = 0, begin[one]
        reach = max(reach, begin[one])
        if until[one] > reach:
            busy[track[one]] += until[one] - reach
            reach = until[one]
        while size > 0 and taken[size - 1] <= begin[one]:
            size -= 1
        at = _free_rows(taken, min(size, _MOST_ROWS_LOOKED_AT), begin[one], height[one], size)
        bottom = at + height[one]
        while bottom > len(taken):
            taken = np.concatenate((taken, np.zeros(len(taken), np.int64)))
        taken[at:bottom] = until[one]
        base[one] = at
        size = max(size, bottom)
        rows[track[one]] = max(rows[track[one]], size)
    return base, rows, busy


@compiled_part
def _free_rows(taken, looked_at, begin, wanted, otherwise):
    """The first of so many rows side by side that are free at a moment."""
    free = 0
    for row in range(looked_at):
        free = free + 1 if taken[row] <= begin else 0
        if free == wanted:
            return row + 1 - wanted
    return otherwise
