"""What the scanner looks for and where it puts it: arrays with names, shared by all loops of a scan."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric.bytescan import hash_bytes
from stepscope.numeric.compiling import hot

INT, FLOAT, TIME, TEXT = 0, 1, 2, 3
"""Kinds of a slot: int64, float64 bits, decimal microseconds to int64 ns, code of the text."""

ARGS = -2
"""Marks the key whose object is entered one level down."""

LONGEST_NS, EARLIEST_NS = 1 << 50, -(1 << 57)
LATEST_NS = (1 << 63) - (1 << 57) - 2 * LONGEST_NS
"""Times beyond these are none: 13 days, four years before what times count from, and 287 years after it. What lies
between any two starts and ends fits into int64."""

SEED_FOR_KEYS = np.uint64(0x5DEECE66D)


class Plan(NamedTuple):
    """What to look for. A slot is a wanted key; a group is a kind of object with its own columns.

    The tables are packed into few arrays because numba passes every array of a call one by one.
    """

    keys: npt.NDArray[np.int64]  # [slots, 4]: start and length of the text in key_words, level, kind
    key_words: npt.NDArray[np.uint64]  # text of all keys, padded; level 0 is on the object, 1 in args
    key_table: npt.NDArray[np.int32]  # hash table of slots, slot + 1
    classes: npt.NDArray[np.int64]  # [classes, 4]: start and length of the text, group if timed, if not
    class_words: npt.NDArray[np.uint64]  # texts of the category slot that decide the group, padded
    phase_group: npt.NDArray[np.int64]  # [256] group by phase letter, -1 undecided
    roles: npt.NDArray[np.int64]  # slots and groups with a role, see below
    column: npt.NDArray[np.int64]  # [groups, slots] column of the output, -1 not kept


# Indexes into Plan.roles: the phase letter of timed objects, slots, and the group of the undecided and broken.
TIMED_PHASE, PHASE, CATEGORY, START, DURATION, REST = range(6)


class Output(NamedTuple):
    """Columns of one scan; reused from block to block."""

    cells: npt.NDArray[np.int64]  # [columns, rows]
    row: npt.NDArray[np.int64]  # [groups, rows] index of the object in the array
    broken: npt.NDArray[np.int64]  # [rows] of the rest group: why it is there, see below
    rows: npt.NDArray[np.int64]  # [groups] rows used
    filled: npt.NDArray[np.int64]  # [columns] cells written; the rest up to the group's rows is missing
    nulls: npt.NDArray[np.int64]  # [columns] missing values among them
    extras: npt.NDArray[np.int64]  # [4, capacity] object index, level, key code, value code
    counts: npt.NDArray[np.int64]  # [COUNTS]


# Indexes into Output.counts.
OBJECTS, EXTRAS, DAMAGED, NOT_OBJECTS, ROUNDED_TIMES, WITHOUT_PHASE, STOP, LOST, DOUBLED = range(9)
COUNTS = 9

# Values of Output.broken.
WHOLE, BROKEN_START, BROKEN_DURATION, NEGATIVE_DURATION, NO_PHASE = range(5)

# Rows of the scratch array [SCRATCH, slots + 1], which holds the object being read, and two guesses that spare most
# of the hashing: the slot that followed this one last time, and this slot's last text: its code, doubled, plus one
# if it was quoted. The column behind the slots stands for "before the first key".
VALUE, STAMP, RAW_START, RAW_STOP, VALID, SEEN, NEXT, LAST_TEXT = range(8)
SCRATCH = 8


def new_output(plan: Plan, rows: int, extras: int) -> Output:
    """Room for ``rows`` objects of each group and ``extras`` extras."""
    groups = len(plan.column)
    columns = int(plan.column.max()) + 1
    return Output(
        np.empty((columns, rows), np.int64),
        np.empty((groups, rows), np.int64),
        np.empty(rows, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(columns, np.int64),
        np.zeros(columns, np.int64),
        np.empty((4, extras), np.int64),
        np.zeros(COUNTS, np.int64),
    )


def new_scratch(plan: Plan) -> npt.NDArray[np.int64]:
    """Working memory of one scan at a time."""
    return np.zeros((SCRATCH, len(plan.keys) + 1), np.int64)


def hash_table_of_keys(words: npt.NDArray[np.uint64], start: list[int], length: list[int]) -> npt.NDArray[np.int32]:
    """Hash table for `Plan.key_table` over the keys that lie in ``words``."""
    size = 1 << (len(start) * 4).bit_length()
    table = np.zeros(size, np.int32)
    for slot, (at, count) in enumerate(zip(start, length, strict=True)):
        place = int(_hash_key(words, at, at + count)) & (size - 1)
        while table[place]:
            place = (place + 1) & (size - 1)
        table[place] = slot + 1
    return table


@hot
def _hash_key(words, start, stop):
    return hash_bytes(words, start, stop, SEED_FOR_KEYS)
