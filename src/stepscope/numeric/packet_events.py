"""Decode what happened: events of tracks with their annotations, and work of a GPU.

A function returns whether its message is sound; what one that is not has written is taken back by the caller.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric import packet_state as st
from stepscope.numeric.compiling import hot_part
from stepscope.numeric.packet_state import code_of, field, lookup, new_event, note, varint
from stepscope.numeric.wire import BYTES, FIXED64, VARINT

_CATEGORIES, _NAMES, _KEYS, _VALUES, _STAGES, _KERNELS, _ARGUMENTS = 1, 2, 3, 29, 24, 1000, 1001


@hot_part
def track_event(m, pool, arena, arena_words, buf, words, sequence, time, at, end):
    """An event of a track: a slice that begins or ends, an instant, or values of counters."""
    owner = m.sequences[sequence, st.CURRENT]
    row = new_event(m, 0, time)
    if row < 0:
        return True
    event = m.events[row]
    event[st.OWNER] = owner
    event[st.TRACK] = m.sequences[sequence, st.DEFAULT_TRACK]
    values, start = 0, at
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            return False
        if wire == VARINT and number == 9:
            event[st.KIND] = first
        elif number == 44 and wire == FIXED64:
            event[st.VALUE], event[st.VALUE_KIND] = first, st.REAL
        elif number == 4 and wire == BYTES:
            if not _annotation(m, pool, arena, arena_words, buf, words, owner, first, second):
                return False
        elif number == 12 or number == 46:
            values = 1
        else:
            _own_field(m, pool, arena, arena_words, buf, words, owner, row, number, wire, first, second)
    if event[st.KIND] < st.BEGIN or event[st.KIND] > st.COUNTER:
        m.state[st.LEGACY] += 1
        m.state[st.NOTES] = _notes_before(m, row)
        return True
    m.state[st.EVENTS] = row + 1
    if values:
        _extra_counters(m, buf, sequence, time, start, end)
    return True


@hot_part
def _extra_counters(m, buf, sequence, time, start, end):
    """Values of counters that an event carries along, each an event: of the tracks it names, else of the defaults."""
    for values, tracks in ((12, 31), (46, 45)):
        known, at = 0, start
        while at < end:
            number, wire, first, second, at = field(buf, at, end)
            if number == tracks and wire == VARINT and known < st.MOST_COUNTERS:
                m.packet[known] = first
                known += 1
        if known == 0 and values == 12:
            known = m.sequences[sequence, st.COUNTERS]
            for place in range(known):
                m.packet[place] = m.sequences[sequence, st.FIRST_COUNTER + place]
        place, at = 0, start
        while at < end:
            number, wire, first, second, at = field(buf, at, end)
            while number == values and wire == BYTES and 0 <= first < second:
                value, first = varint(buf, first, second)
                place += _extra_counter(m, place, known, time, value, st.WHOLE)
            if number == values and wire != BYTES:
                place += _extra_counter(m, place, known, time, first, st.WHOLE if wire == VARINT else st.REAL)


@hot_part
def _extra_counter(m, place, known, time, value, kind):
    row = new_event(m, st.COUNTER, time) if place < known else np.int64(-1)
    if row >= 0:
        m.events[row, st.TRACK], m.events[row, st.VALUE], m.events[row, st.VALUE_KIND] = m.packet[place], value, kind
        m.state[st.EVENTS] = row + 1
    return 1


@hot_part
def _notes_before(m, row):
    """How many notes are of earlier events than one."""
    count = m.state[st.NOTES]
    while count > 0 and m.notes[count - 1, 0] == row:
        count -= 1
    return count


@hot_part
def _own_field(m, pool, arena, arena_words, buf, words, owner, row, number, wire, first, second):
    """A field of an event of a track but its annotations."""
    event = m.events[row]
    if wire == VARINT:
        if number == 11:
            event[st.TRACK] = first
        elif number == 10:
            event[st.NAME] = lookup(m, owner, _NAMES, first)
        elif number == 3 and event[st.CATEGORY] < 0:
            event[st.CATEGORY] = lookup(m, owner, _CATEGORIES, first)
        elif number == 30:
            event[st.VALUE], event[st.VALUE_KIND] = first, st.WHOLE
    elif wire == BYTES:
        if number == 23:
            event[st.NAME] = code_of(m, pool, arena, arena_words, buf, words, first, second)
        elif number == 22 and event[st.CATEGORY] < 0:
            event[st.CATEGORY] = code_of(m, pool, arena, arena_words, buf, words, first, second)
        elif number == 3 and event[st.CATEGORY] < 0:
            iid, _ = varint(buf, first, second)
            event[st.CATEGORY] = lookup(m, owner, _CATEGORIES, iid)
        elif number == 3000:
            _numbers(m, buf, first, second, 1, st.SUBMITS)
    if number == 47 or number == 36:
        _flow(m, buf, wire, first, second, st.FLOW)
    elif number == 48 or number == 42:
        _flow(m, buf, wire, first, second, st.LAST_FLOW)


@hot_part
def _flow(m, buf, wire, first, second, key):
    """One flow, or several in one field."""
    if wire != BYTES:
        note(m, key, st.WHOLE, first)
        return
    while first + 8 <= second:
        bits = np.int64(0)
        for place in range(8):
            bits |= np.int64(buf[first + place]) << (8 * place)
        note(m, key, st.WHOLE, bits)
        first += 8


@hot_part
def _numbers(m, buf, at, end, wanted, key):
    """Numbers in a field of a message, one by one or several in one."""
    while 0 <= at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0 or number != wanted:
            continue
        if wire == VARINT:
            note(m, key, st.WHOLE, first)
        while wire == BYTES and 0 <= first < second:
            value, first = varint(buf, first, second)
            if first >= 0:
                note(m, key, st.WHOLE, value)


@hot_part
def _annotation(m, pool, arena, arena_words, buf, words, owner, start, end):
    """An annotation: a name and a value of any kind; what holds others keeps its bytes."""
    key, kind, value = np.int64(-1), np.int64(-1), np.int64(0)
    at = start
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            return False
        if number == 1 and wire == VARINT:
            key = lookup(m, owner, _KEYS, first)
        elif number == 10 and wire == BYTES:
            key = code_of(m, pool, arena, arena_words, buf, words, first, second)
        elif (number == 8 or number == 11 or number == 12) and wire == BYTES:
            kind = st.NESTED
        elif (number == 6 or number == 9) and wire == BYTES:
            value = code_of(m, pool, arena, arena_words, buf, words, first, second)
            kind = st.TEXT if number == 6 else st.LITERAL
        elif number == 17 and wire == VARINT:
            kind, value = st.TEXT, lookup(m, owner, _VALUES, first)
        elif (2 <= number <= 5 or number == 7) and (wire == VARINT or wire == FIXED64):
            kind, value = _scalar(number, first)
    if kind == st.NESTED:
        value = code_of(m, pool, arena, arena_words, buf, words, start, end)
    if key >= 0 and kind >= 0 and not (value < 0 and (kind == st.TEXT or kind == st.LITERAL)):
        note(m, key, kind, value)
    return True


@hot_part
def _scalar(number, bits):
    if number == 2:
        return np.int64(st.TRUTH), np.int64(bits != 0)
    if number == 5:
        return np.int64(st.REAL), bits
    return np.int64(st.UNSIGNED if number != 4 and bits < 0 else st.WHOLE), bits


@hot_part
def gpu_stage(m, pool, arena, arena_words, buf, words, sequence, time, at, end):
    """Work of a GPU: a kernel, a copy or what else its stage is called."""
    owner = m.sequences[sequence, st.CURRENT]
    row = new_event(m, st.STAGE, time)
    if row < 0:
        return True
    event = m.events[row]
    event[st.OWNER], event[st.DURATION] = owner, 0
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            return False
        if wire == VARINT:
            _stage_number(m, owner, row, number, first)
        elif wire == BYTES and number == 17:
            event[st.NAME] = code_of(m, pool, arena, arena_words, buf, words, first, second)
        elif wire == BYTES and number == 6:
            if not _extra(m, pool, arena, arena_words, buf, words, first, second):
                return False
        elif wire == BYTES and number == 21:
            if not _launch(m, pool, arena, arena_words, buf, words, owner, first, second):
                return False
        elif wire == BYTES and number == 18:
            while 0 <= first < second:
                value, first = varint(buf, first, second)
                note(m, st.WAITS, st.WHOLE, value)
    m.state[st.EVENTS] = row + 1
    return True


@hot_part
def _stage_number(m, owner, row, number, value):
    if number == 2:
        m.events[row, st.DURATION] = value
    elif number == 20:
        m.events[row, st.NAME] = lookup(m, owner, _NAMES, value)
    elif number == 1:
        note(m, st.EVENT_ID, st.WHOLE, value)
    elif number == 11:
        note(m, st.GPU, st.WHOLE, value)
    elif number == 5:
        note(m, st.CONTEXT, st.WHOLE, value)
    elif number == 18:
        note(m, st.WAITS, st.WHOLE, value)
    elif number == 14 or number == 13:
        code = lookup(m, owner, _STAGES, value)
        if code >= 0:
            note(m, st.STAGE_NAME if number == 14 else st.QUEUE, st.TEXT, code)
    elif number == 19:
        code = lookup(m, owner, _KERNELS, value)
        if code >= 0:
            note(m, st.KERNEL, st.TEXT, code)


@hot_part
def _extra(m, pool, arena, arena_words, buf, words, at, end):
    """A pair of texts."""
    key, value = np.int64(-1), np.int64(-1)
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            return False
        if wire == BYTES and number == 1:
            key = code_of(m, pool, arena, arena_words, buf, words, first, second)
        elif wire == BYTES and number == 2:
            value = code_of(m, pool, arena, arena_words, buf, words, first, second)
    if key >= 0 and value >= 0:
        note(m, key, st.TEXT, value)
    return True


@hot_part
def _launch(m, pool, arena, arena_words, buf, words, owner, at, end):
    """How a kernel was launched: its grid, the size of its blocks, its arguments."""
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            return False
        if wire != BYTES:
            continue
        if number == 1 or number == 2:
            base = np.int64(st.GRID if number == 1 else st.BLOCK)
            while 0 <= first < second:
                part, kind, value, _, first = field(buf, first, second)
                if first >= 0 and kind == VARINT and 1 <= part <= 3:
                    note(m, base - (part - 1), st.WHOLE, value)
        elif number == 3:
            _argument(m, pool, arena, arena_words, buf, words, owner, first, second)
    return True


@hot_part
def _argument(m, pool, arena, arena_words, buf, words, owner, at, end):
    key, kind, value = np.int64(-1), np.int64(-1), np.int64(0)
    while 0 <= at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            return
        if number == 1 and wire == VARINT:
            key = lookup(m, owner, _ARGUMENTS, first)
        elif number == 2 and wire == BYTES:
            key = code_of(m, pool, arena, arena_words, buf, words, first, second)
        elif number == 6 and wire == BYTES:
            kind, value = st.TEXT, code_of(m, pool, arena, arena_words, buf, words, first, second)
        elif number == 5 and wire == FIXED64:
            kind, value = st.REAL, first
        elif (number == 3 or number == 4) and wire == VARINT:
            kind, value = st.WHOLE, first
    if key >= 0 and kind >= 0:
        note(m, key, kind, value)
