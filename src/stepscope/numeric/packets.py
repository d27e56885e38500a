"""Decode the packets of a Perfetto trace: events, what is said of them, tracks and clocks, without a schema's library.

Fields and rules are those of Perfetto's ``trace_packet.proto``, ``track_event.proto`` and ``interned_data.proto``. What
is malformed is counted and changes nothing.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric import packet_state as st
from stepscope.numeric.compiling import hot, hot_part
from stepscope.numeric.packet_context import (
    BOOT,
    clear,
    read_defaults,
    read_numbers,
    read_snapshot,
    read_track,
    sequence_row,
    trace_time,
)
from stepscope.numeric.packet_counters import gpu_counters, read_own_descriptor
from stepscope.numeric.packet_events import gpu_stage, track_event
from stepscope.numeric.packet_state import Packets, field, varint
from stepscope.numeric.pool import Pool
from stepscope.numeric.wire import BYTES, VARINT

LONGEST_PACKET = 64 << 20
_CLEARED, _NEEDS_STATE = 1, 2

_TIME, _HAS_TIME, _CLOCK, _SEQUENCE, _FLAGS, _DROPPED, _KIND, _START, _STOP, _NUMBERS, _NUMBERS_STOP, _DEFAULTS = range(
    12
)
_DEFAULTS_STOP, _PACKED, _PACKED_STOP = range(12, 15)
"""Places of `Packets.packet`."""

_EVENT, _TRACK, _SNAPSHOT, _COUNTERS, _STAGE, _OTHER = 11, 60, 6, 52, 53, 0
_SILENT = (33, 36, 43, 35, 9, 89, 69, 98)
"""Packets that say nothing about the recorded program: how it was recorded."""


@hot
def read_packets(m: Packets, pool: Pool, arena, arena_words, buf, words, at, end, is_inner):
    """Decode the packets that lie whole in ``buf[at:end]``; returns where the first other one begins.

    Args:
        is_inner: whether these were inflated: such packets hold no compressed ones.
    """
    state = m.state
    state[st.STATUS] = st.MORE
    while at < end:
        start, stop = _extent(buf, at, end)
        if stop < 0:
            state[st.STATUS] = st.BROKEN
            return at
        if stop > end:
            state[st.NEED] = stop - at
            return at
        if start >= 0:
            _read_packet(m, pool, arena, arena_words, buf, words, start, stop)
            if m.packet[_PACKED] >= 0 and not is_inner:
                state[st.STATUS] = st.COMPRESSED
                state[st.SPAN_START], state[st.SPAN_STOP] = m.packet[_PACKED], m.packet[_PACKED_STOP]
                return stop
        at = stop
    state[st.NEED] = 1
    return at


@hot_part
def _extent(buf, at, end):
    """Where the record at ``at`` starts, -1 if it is no packet, and stops: beyond ``end`` if more bytes are needed.

    Stop -1 where no record can begin.
    """
    key, behind = varint(buf, at, end)
    if behind < 0:
        return np.int64(-1), np.int64(end + 1) if end - at < 10 else np.int64(-1)
    number, kind = key >> 3, key & 7
    if number < 1 or number > 100_000 or (kind != BYTES and kind != VARINT):
        return np.int64(-1), np.int64(-1)
    size, start = varint(buf, behind, end)
    if start < 0:
        return np.int64(-1), np.int64(end + 1) if end - behind < 10 else np.int64(-1)
    if kind == VARINT:
        return np.int64(-1), np.int64(start)
    if size < 0 or size > LONGEST_PACKET:
        return np.int64(-1), np.int64(-1)
    return np.int64(start) if number == 1 else np.int64(-1), np.int64(start + size)


@hot_part
def _read_packet(m, pool, arena, arena_words, buf, words, start, stop):
    state = m.state
    state[st.PACKETS] += 1
    if not _outline(m, buf, start, stop):
        state[st.DAMAGED] += 1
        m.packet[_PACKED] = -1
        return
    row = sequence_row(m, m.packet[_SEQUENCE])
    if row < 0:
        return
    flags = m.packet[_FLAGS]
    if m.packet[_DROPPED] != 0:
        m.sequences[row, st.IS_VALID] = 0
        state[st.GAPS] += not flags & _CLEARED
    if flags & _CLEARED:
        clear(m, row)
    owner = m.sequences[row, st.CURRENT]
    if m.packet[_NUMBERS] >= 0:
        read_numbers(m, pool, arena, arena_words, buf, words, owner, m.packet[_NUMBERS], m.packet[_NUMBERS_STOP])
    if m.packet[_DEFAULTS] >= 0:
        read_defaults(m, buf, row, m.packet[_DEFAULTS], m.packet[_DEFAULTS_STOP])
    kind, first, last = m.packet[_KIND], m.packet[_START], m.packet[_STOP]
    if kind == _SNAPSHOT:
        read_snapshot(m, buf, row, first, last)
    elif kind == _TRACK:
        read_track(m, pool, arena, arena_words, buf, words, first, last)
    elif kind == _EVENT or kind == _STAGE or kind == _COUNTERS:
        if kind == _COUNTERS:
            samples = read_own_descriptor(m, pool, arena, arena_words, buf, words, first, last)
            if samples == 0 and m.packet[_HAS_TIME] == 0:
                return
        if flags & _NEEDS_STATE and m.sequences[row, st.IS_VALID] == 0:
            state[st.DROPPED] += 1
            return
        _read_event(m, pool, arena, arena_words, buf, words, row, kind, first, last)


@hot_part
def _read_event(m, pool, arena, arena_words, buf, words, row, kind, first, last):
    if m.packet[_HAS_TIME] == 0:
        m.state[st.UNTIMED] += 1
        return
    clock = m.packet[_CLOCK] if m.packet[_CLOCK] >= 0 else m.sequences[row, st.DEFAULT_CLOCK]
    time = trace_time(m, row, clock if clock > 0 else BOOT, m.packet[_TIME])
    events, notes = m.state[st.EVENTS], m.state[st.NOTES]
    if kind == _EVENT:
        whole = track_event(m, pool, arena, arena_words, buf, words, row, time, first, last)
    elif kind == _STAGE:
        whole = gpu_stage(m, pool, arena, arena_words, buf, words, row, time, first, last)
    else:
        whole = gpu_counters(m, buf, row, time, first, last)
    if not whole:
        m.state[st.EVENTS], m.state[st.NOTES] = events, notes
        m.state[st.DAMAGED] += 1


@hot_part
def _outline(m, buf, at, end):
    """What a packet consists of, into `Packets.packet`; False where it is malformed."""
    packet = m.packet
    packet[:] = 0
    packet[_CLOCK] = packet[_KIND] = packet[_NUMBERS] = packet[_DEFAULTS] = packet[_PACKED] = -1
    while at < end:
        number, wire, first, second, at = field(buf, at, end)
        if at < 0:
            return False
        if wire == BYTES:
            _part(m, number, first, second)
        elif wire == VARINT:
            if number == 8:
                packet[_TIME], packet[_HAS_TIME] = first, 1
            elif number == 58:
                packet[_CLOCK] = first & 0xFFFFFFFF
            elif number == 10:
                packet[_SEQUENCE] = first & 0xFFFFFFFF
            elif number == 13:
                packet[_FLAGS] |= first
            elif number == 41 and first != 0:
                packet[_FLAGS] |= _CLEARED
            elif number == 42 and first != 0:
                packet[_DROPPED] = 1
    return True


@hot_part
def _part(m, number, first, second):
    packet = m.packet
    if number == 12:
        packet[_NUMBERS], packet[_NUMBERS_STOP] = first, second
    elif number == 59:
        packet[_DEFAULTS], packet[_DEFAULTS_STOP] = first, second
    elif number == 50:
        packet[_PACKED], packet[_PACKED_STOP] = first, second
    elif number == _EVENT or number == _TRACK or number == _SNAPSHOT or number == _COUNTERS or number == _STAGE:
        packet[_KIND], packet[_START], packet[_STOP] = number, first, second
    elif number == 133:
        m.state[st.UNREAD] += 1
    else:
        silent = False
        for other in _SILENT:
            silent = silent or number == other
        m.state[st.UNREAD] += not silent
