"""Decode counters of GPUs: descriptors, which say what counters are called and counted in, and samples.

Specification: ``gpu_counter_event.proto`` and ``gpu_counter_descriptor.proto`` of Perfetto. A descriptor has a number
that its sequence gave it, or stands in an event: then numbers of counters are the same for all sequences, and what is
described first stays.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric import packet_state as st
from stepscope.numeric.compiling import hot_part
from stepscope.numeric.packet_state import code_of, field, lookup, new_event, remember, varint
from stepscope.numeric.wire import BYTES, FIXED64, VARINT

COUNTER_DESCRIPTORS = 47
UNIT_BITS, MOST_UNITS = 6, 4
"""Units of a counter in one number: so many bits each, up to so many to multiply by, then as many to divide by."""


@hot_part
def read_numbered_descriptor(m, pool, arena, arena_words, buf, words, owner, at, end):
    """A descriptor with a number: what its counters are called, and which GPU they are of."""
    iid, gpu, start, stop = np.int64(0), np.int64(0), np.int64(-1), np.int64(-1)
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            m.state[st.DAMAGED] += 1
            return
        if wire == VARINT and number == 1:
            iid = first
        elif wire == VARINT and number == 3:
            gpu = first
        elif wire == BYTES and number == 2:
            start, stop = first, second
    if iid > 0 and start >= 0:
        remember(m, owner, COUNTER_DESCRIPTORS, iid, gpu)
        _read_counters(m, pool, arena, arena_words, buf, words, owner, iid, gpu, start, stop)


@hot_part
def read_own_descriptor(m, pool, arena, arena_words, buf, words, start, end):
    """What an event says of counters in full; returns how many samples it has."""
    samples, gpu, first_byte, last_byte = 0, np.int64(0), np.int64(-1), np.int64(-1)
    at = start
    while 0 <= at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            return samples
        if wire == VARINT and number == 3:
            gpu = first
        elif wire == BYTES and number == 1:
            first_byte, last_byte = first, second
        samples += wire == BYTES and number == 2
    if first_byte >= 0:
        _read_counters(m, pool, arena, arena_words, buf, words, st.EVERYBODY, 0, gpu, first_byte, last_byte)
    return samples


@hot_part
def _read_counters(m, pool, arena, arena_words, buf, words, owner, iid, gpu, at, end):
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            m.state[st.DAMAGED] += 1
            return
        if wire == BYTES and number == 1:
            _read_counter(m, pool, arena, arena_words, buf, words, owner, iid, gpu, first, second)


@hot_part
def _read_counter(m, pool, arena, arena_words, buf, words, owner, iid, gpu, at, end):
    counter, code, units = np.int64(-1), np.int64(-1), np.int64(0)
    while 0 <= at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            break
        if wire == VARINT and number == 1:
            counter = first
        elif wire == BYTES and number == 2:
            code = code_of(m, pool, arena, arena_words, buf, words, first, second)
        elif number == 7 or number == 8:
            units = _with_units(buf, units, (number - 7) * MOST_UNITS, wire, first, second)
    if counter < 0 or code < 0:
        return
    key = _key(iid, counter)
    if owner == st.EVERYBODY:
        if lookup(m, owner, st.COUNTER_NAME, key) >= 0:
            return
        remember(m, owner, COUNTER_DESCRIPTORS, key, gpu)
    remember(m, owner, st.COUNTER_NAME, key, code)
    remember(m, owner, st.COUNTER_UNIT, key, units)


@hot_part
def _key(iid, counter):
    """A counter's number, with that of its descriptor."""
    return (iid << 32) ^ counter


@hot_part
def _with_units(buf, units, place, wire, first, second):
    """Units with those of a field: one, or several as bytes; from ``place`` on."""
    last = place + MOST_UNITS
    if wire == VARINT:
        return _with_unit(units, place, last, first)
    while wire == BYTES and 0 <= first < second:
        unit, first = varint(buf, first, second)
        if first >= 0:
            units = _with_unit(units, place, last, unit)
    return units


@hot_part
def _with_unit(units, place, last, unit):
    while place < last and (units >> (place * UNIT_BITS)) & ((1 << UNIT_BITS) - 1) != 0:
        place += 1
    known = place < last and 0 < unit < 1 << UNIT_BITS
    return units | (unit << (place * UNIT_BITS)) if known else units


@hot_part
def gpu_counters(m, buf, sequence, time, start, end):
    """Samples of counters of a GPU, each an event; those that nothing describes are counted."""
    owner, iid, gpu = np.int64(st.EVERYBODY), np.int64(0), np.int64(-1)
    at = start
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            return False
        if wire == VARINT and number == 4 and first > 0:
            owner, iid = m.sequences[sequence, st.CURRENT], first
            gpu = lookup(m, owner, COUNTER_DESCRIPTORS, iid)
    at = start
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if number == 2 and wire == BYTES and not _sample(m, buf, owner, iid, gpu, time, first, second):
            return False
    return True


@hot_part
def _sample(m, buf, owner, iid, gpu, time, at, end):
    row = new_event(m, st.GPU_COUNTER, time)
    if row < 0:
        return True
    event, counter = m.events[row], np.int64(-1)
    while at < end:
        number, wire, first, _, at = field(buf, at, end)
        if at < 0:
            return False
        if number == 1 and wire == VARINT:
            counter = first
        elif number == 2 and wire == VARINT:
            event[st.VALUE], event[st.VALUE_KIND] = first, st.WHOLE
        elif number == 3 and wire == FIXED64:
            event[st.VALUE], event[st.VALUE_KIND] = first, st.REAL
    key = _key(iid, counter)
    name = lookup(m, owner, st.COUNTER_NAME, key)
    if counter < 0 or name < 0:
        m.state[st.DROPPED] += 1
        return True
    event[st.OWNER], event[st.NAME] = owner, name
    event[st.TRACK] = lookup(m, owner, COUNTER_DESCRIPTORS, key) if owner == st.EVERYBODY else gpu
    event[st.DURATION] = lookup(m, owner, st.COUNTER_UNIT, key)
    m.state[st.EVENTS] = row + 1
    return True
