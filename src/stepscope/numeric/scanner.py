"""One pass over the bytes of a JSON array of flat objects, straight into typed columns.

The scanner knows no file format. A `Plan` says which keys are wanted (on the object itself or one level down, in
its ``args``), how each is typed, and which columns each group of objects keeps. Everything else is kept as an extra:
(row, level and key, value). Texts become codes of a `Pool`. Objects that are damaged are counted and skipped to the
next object boundary, so one bad byte costs one object.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric.bytescan import (
    EXACT,
    INVALID,
    NULL,
    ROUNDED,
    hash_bytes,
    is_blank,
    parse_float,
    parse_int,
    parse_time,
    plain_int,
    same_bytes,
    skip_blanks,
    string_end,
    value_end,
)
from stepscope.numeric.compiling import hot, inner
from stepscope.numeric.pool import intern

INT, FLOAT, TIME, TEXT = 0, 1, 2, 3
"""Kinds of a slot: int64, float64 bits, decimal microseconds to int64 ns, code of the text."""

ARGS = -2
"""Marks the key whose object is entered one level down."""

MORE, CLOSED, FULL = 0, 1, 2
"""How a scan ended: at the buffer's end, at the array's end, or out of room (grow and retry)."""

_QUOTE, _COLON, _COMMA = 34, 58, 44
_OPEN_BRACE, _CLOSE_BRACE, _CLOSE_BRACKET = 123, 125, 93


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
    roles: npt.NDArray[np.int64]  # slots and groups with a role, see ROLE_*
    column: npt.NDArray[np.int64]  # [groups, slots] column of the output, -1 not kept
    kept: npt.NDArray[np.int64]  # [groups, slots + 1]: number of slots kept, then the slots


# Indexes into Plan.roles: the phase letter of timed objects, slots, and the group of the undecided and broken.
TIMED_PHASE, PHASE, CATEGORY, START, DURATION, REST = range(6)


class Output(NamedTuple):
    """Columns of one scan; reused from block to block."""

    cells: npt.NDArray[np.int64]  # [columns, rows]
    row: npt.NDArray[np.int64]  # [groups, rows] index of the object in the array
    broken: npt.NDArray[np.int64]  # [rows] of the rest group: why it is there, see BROKEN_*
    rows: npt.NDArray[np.int64]  # [groups] rows used
    filled: npt.NDArray[np.int64]  # [columns] cells written; the rest up to the group's rows is missing
    nulls: npt.NDArray[np.int64]  # [columns] missing values among them
    extras: npt.NDArray[np.int64]  # [4, capacity] object index, level, key code, value code
    counts: npt.NDArray[np.int64]  # [COUNTS]


# Indexes into Output.counts.
OBJECTS, EXTRAS, DAMAGED, NOT_OBJECTS, ROUNDED_TIMES, STOP = range(6)
COUNTS = 6

# Values of Output.broken.
WHOLE, BROKEN_START, BROKEN_DURATION, NEGATIVE_DURATION, NO_PHASE = range(5)


# Rows of the scratch array [_SCRATCH, slots + 1], which holds the object being read, and two guesses that spare most
# of the hashing: the slot that followed this one last time, and the last code of this slot (last + 1 is "first key").
_VALUE, _STAMP, _RAW_START, _RAW_STOP, _VALID, _SEEN, _NEXT, _LAST_CODE = range(8)
_SCRATCH = 8


def new_output(plan: Plan, rows: int, extras: int) -> Output:
    """Room for ``rows`` objects of each group and ``extras`` extras."""
    groups = len(plan.kept)
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
    return np.zeros((_SCRATCH, len(plan.keys) + 1), np.int64)


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


SEED_FOR_KEYS = np.uint64(0x5DEECE66D)


@inner
def _find_key(keys, key_words, key_table, words, start, stop, level):
    mask = len(key_table) - 1
    place = np.int64(hash_bytes(words, start, stop, SEED_FOR_KEYS)) & mask
    while True:
        slot = np.int64(key_table[place]) - 1
        if slot < 0:
            return -1
        if (
            keys[slot, 2] == level
            and keys[slot, 1] == stop - start
            and same_bytes(key_words, keys[slot, 0], words, start, stop - start)
        ):
            return slot
        place = (place + 1) & mask


@inner
def _is_null(buf, start, stop):
    return stop - start == 4 and buf[start] == 110 and buf[start + 1] == 117


@inner
def _push_extra(extras, counts, index, level, key, value):
    """Keep a value that no column takes; False when there is no room."""
    at = counts[EXTRAS]
    if at >= extras.shape[1] or value < 0:
        return False
    extras[0, at] = index
    extras[1, at] = level
    extras[2, at] = key
    extras[3, at] = value
    counts[EXTRAS] = at + 1
    return True


@inner
def _class_of(classes, class_words, entries, words, code):
    """Class of a category text, or -1."""
    start, length = entries[code, 0], entries[code, 1]
    for i in range(len(classes)):
        if classes[i, 1] == length and same_bytes(class_words, classes[i, 0], words, start, length):
            return i
    return -1


@inner
def _has(scratch, slot, index):
    return scratch[_STAMP, slot] == index and scratch[_VALID, slot] == 1 and scratch[_VALUE, slot] != NULL


@inner
def _why_broken(roles, scratch, index):
    """Whether a timed object has a usable start and duration."""
    if not _has(scratch, roles[START], index):
        return BROKEN_START
    if not _has(scratch, roles[DURATION], index):
        return BROKEN_DURATION
    start, duration = scratch[_VALUE, roles[START]], scratch[_VALUE, roles[DURATION]]
    if duration < 0:
        return NEGATIVE_DURATION
    if start > 0 and start + duration < 0:
        return BROKEN_DURATION
    return WHOLE


@inner
def _phase_letter(roles, scratch, buf):
    start, stop = scratch[_RAW_START, roles[PHASE]], scratch[_RAW_STOP, roles[PHASE]]
    if buf[start] == _QUOTE:
        return np.int64(buf[start + 1]) if stop - start == 3 else np.int64(0)
    return np.int64(0)


@inner
def _choose_group(plan, entries, scratch, buf, words, index, known):
    """Group of the object just read, and why it is broken; ``known`` remembers the class of each text."""
    roles = plan.roles
    if not _has(scratch, roles[PHASE], index):
        return roles[REST], NO_PHASE
    phase = _phase_letter(roles, scratch, buf)
    timed = phase == roles[TIMED_PHASE]
    broken = _why_broken(roles, scratch, index) if timed else WHOLE
    if broken != WHOLE:
        return roles[REST], broken
    group = plan.phase_group[phase]
    if group >= 0:
        return group, WHOLE
    if not _has(scratch, roles[CATEGORY], index):
        return roles[REST], WHOLE
    code = scratch[_VALUE, roles[CATEGORY]]
    if known[code] == -2:
        known[code] = _class_of(plan.classes, plan.class_words, entries, words, code)
    found = known[code]
    if found < 0:
        return roles[REST], WHOLE
    return plan.classes[found, 2 if timed else 3], WHOLE


@inner
def _write_cell(cells, filled, nulls, place, row, value):
    """Write one cell; rows skipped since the column's last value are missing there."""
    for missing in range(filled[place], row):
        cells[place, missing] = NULL
        nulls[place] += 1
    cells[place, row] = value
    filled[place] = row + 1


@inner
def _emit(plan, out, count, table, entries, scratch, seen, buf, words, index, known, seed):
    """Write the object just read into the columns of its group; False when there is no room."""
    group, broken = _choose_group(plan, entries, scratch, buf, words, index, known)
    row = out.rows[group]
    if row >= out.row.shape[1]:
        return False
    column = plan.column
    # The phase of a grouped object follows from its group; only the rest keeps it as a column.
    implied = plan.roles[PHASE]
    for k in range(seen):
        slot = scratch[_SEEN, k]
        place = column[group, slot]
        if scratch[_VALID, slot] == 1:
            value = scratch[_VALUE, slot]
            if value == NULL or (place < 0 and slot == implied):
                continue
            if place >= 0:
                _write_cell(out.cells, out.filled, out.nulls, place, row, value)
                continue
        start, stop = scratch[_RAW_START, slot], scratch[_RAW_STOP, slot]
        value = intern(count, table, entries, words, start, stop, seed)
        # The key may have no text in this block's pool: say which slot it is, the reader knows its name.
        if not _push_extra(out.extras, out.counts, index, plan.keys[slot, 2], -1 - slot, value):
            return False
    out.row[group, row] = index
    if group == plan.roles[REST]:
        out.broken[row] = broken
    out.rows[group] = row + 1
    return True


_INCOMPLETE, _MALFORMED, _NO_ROOM = -1, -2, -3


@inner
def _guessed_key(keys, key_words, scratch, previous, buf, words, at, end):
    """Slot that followed ``previous`` last time, if its key stands at ``at`` again; else -1."""
    slot = scratch[_NEXT, previous]
    if slot < 0:
        return -1
    length = keys[slot, 1]
    if at + length >= end or buf[at + length] != _QUOTE:
        return -1
    return slot if same_bytes(key_words, keys[slot, 0], words, at, length) else -1


@inner
def _guessed_text(entries, scratch, slot, buf, words, start, end):
    """Index after the value at ``start`` if it is the text this slot had last; else -1."""
    code = scratch[_LAST_CODE, slot]
    if code < 0:
        return -1
    length = entries[code, 1]
    quoted = buf[start] == _QUOTE
    inside = start + 1 if quoted else start
    stop = inside + length
    if stop >= end or not same_bytes(words, entries[code, 0], words, inside, length):
        return -1
    if quoted:
        return stop + 1 if buf[stop] == _QUOTE else -1
    byte = buf[stop]
    return stop if byte == _COMMA or byte == _CLOSE_BRACE or is_blank(byte) else -1


@inner
def _read_number(kind, floats, scratch, slot, buf, words, start, end):
    """Read the number at ``start`` into the scratch; returns the index after it (-1 incomplete) and the status."""
    if kind == INT:
        value, at = plain_int(buf, start, end)
        if at >= 0:
            scratch[_VALUE, slot] = value
            return at, EXACT
    stop = value_end(buf, words, start, end)
    if stop < 0 or stop == start:
        return stop, INVALID
    inside, last = start, stop
    if buf[start] == _QUOTE:
        inside, last = start + 1, stop - 1
    elif _is_null(buf, start, stop):
        scratch[_VALUE, slot] = NULL
        return stop, EXACT
    if kind == INT:
        scratch[_VALUE, slot], status = parse_int(buf, inside, last)
    elif kind == TIME:
        scratch[_VALUE, slot], status = parse_time(buf, inside, last)
    else:
        floats[_VALUE, slot], status = parse_float(buf, inside, last)
    return stop, status


@inner
def _read_text(count, table, entries, scratch, slot, buf, words, start, end, seed):
    """Read the text at ``start`` into the scratch; returns the index after it, -1 incomplete, and whether it fitted."""
    stop = _guessed_text(entries, scratch, slot, buf, words, start, end)
    if stop >= 0:
        scratch[_VALUE, slot] = scratch[_LAST_CODE, slot]
        return stop, True
    stop = value_end(buf, words, start, end)
    if stop < 0 or stop == start:
        return stop, True
    if _is_null(buf, start, stop):
        scratch[_VALUE, slot] = NULL
        return stop, True
    inside, last = start, stop
    if buf[start] == _QUOTE:
        inside, last = start + 1, stop - 1
    code = intern(count, table, entries, words, inside, last, seed)
    scratch[_VALUE, slot] = code
    scratch[_LAST_CODE, slot] = code
    return stop, code >= 0


@inner
def _read_object(
    keys, key_words, key_table, extras, counts, count, table, entries, scratch, floats, buf, words, at, end, index, seed
):
    """Read the members of the object opened at ``at``.

    Returns the index after it or a negative status, and the number of wanted keys seen.
    """
    seen = 0
    level = 0
    previous = len(keys)
    at += 1
    while True:
        while at < end and (is_blank(buf[at]) or buf[at] == _COMMA):
            at += 1
        if at >= end:
            return _INCOMPLETE, seen
        byte = buf[at]
        if byte == _CLOSE_BRACE:
            at += 1
            if level == 0:
                return at, seen
            level = 0
            continue
        if byte != _QUOTE:
            return _MALFORMED, seen
        key_start = at + 1
        slot = _guessed_key(keys, key_words, scratch, previous, buf, words, key_start, end)
        if slot >= 0 and keys[slot, 2] == level:
            key_stop = key_start + keys[slot, 1]
        else:
            key_stop = string_end(buf, words, key_start, end)
            if key_stop < 0:
                return _INCOMPLETE, seen
            slot = _find_key(keys, key_words, key_table, words, key_start, key_stop, level)
            if slot >= 0:
                scratch[_NEXT, previous] = slot
        at = skip_blanks(buf, key_stop + 1, end)
        if at >= end:
            return _INCOMPLETE, seen
        if buf[at] != _COLON:
            return _MALFORMED, seen
        at = skip_blanks(buf, at + 1, end)
        if at >= end:
            return _INCOMPLETE, seen
        kind = ARGS
        if slot >= 0:
            kind = keys[slot, 3]
            previous = slot
        start = at
        if kind == ARGS:
            if slot >= 0 and buf[at] == _OPEN_BRACE:
                level = 1
                at += 1
                continue
            at = value_end(buf, words, start, end)
            if at > start and (slot < 0 or not _is_null(buf, start, at)):
                key = intern(count, table, entries, words, key_start, key_stop, seed)
                value = intern(count, table, entries, words, start, at, seed)
                if key < 0 or not _push_extra(extras, counts, index, level, key, value):
                    return _NO_ROOM, seen
        elif kind == TEXT:
            at, fitted = _read_text(count, table, entries, scratch, slot, buf, words, start, end, seed)
            if not fitted:
                return _NO_ROOM, seen
            scratch[_VALID, slot] = 1
        else:
            at, status = _read_number(kind, floats, scratch, slot, buf, words, start, end)
            scratch[_VALID, slot] = 0 if status == INVALID else 1
            if status == ROUNDED:
                counts[ROUNDED_TIMES] += 1
        if at < 0:
            return _INCOMPLETE, seen
        if at == start:
            return _MALFORMED, seen
        if kind != ARGS:
            scratch[_RAW_START, slot] = start
            scratch[_RAW_STOP, slot] = at
            if scratch[_STAMP, slot] != index:
                scratch[_STAMP, slot] = index
                scratch[_SEEN, seen] = slot
                seen += 1


@hot
def last_boundary(buf, start, end):
    """Index of the ``{`` of the last ``} , { "letter`` in ``buf[start:end]``, or -1.

    In valid JSON this sequence is never inside a string: the quote after the brace would end the string and be
    followed by one of ``, : ] }``, not by a letter. So it always separates two objects.
    """
    at = end - 1
    while at > start:
        if buf[at] == _OPEN_BRACE and _is_boundary(buf, at, start, end):
            return at
        at -= 1
    return -1


@inner
def _next_boundary(buf, at, end):
    floor = at
    at += 1
    while at < end:
        if buf[at] == _OPEN_BRACE and _is_boundary(buf, at, floor, end):
            return at
        at += 1
    return -1


@inner
def _is_boundary(buf, brace, start, end):
    ahead = skip_blanks(buf, brace + 1, end)
    if ahead + 1 >= end or buf[ahead] != _QUOTE:
        return False
    letter = buf[ahead + 1] | 32
    if letter < 97 or letter > 122:
        return False
    behind = brace - 1
    while behind >= start and is_blank(buf[behind]):
        behind -= 1
    if behind < start or buf[behind] != _COMMA:
        return False
    behind -= 1
    while behind >= start and is_blank(buf[behind]):
        behind -= 1
    return behind >= start and buf[behind] == _CLOSE_BRACE


@hot
def scan(plan, out, pool, known, scratch, buf, words, start, end, final, seed):
    """Read the objects of an array from ``buf[start:end]``; returns `MORE`, `CLOSED` or `FULL`.

    ``out.counts[STOP]`` is the index where reading stopped: behind the closing bracket when `CLOSED`, else at the
    first object that is not complete (``end`` when all are). With ``final`` an object that cannot be completed is
    skipped if another one begins behind it, because no more bytes will come. ``known`` has room for one number per
    code of the pool.
    """
    floats = scratch.view(np.float64)
    scratch[_STAMP, :] = -1
    scratch[_NEXT, :] = -1
    scratch[_LAST_CODE, :] = -1
    out.rows[:] = 0
    out.filled[:] = 0
    out.nulls[:] = 0
    out.counts[:] = 0
    keys, key_words, key_table = plan.keys, plan.key_words, plan.key_table
    extras, counts = out.extras, out.counts
    count, table, entries = pool.count, pool.table, pool.entries
    known[:] = -2
    index = np.int64(0)
    at = start
    while True:
        while at < end and (is_blank(buf[at]) or buf[at] == _COMMA):
            at += 1
        counts[STOP] = at
        if at >= end:
            return MORE
        if buf[at] == _CLOSE_BRACKET:
            counts[STOP] = at + 1
            return CLOSED
        if buf[at] != _OPEN_BRACE:
            # The array holds a bare value, or a damaged object's tail.
            stop = value_end(buf, words, at, end)
            if stop < 0:
                return MORE
            if stop > at:
                index += 1
                counts[OBJECTS] = index
                counts[NOT_OBJECTS] += 1
            at = max(stop, at + 1)
            continue
        kept_extras = counts[EXTRAS]
        stop, seen = _read_object(
            keys, key_words, key_table, extras, counts, count, table, entries, scratch, floats,
            buf, words, at, end, index, seed,
        )
        if stop == _NO_ROOM:
            return FULL
        if stop < 0:
            counts[EXTRAS] = kept_extras
            following = _next_boundary(buf, at, end) if stop == _MALFORMED or final else -1
            if following < 0:
                return MORE
            counts[DAMAGED] += 1
            at = following
            index += 1
            counts[OBJECTS] = index
            continue
        if not _emit(plan, out, count, table, entries, scratch, seen, buf, words, index, known, seed):
            return FULL
        index += 1
        counts[OBJECTS] = index
        at = stop


@hot
def next_member(buf, words, at, end):
    """The next key and value of the object whose inside starts at ``at``.

    Returns (status, key start, key stop, value start, value stop): status 1 for a member, 0 at the object's end,
    -1 where the bytes end first, -2 where they are no JSON. An incomplete value has value stop -1.
    """
    while at < end and (is_blank(buf[at]) or buf[at] == _COMMA):
        at += 1
    if at >= end:
        return -1, 0, 0, 0, 0
    if buf[at] == _CLOSE_BRACE:
        return 0, 0, 0, at, at + 1
    if buf[at] != _QUOTE:
        return -2, 0, 0, 0, 0
    key_start = at + 1
    key_stop = string_end(buf, words, key_start, end)
    if key_stop < 0:
        return -1, 0, 0, 0, 0
    at = skip_blanks(buf, key_stop + 1, end)
    if at >= end:
        return -1, 0, 0, 0, 0
    if buf[at] != _COLON:
        return -2, 0, 0, 0, 0
    at = skip_blanks(buf, at + 1, end)
    if at >= end:
        return -1, 0, 0, 0, 0
    return 1, key_start, key_stop, at, value_end(buf, words, at, end)
