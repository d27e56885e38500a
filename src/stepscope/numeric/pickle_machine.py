"""The arrays that a pickle is decoded into (`pickle_decoding`): values without Python objects.

A value is a kind and a number: an integer itself, the bits of a float, the code of a text, the number of a container. A
container is a chain of chunks, one for each instruction that fills it, and a chunk a range of `items`. Of a dict the
keys stand in a layout, which dicts with the same keys share, so its items are its values. Items are never changed, so
lists that are filled alike, as the stacks of what one line does again and again, share their range.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

EMPTY, BOOL, INT, FLOAT, TEXT, TUPLE, LIST, DICT, BIG = range(9)
"""Kinds of values. `BIG` is an integer that does not fit into 64 bits."""

ABSENT = 255
"""Kind of what is not there."""

MORE, STOPPED, REFUSED, MALFORMED, TOO_VARIED = range(5)
"""How decoding ended: at the buffer's end, at the end of the pickle, at an instruction of `pickle_ops.REFUSED`, at one
that makes no sense where it stands, or at more sorts of dicts than any recording has."""

STACK, MARKS, MEMO, CONTAINERS, CHUNKS, ITEMS, LAYOUTS, LAYOUT_KEYS, TEXT_BYTES, STATUS, OP, NEED = range(12)
"""Places of `Machine.state`: how much of each array is used, how decoding ended, at which instruction, and how many
bytes the instruction has that the buffer cuts."""

MOST_LAYOUTS, MOST_LAYOUT_KEYS = 4096, 1 << 18
LAYOUT_SLOTS = 4 * MOST_LAYOUTS
RANGE_SLOTS = 1 << 16
"""Ranges of items that are remembered, to be shared; of two that fall into one slot the later one is."""

Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]
Kinds = npt.NDArray[np.uint8]


class Machine(NamedTuple):
    """Arrays of a decoding; `state` says how much of each is used."""

    state: Ints
    stack: Ints
    stack_kind: Kinds
    marks: Shorts
    memo: Ints
    memo_kind: Kinds
    first: Shorts  # of each container: its first and last chunk, -1 without any, and its items
    last: Shorts
    size: Shorts
    start: Ints  # of each chunk: its range of items, the next chunk or -1, the layout or -1
    length: Shorts
    following: Shorts
    layout: Shorts
    items: Ints
    item_kind: Kinds
    layout_start: Shorts
    layout_size: Shorts
    layout_keys: Shorts
    layout_table: Shorts
    range_start: Ints  # by a hash of their items ranges that lists may share; without length none
    range_length: Shorts


def new_machine() -> Machine:
    """A machine with an empty stack and little room."""

    def longs(count: int = 0) -> Ints:
        return np.zeros(count, np.int64)

    def shorts(count: int = 0) -> Shorts:
        return np.zeros(count, np.int32)

    def kinds() -> Kinds:
        return np.zeros(0, np.uint8)

    return Machine(
        state=longs(16),
        stack=longs(),
        stack_kind=kinds(),
        marks=shorts(),
        memo=longs(),
        memo_kind=kinds(),
        first=shorts(),
        last=shorts(),
        size=shorts(),
        start=longs(),
        length=shorts(),
        following=shorts(),
        layout=shorts(),
        items=longs(),
        item_kind=kinds(),
        layout_start=shorts(MOST_LAYOUTS),
        layout_size=shorts(MOST_LAYOUTS),
        layout_keys=shorts(MOST_LAYOUT_KEYS),
        layout_table=shorts(LAYOUT_SLOTS),
        range_start=longs(RANGE_SLOTS),
        range_length=shorts(RANGE_SLOTS),
    )


_GROWING = {
    STACK: ("stack", "stack_kind"),
    MARKS: ("marks",),
    MEMO: ("memo", "memo_kind"),
    CONTAINERS: ("first", "last", "size"),
    CHUNKS: ("start", "length", "following", "layout"),
    ITEMS: ("items", "item_kind"),
}


def make_room(machine: Machine, more: int) -> None:
    """Let every array take that many more entries; the items, all of the stack besides. What grows leaves no copy."""
    for used, names in _GROWING.items():
        wanted = int(machine.state[used]) + more + (int(machine.state[STACK]) if used == ITEMS else 0)
        for name in names:
            array = getattr(machine, name)
            if len(array) < wanted:
                array.resize(max(wanted, len(array) + len(array) // 8), refcheck=False)


def held_bytes(machine: Machine) -> int:
    """Memory of all arrays."""
    return sum(array.nbytes for array in machine)


def forget_scratch(machine: Machine) -> Machine:
    """The machine without what only decoding needs."""
    names = ("marks", "memo", "memo_kind", "last", "range_start", "range_length")
    return machine._replace(**{name: getattr(machine, name)[:0].copy() for name in names})
