"""What packets say about others: numbers of texts, defaults, clocks and tracks, which sequence by sequence hold on."""

from __future__ import annotations

import numpy as np

from stepscope.numeric import packet_state as st
from stepscope.numeric.compiling import hot_part
from stepscope.numeric.packet_counters import COUNTER_DESCRIPTORS, read_numbered_descriptor
from stepscope.numeric.packet_state import code_of, field, lookup, remember
from stepscope.numeric.wire import BYTES, FIXED64, VARINT

BOOT = 6
"""The clock on which times of a trace are, unless they name another one."""

_REAL = 1
_FIRST_OWN_CLOCK, _LAST_OWN_CLOCK = 64, 127
_NUMBERED = (1, 2, 3, 24, 29, 1000, 1001)
"""Texts with numbers: categories, names of events and of annotations, what the GPU does, values of annotations, kernels
and names of their arguments. Numbers of fields, too."""


@hot_part
def sequence_row(m, number):
    """Row of a sequence, which is made where there is none; -1 where there is no room."""
    row = lookup(m, st.SEQUENCE, 0, number)
    if row >= 0:
        return row
    row = m.state[st.SEQUENCES]
    if row >= len(m.sequences):
        m.state[st.FULL] += 1
        return np.int64(-1)
    remember(m, st.SEQUENCE, 0, number, row)
    m.state[st.SEQUENCES] = row + 1
    clear(m, row)
    m.sequences[row, st.IS_VALID] = 0
    return row


@hot_part
def clear(m, row):
    m.sequences[row, :] = 0
    m.sequences[row, st.CURRENT] = 16 + m.state[st.OWNERS]
    m.sequences[row, st.IS_VALID] = 1
    m.state[st.OWNERS] += 1


@hot_part
def read_numbers(m, pool, arena, arena_words, buf, words, owner, at, end):
    """Texts, and descriptors of counters, that a sequence gives numbers to."""
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            m.state[st.DAMAGED] += 1
            return
        if wire != BYTES:
            continue
        if number == COUNTER_DESCRIPTORS:
            read_numbered_descriptor(m, pool, arena, arena_words, buf, words, owner, first, second)
            continue
        for known in _NUMBERED:
            if number == known:
                _read_numbered(m, pool, arena, arena_words, buf, words, owner, number, first, second)


@hot_part
def _read_numbered(m, pool, arena, arena_words, buf, words, owner, kind, at, end):
    iid, code = np.int64(0), np.int64(-1)
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            m.state[st.DAMAGED] += 1
            return
        if number == 1 and wire == VARINT:
            iid = first
        elif wire == BYTES and (number == 2 or (number == 3 and kind == 1000)):
            code = code_of(m, pool, arena, arena_words, buf, words, first, second)
    if iid != 0 and code >= 0:
        remember(m, owner, kind, iid, code)


@hot_part
def read_defaults(m, buf, row, at, end):
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            m.state[st.DAMAGED] += 1
            return
        if number == 58 and wire == VARINT:
            m.sequences[row, st.DEFAULT_CLOCK] = first & 0xFFFFFFFF
        inside = first
        while number == 11 and wire == BYTES and 0 <= inside < second:
            part, kind, value, _, inside = field(buf, inside, second)
            if inside >= 0 and part == 11 and kind == VARINT:
                m.sequences[row, st.DEFAULT_TRACK], m.sequences[row, st.HAS_DEFAULT_TRACK] = value, 1
            elif inside >= 0 and part == 31 and kind == VARINT and m.sequences[row, st.COUNTERS] < st.MOST_COUNTERS:
                m.sequences[row, st.FIRST_COUNTER + m.sequences[row, st.COUNTERS]] = value
                m.sequences[row, st.COUNTERS] += 1


@hot_part
def _clock(m, row, number):
    """Row of a clock, which is made where there is none; some numbers are of one sequence."""
    whose = row + 1 if _FIRST_OWN_CLOCK <= number <= _LAST_OWN_CLOCK else np.int64(0)
    found = lookup(m, st.CLOCK, whose, number)
    if found >= 0:
        return found
    found = m.state[st.CLOCKS]
    if found >= len(m.clocks):
        m.state[st.FULL] += 1
        return np.int64(0)
    remember(m, st.CLOCK, whose, number, found)
    m.state[st.CLOCKS] = found + 1
    m.clocks[found, st.FACTOR_NS] = 1
    return found


@hot_part
def trace_time(m, row, number, value):
    """A time as of the boot clock, on which the times of a trace are."""
    if number == BOOT:
        return value
    at = _clock(m, row, number)
    clock = m.clocks[at]
    time = value * clock[st.FACTOR_NS]
    if clock[st.IS_RUNNING] != 0:
        time += clock[st.LAST]
        clock[st.LAST] = time
    if clock[st.IS_KNOWN] == 0:
        m.state[st.UNKNOWN_CLOCK] += 1
    return time + clock[st.OFFSET]


@hot_part
def read_snapshot(m, buf, row, start, end):
    """What several clocks said at one moment: twice, as the boot clock may stand behind others."""
    boot, real, known = np.int64(0), np.int64(0), 0
    for turn in range(2):
        at = start
        while at < end:
            number, wire, first, second, at = field(buf, at, end)
            if at < 0:
                m.state[st.DAMAGED] += 1
                return
            if number != 1 or wire != BYTES:
                continue
            clock, time, running, factor = _read_clock(buf, first, second)
            if clock == BOOT:
                boot, known = time, known | 1
            elif clock == _REAL:
                real, known = time, known | 2
            if turn == 1 and clock > 0 and clock != BOOT:
                _set_clock(m, row, clock, time, running, factor, boot, known & 1)
    if known == 3 and m.state[st.HAS_EPOCH] == 0:
        m.state[st.HAS_EPOCH], m.state[st.EPOCH_NS], m.state[st.FIRST_SNAPSHOT_NS] = 1, real - boot, boot


@hot_part
def _read_clock(buf, at, end):
    clock, time, running, factor = np.int64(0), np.int64(0), np.int64(0), np.int64(1)
    while at < end:
        number, wire, first, _, at = field(buf, at, end)
        if at < 0:
            return np.int64(0), time, running, factor
        if wire != VARINT and wire != FIXED64:
            continue
        if number == 1:
            clock = first & 0xFFFFFFFF
        elif number == 2:
            time = first
        elif number == 3:
            running = first
        elif number == 4 and first > 0:
            factor = first
    return clock, time, running, factor


@hot_part
def _set_clock(m, row, number, time, running, factor, boot, has_boot):
    at = _clock(m, row, number)
    clock = m.clocks[at]
    clock[st.FACTOR_NS], clock[st.IS_RUNNING], clock[st.LAST] = factor, running, time * factor
    if has_boot:
        clock[st.OFFSET], clock[st.IS_KNOWN] = boot - time * factor, 1


@hot_part
def read_track(m, pool, arena, arena_words, buf, words, at, end):
    row = m.state[st.TRACKS]
    if row >= len(m.tracks):
        m.state[st.FULL] += 1
        return
    track = m.tracks[row]
    track[:] = -1
    track[st.UUID] = track[st.PARENT] = track[st.IS_COUNTER] = track[st.UNIT] = track[st.IS_INCREMENTAL] = 0
    track[st.FACTOR] = 1
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            m.state[st.DAMAGED] += 1
            return
        if wire == VARINT and number == 1:
            track[st.UUID] = first
        elif wire == VARINT and number == 5:
            track[st.PARENT] = first
        elif wire == BYTES and (number == 2 or number == 10):
            track[st.TRACK_NAME] = code_of(m, pool, arena, arena_words, buf, words, first, second)
        elif wire == BYTES and (number == 3 or number == 4 or number == 8):
            track[st.IS_COUNTER] = track[st.IS_COUNTER] or number == 8
            _read_track_part(m, pool, arena, arena_words, buf, words, row, number, first, second)
    m.state[st.TRACKS] = row + 1


@hot_part
def _read_track_part(m, pool, arena, arena_words, buf, words, row, part, at, end):
    """What a descriptor says of its process (3), thread (4) or counter (8)."""
    track = m.tracks[row]
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            m.state[st.DAMAGED] += 1
            return
        if wire == VARINT:
            if part != 8 and number == 1:
                track[st.PROCESS] = first
            elif part == 4 and number == 2:
                track[st.THREAD] = first
            elif part == 8 and number == 3:
                track[st.UNIT] = first
            elif part == 8 and number == 4:
                track[st.FACTOR] = first
            elif part == 8 and number == 5:
                track[st.IS_INCREMENTAL] = first
        elif wire == BYTES and ((part == 3 and number == 6) or (part == 4 and number == 5)):
            code = code_of(m, pool, arena, arena_words, buf, words, first, second)
            track[st.PROCESS_NAME if part == 3 else st.THREAD_NAME] = code
