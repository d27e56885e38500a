"""The last of some events that came before each of others and fits it, by what all of them carry."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric.compiling import compiled, writable
from stepscope.numeric.nested import NOBODY, Ints, at


class Events(NamedTuple):
    """Events in the order of time.

    Attributes:
        group: only events of one group are compared.
        start: when each began.
        kind: from 0; `NOBODY` where it is not known.
        apart: whether each is of the rarer sort.
    """

    group: Ints
    start: Ints
    kind: Ints
    apart: npt.NDArray[np.bool_]

    def by_group(self) -> tuple[Events, Ints]:
        """The same by group, inside it in the order of time, and their order."""
        # Numbers that count up, or down, are almost in order, which a stable sort makes use of.
        order = np.argsort(self.group, kind="stable")
        return Events(*(writable(values[order]) for values in self)), order


def last_before(asking: Events, before: Events) -> Ints:
    """Place in ``before`` of what each event that asks is matched with, or `NOBODY`.

    That is the last one of its group that began when it did or earlier: of its kind, else, if it is apart, one that is
    apart, too, else any.
    """
    asking, order = asking.by_group()
    before, places = before.by_group()
    kinds = int(max(asking.kind.max(initial=0), before.kind.max(initial=0))) + 1
    found = np.full(len(order), NOBODY, np.int64)
    _match(*asking, *before, np.full(kinds, NOBODY, np.int64), np.zeros(kinds, np.int64), found)
    matched = np.full(len(order), NOBODY, np.int64)
    matched[order] = at(places, found)
    return matched


@compiled
def _match(group, start, kind, apart, b_group, b_start, b_kind, b_apart, last_of_kind, seen_in, found):
    """Fill ``found`` with places in the sorted ``b_...``; ``seen_in`` tells of which group what a kind has is."""
    place, number = 0, 0
    last = last_apart = NOBODY
    for i in range(len(group)):
        if i == 0 or group[i] != group[i - 1]:
            last = last_apart = NOBODY
            number += 1
            while place < len(b_group) and b_group[place] < group[i]:
                place += 1
        while place < len(b_group) and b_group[place] == group[i] and b_start[place] <= start[i]:
            last = place
            if b_apart[place]:
                last_apart = place
            if b_kind[place] >= 0:
                last_of_kind[b_kind[place]] = place
                seen_in[b_kind[place]] = number
            place += 1
        if kind[i] >= 0 and seen_in[kind[i]] == number:
            found[i] = last_of_kind[kind[i]]
        elif apart[i] and last_apart >= 0:
            found[i] = last_apart
        else:
            found[i] = last
