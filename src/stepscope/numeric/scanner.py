"""One pass over the bytes of a JSON array of flat objects, straight into typed columns.

The scanner knows no file format. A `plan.Plan` says which keys are wanted (on the object itself or one level down, in
its ``args``), how each is typed, and which columns each group of objects keeps. Everything else is kept as an extra:
(row, level and key, value). Texts become codes of a `Pool`.

An object that is damaged is counted and skipped. Behind it the scanner is *adrift*: it does not know how deep it is,
and believes only a whole object that has a phase. So one bad byte costs one object, and the closing bracket of a list
inside a damaged object is not taken for the array's end.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric.boundaries import array_end, closes_array, next_candidate
from stepscope.numeric.bytescan import NULL, damage_at, is_blank, same_bytes, skip_blanks
from stepscope.numeric.compiling import hot, inner
from stepscope.numeric.objects import INCOMPLETE, NO_ROOM, push_extra, read_object, whole_value_end
from stepscope.numeric.plan import (
    BROKEN_DURATION,
    BROKEN_START,
    CATEGORY,
    DAMAGED,
    DOUBLED,
    DURATION,
    EXTRAS,
    LAST_TEXT,
    LONGEST_NS,
    LOST,
    NEGATIVE_DURATION,
    NEXT,
    NO_PHASE,
    NOT_OBJECTS,
    OBJECTS,
    PHASE,
    RAW_START,
    RAW_STOP,
    REST,
    ROUNDED_TIMES,
    SEEN,
    STAMP,
    START,
    STOP,
    TIMED_PHASE,
    VALID,
    VALUE,
    WHOLE,
    WITHOUT_PHASE,
)
from stepscope.numeric.pool import intern

MORE, CLOSED, FULL, ADRIFT = 0, 1, 2, 3
"""How a scan ended: at the buffer's end, at the array's end, out of room (grow and retry), or at the buffer's end
behind damage that no whole object follows."""

GOES_ON, TOO_LONG, ENDS = 0, 1, 2
"""What follows the buffer: more bytes, more bytes though an object should long have ended in it, or nothing."""

_QUOTE, _COMMA = 34, 44
_OPEN_BRACE, _OPEN_BRACKET, _CLOSE_BRACKET = 123, 91, 93

_SHORTEST_REACH = 1024
_OVERLAP = 256
"""More than the blanks between the brace and the first key of an object."""


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
    return scratch[STAMP, slot] == index and scratch[VALID, slot] == 1 and scratch[VALUE, slot] != NULL


@inner
def _why_broken(roles, scratch, index):
    """Whether a timed object has a usable start and duration."""
    if not _has(scratch, roles[START], index):
        return BROKEN_START
    if not _has(scratch, roles[DURATION], index):
        return BROKEN_DURATION
    duration = scratch[VALUE, roles[DURATION]]
    if duration < 0:
        return NEGATIVE_DURATION
    return BROKEN_DURATION if duration > LONGEST_NS else WHOLE


@inner
def _phase_letter(roles, scratch, buf):
    start, stop = scratch[RAW_START, roles[PHASE]], scratch[RAW_STOP, roles[PHASE]]
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
    code = scratch[VALUE, roles[CATEGORY]]
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
def _emit(plan, out, pool, scratch, seen, buf, words, index, known, seed):
    """Write the object just read into the columns of its group; False when there is no room."""
    group, broken = _choose_group(plan, pool.entries, scratch, buf, words, index, known)
    row = out.rows[group]
    if row >= out.row.shape[1]:
        return False
    column = plan.column
    # The phase of a grouped object follows from its group; only the rest keeps it as a column.
    implied = plan.roles[PHASE]
    for k in range(seen):
        slot = scratch[SEEN, k]
        place = column[group, slot]
        if scratch[VALID, slot] == 1:
            if place < 0 and slot == implied:
                continue
            # A null is kept as an extra: in the column it would look like a missing key.
            if place >= 0 and scratch[VALUE, slot] != NULL:
                _write_cell(out.cells, out.filled, out.nulls, place, row, scratch[VALUE, slot])
                continue
        start, stop = scratch[RAW_START, slot], scratch[RAW_STOP, slot]
        value = intern(pool.used, pool.table, pool.entries, words, start, stop, seed)
        # The key may have no text in this block's pool: say which slot it is, the reader knows its name.
        if not push_extra(out.extras, out.counts, index, plan.keys[slot, 2], -1 - slot, value):
            return False
    out.row[group, row] = index
    if group == plan.roles[REST]:
        out.broken[row] = broken
        out.counts[WITHOUT_PHASE] += broken == NO_PHASE
    out.rows[group] = row + 1
    return True


_OBJECT, _DAMAGE = -1, -2
"""What may come next beside the end of the scan."""


@inner
def _begins_value(byte):
    """Whether a JSON value that is no object may begin with a byte; words: true, false, null, NaN, Infinity."""
    is_word = byte == 116 or byte == 102 or byte == 110 or byte == 78 or byte == 73
    return is_word or byte == _QUOTE or byte == _OPEN_BRACKET or byte == 45 or (byte >= 48 and byte <= 57)


@inner
def _bare_value_end(buf, words, at, end, ending):
    """Index after the bare value at ``at``; -1 if more bytes are needed to tell, -2 if it is damage.

    A bare value is followed by a comma or the array's end. A list in which an object begins is rather a stray bracket.
    """
    stop = whole_value_end(buf, words, at, end)
    if stop == at or not _begins_value(buf[at]):
        return -2
    if stop < 0:
        return -1 if stop == INCOMPLETE and ending == GOES_ON else -2
    if buf[at] == _OPEN_BRACKET and next_candidate(buf, at, at, stop) >= 0:
        return -2
    following = skip_blanks(buf, stop, end)
    if following >= end:
        return -1 if ending == GOES_ON else stop
    return stop if buf[following] == _COMMA or buf[following] == _CLOSE_BRACKET else -2


@inner
def _skip_to_object(counts, buf, words, at, end, ending):
    """Go on to the next object of the array, counting bare values on the way.

    Returns the index of what comes next, and what it is: `_OBJECT`, `_DAMAGE`, or the scan's end.
    """
    while True:
        while at < end and (is_blank(buf[at]) or buf[at] == _COMMA):
            at += 1
        counts[STOP] = at
        if at >= end:
            return at, MORE
        if buf[at] == _OPEN_BRACE:
            return at, _OBJECT
        if buf[at] == _CLOSE_BRACKET:
            closes = closes_array(buf, at, end)
            if closes == 0:
                return at, _DAMAGE
            if closes < 0 and ending == GOES_ON:
                return at, MORE
            counts[STOP] = at + 1
            return at, CLOSED
        stop = _bare_value_end(buf, words, at, end, ending)
        if stop < 0:
            return at, MORE if stop == -1 else _DAMAGE
        counts[NOT_OBJECTS] += 1
        counts[OBJECTS] += 1
        at = stop


@inner
def _is_cut(at, limit, start, end, ending):
    """Whether an object that is incomplete at ``limit`` needs more bytes, rather than being damaged."""
    if limit < end or ending == ENDS:
        return False
    return ending == GOES_ON or at - start > (end - start) // 2


@inner
def _reach(at, start, end, wasted):
    """How far an object may reach: without this, hostile bytes would be read to their end again from every brace."""
    return max(_SHORTEST_REACH, 3 * (end - start) + 8 * (at - start) - wasted)


@inner
def _start_over(out, known, scratch):
    out.rows[:] = 0
    out.filled[:] = 0
    out.nulls[:] = 0
    out.counts[:] = 0
    known[:] = -2
    scratch[STAMP, :] = -1
    scratch[NEXT, :] = -1
    scratch[LAST_TEXT, :] = -1


@inner
def _forget(counts, scratch, extras, rounded, doubled):
    """Undo what an object left behind that is not kept."""
    counts[EXTRAS] = extras
    counts[ROUNDED_TIMES] = rounded
    counts[DOUBLED] = doubled
    scratch[STAMP, :] = -1


@inner
def _count_damaged(counts, objects):
    counts[DAMAGED] += objects
    counts[OBJECTS] += objects


@inner
def _stay_adrift(counts, buf, lost, searched, damaged, end, ending):
    """End the scan: behind the damage at ``lost`` no object begins from ``searched`` on."""
    counts[LOST] = lost
    if ending != ENDS:
        _count_damaged(counts, damaged)
        counts[STOP] = max(searched, end - _OVERLAP)
        return ADRIFT
    # The damaged object may be the array's last: what follows the array is worth having.
    closing = array_end(buf, lost, end)
    if closing < 0 and damaged > 0 and buf[lost] == _CLOSE_BRACKET:
        closing = lost
    if closing < 0:
        counts[STOP] = lost
        return ADRIFT
    _count_damaged(counts, damaged)
    counts[STOP] = closing + 1
    return CLOSED


@hot
def scan(plan, out, pool, known, scratch, buf, words, start, end, ending, adrift, seed):
    """Read the objects of an array from ``buf[start:end]``; returns `MORE`, `CLOSED`, `FULL` or `ADRIFT`.

    ``out.counts[STOP]`` is the index where reading stopped: behind the closing bracket when `CLOSED`, else at the
    first object that is not complete (``end`` when all are). When `ADRIFT`, damage reaches there from index
    ``out.counts[LOST]`` on, and the next buffer is to be read ``adrift``. ``ending`` is `GOES_ON`, `TOO_LONG` or
    `ENDS`. ``known`` has room for one number per code of the pool.
    """
    floats = scratch.view(np.float64)
    counts, phase = out.counts, plan.roles[PHASE]
    _start_over(out, known, scratch)
    wasted, damaged, lost, at, searched = np.int64(0), 0, -1, start, start
    if adrift:
        lost, at = start, next_candidate(buf, start, start, end)
    while True:
        if lost < 0:
            at, status = _skip_to_object(counts, buf, words, at, end, ending)
            if status == _DAMAGE:
                damaged, lost, searched, at = 1, at, at, next_candidate(buf, at, start, end)
            elif status != _OBJECT:
                return status
        if at < 0:
            return _stay_adrift(counts, buf, lost, searched, damaged, end, ending)
        index, extras = counts[OBJECTS] + damaged, counts[EXTRAS]
        rounded, doubled = counts[ROUNDED_TIMES], counts[DOUBLED]
        limit = min(end, at + _reach(at, start, end, wasted))
        stop, seen = read_object(plan, out.extras, counts, pool, scratch, floats, buf, words, at, limit, index, seed)
        if stop == NO_ROOM:
            return FULL
        is_event = lost < 0 or _has(scratch, phase, index)
        if stop >= 0 and is_event:
            if not _emit(plan, out, pool, scratch, seen, buf, words, index, known, seed):
                return FULL
            _count_damaged(counts, damaged)
            counts[OBJECTS] += 1
            damaged, lost, at = 0, -1, stop
            continue
        _forget(counts, scratch, extras, rounded, doubled)
        if stop == INCOMPLETE and _is_cut(at, limit, start, end, ending):
            _count_damaged(counts, damaged)
            counts[STOP], counts[LOST] = at, lost
            return MORE if lost < 0 else ADRIFT
        lost, searched = lost if lost >= 0 else at, at + 1
        damaged += is_event
        wasted += (stop if stop >= 0 else limit if stop == INCOMPLETE else damage_at(stop)) - at
        at = next_candidate(buf, searched, start, end)
