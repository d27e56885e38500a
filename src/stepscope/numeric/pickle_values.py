"""What `pickle_machine` decoded, taken out in columns: items of lists, values of dicts by key, lists that are alike."""

from __future__ import annotations

import numpy as np

from stepscope.numeric.compiling import hot, writable
from stepscope.numeric.pickle_machine import ABSENT, DICT, Ints, Kinds, Machine, Shorts

_MIX = np.int64(-7046029254386353131)


def items_of(machine: Machine, containers: Ints) -> tuple[Ints, Kinds, Ints]:
    """Items of lists or tuples, one after the other: values, kinds, and where each begins, with the end of the last."""
    ends = np.zeros(len(containers) + 1, np.int64)
    np.cumsum(machine.size[containers], out=ends[1:])
    values, kinds = np.empty(ends[-1], np.int64), np.empty(ends[-1], np.uint8)
    _items_of(machine, writable(containers), values, kinds)
    return values, kinds, ends


@hot
def _items_of(m, containers, values, kinds):
    at = 0
    for container in containers:
        chunk = m.first[container]
        while chunk >= 0:
            start = m.start[chunk]
            for i in range(m.length[chunk]):
                values[at] = m.items[start + i]
                kinds[at] = m.item_kind[start + i]
                at += 1
            chunk = m.following[chunk]


def values_of(machine: Machine, dicts: Ints, places: Shorts) -> tuple[Ints, Kinds]:
    """Values of dicts under one key, and their kinds, `ABSENT` where a dict lacks it.

    Args:
        places: of each layout the place of the key, -1 where it has none.
    """
    values, kinds = np.zeros(len(dicts), np.int64), np.full(len(dicts), ABSENT, np.uint8)
    _values_of(machine, writable(dicts), places, values, kinds)
    return values, kinds


@hot
def _values_of(m, dicts, places, values, kinds):
    for row in range(len(dicts)):
        chunk = m.first[dicts[row]]
        while chunk >= 0:  # what is set later counts
            place = places[m.layout[chunk]]
            if place >= 0:
                values[row] = m.items[m.start[chunk] + place]
                kinds[row] = m.item_kind[m.start[chunk] + place]
            chunk = m.following[chunk]


class AlikeLists:
    """Numbers for lists, the same for lists of the same members.

    Args:
        machine: what was decoded.
        member: of each container its number as a member of such lists, -1 for one that is left out.
    """

    def __init__(self, machine: Machine, member: Shorts) -> None:
        self._machine = machine
        self._member = member
        self._number = np.full(len(machine.first), -1, np.int32)
        self._used = np.zeros(2, np.int64)
        self._ends = np.zeros(1, np.int64)
        self._hashes = np.zeros(0, np.int64)
        self._table = np.zeros(1 << 10, np.int32)
        self.members = np.zeros(0, np.int32)

    def __len__(self) -> int:
        return int(self._used[0])

    @property
    def ends(self) -> Ints:
        """Where the members of each distinct list begin among `members`, with the end of the last."""
        return self._ends[: len(self) + 1]

    def numbers(self, lists: Ints) -> Ints:
        """The number of each list."""
        fresh = lists[self._number[lists] < 0]
        if (np.diff(fresh) <= 0).any():  # lists that were read one after the other are in order and distinct
            fresh = np.unique(fresh)
        self._make_room(len(fresh), int(self._machine.size[fresh].sum()))
        arrays = (self._number, self._used, self._ends, self._hashes, self._table, self.members)
        _number(self._machine, fresh, self._member, *arrays)
        return self._number[lists].astype(np.int64)

    def _make_room(self, lists: int, members: int) -> None:
        for array, used, more in (
            (self._ends, len(self) + 1, lists),
            (self._hashes, len(self), lists),
            (self.members, int(self._used[1]), members),
        ):
            if len(array) < used + more:
                array.resize(max(used + more, len(array) + len(array) // 4), refcheck=False)
        if 2 * (len(self) + lists) > len(self._table):
            self._table = np.zeros(1 << (4 * (len(self) + lists)).bit_length(), np.int32)
            _fill_table(self._table, self._hashes, len(self))


@hot
def _fill_table(table, hashes, count):
    mask = len(table) - 1
    for number in range(count):
        slot = hashes[number] & mask
        while table[slot] != 0:
            slot = (slot + 1) & mask
        table[slot] = number + 1


@hot
def _number(m, lists, member, number, used, ends, hashes, table, members):
    mask = len(table) - 1
    for one in lists:
        start = at = used[1]
        hashed = np.int64(7)
        chunk = m.first[one]
        while chunk >= 0:
            for i in range(m.start[chunk], m.start[chunk] + m.length[chunk]):
                found = member[m.items[i]] if m.item_kind[i] == DICT else np.int32(-1)
                if found >= 0:
                    members[at] = found
                    at += 1
                    hashed = (hashed ^ np.int64(found)) * _MIX
                    hashed ^= hashed >> 29
            chunk = m.following[chunk]
        slot = hashed & mask
        while table[slot] != 0:
            known = np.int64(table[slot]) - 1
            same = hashes[known] == hashed and ends[known + 1] - ends[known] == at - start
            i = start
            while same and i < at:
                same = members[ends[known] + i - start] == members[i]
                i += 1
            if same:
                break
            slot = (slot + 1) & mask
        if table[slot] == 0:
            known = used[0]
            table[slot] = known + 1
            hashes[known] = hashed
            ends[known + 1] = at
            used[0] = known + 1
            used[1] = at
        number[one] = table[slot] - 1
