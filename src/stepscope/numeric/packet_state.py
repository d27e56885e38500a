"""What is remembered between the packets of a Perfetto trace, and what they are decoded into, as plain arrays.

A sequence (a writer of packets) gives numbers to texts it repeats, until it clears its state: what is numbered then
belongs to another owner. So nothing has to be forgotten, and a number is looked up by owner, kind and itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric.bytescan import hash_bytes
from stepscope.numeric.compiling import compiled, hot_part, inner
from stepscope.numeric.pool import SEED, find_slot
from stepscope.numeric.wire import field_at, varint_at

Ints = npt.NDArray[np.int64]

(
    EVENTS,
    NOTES,
    TRACKS,
    SEQUENCES,
    OWNERS,
    CLOCKS,
    NAMES,
    TEXT_BYTES,
    PACKETS,
    STATUS,
    NEED,
    DAMAGED,
    DROPPED,
    GAPS,
    UNREAD,
    UNTIMED,
    LEGACY,
    UNKNOWN_CLOCK,
    HAS_EPOCH,
    EPOCH_NS,
    SPAN_START,
    SPAN_STOP,
    FULL,
    FIRST_SNAPSHOT_NS,
) = range(24)
"""Places of `Packets.state`. How much of each array is used; then counts of packets: damaged ones, those that need what
their sequence lost, gaps that the writer names, kinds that are not read, events without a time, events of Chrome's old
form, times of unknown clocks; then what turns trace time into ns since 1970, and bytes that have to be inflated."""

MORE, BROKEN, COMPRESSED, COMPRESSED_OTHERWISE = range(4)
"""How decoding ended: where the bytes do, at what is no packet, at packets that have to be inflated first."""

KIND, TIME, TRACK, CATEGORY, NAME, DURATION, OWNER, VALUE, VALUE_KIND = range(9)
"""Columns of an event; texts are codes, -1 for none."""

BEGIN, END, INSTANT, COUNTER, STAGE, GPU_COUNTER = 1, 2, 3, 4, 10, 11
"""Kinds of events: as TrackEvent numbers them, work of a GPU, and a sample of its counters."""

WHOLE, REAL, TEXT, NESTED, TRUTH, UNSIGNED, LITERAL = range(7)
"""Kinds of values: integer, bits of a float64, code of a text, code of an annotation's bytes, 0 or 1, an integer that
does not fit, code of a text that is JSON."""

EVENT_ID, STAGE_NAME, QUEUE, GPU, CONTEXT, KERNEL, SUBMITS, WAITS, FLOW, LAST_FLOW = range(-2, -12, -1)
GRID, BLOCK = -20, -30
"""Keys of what is said of an event beside its annotations; of sizes, this number less 0, 1 and 2."""

UUID, PARENT, TRACK_NAME, PROCESS, THREAD, THREAD_NAME, PROCESS_NAME, IS_COUNTER, UNIT, FACTOR, IS_INCREMENTAL = range(
    11
)
"""Columns of a track; what is not said is -1, of the parent 0."""

SEQUENCE, CLOCK, COUNTER_NAME, COUNTER_UNIT, EVERYBODY = 1, 2, 3, 4, 5
"""Owners and kinds beside the fields of interned data."""

CURRENT, IS_VALID, DEFAULT_TRACK, HAS_DEFAULT_TRACK, DEFAULT_CLOCK, COUNTERS, FIRST_COUNTER = range(7)
MOST_COUNTERS = 8
"""Columns of a sequence: its owner now, its defaults, and up to so many counters that events carry along."""

LAST, FACTOR_NS, IS_RUNNING, OFFSET, IS_KNOWN = range(5)
"""Columns of a clock: its time, ns of its unit, whether times are differences, what makes them trace time."""


class Packets(NamedTuple):
    """Arrays of a decoding; `state` says how much of each is used."""

    state: Ints
    events: Ints
    notes: Ints  # event, key (code of a text, or one of the keys above), kind, value
    tracks: Ints
    sequences: Ints
    clocks: Ints
    names: Ints  # hash table: owner + 1, kind, number, value
    packet: Ints  # what was found in the packet being read
    seed: npt.NDArray[np.uint64]  # of hashes: compiled code would keep that of the process that compiled it


def new_packets() -> Packets:
    """Nothing decoded, and little room."""
    widths = (9, 4, 11, FIRST_COUNTER + MOST_COUNTERS, 5)
    events, notes, tracks, sequences, clocks = (np.zeros((0, width), np.int64) for width in widths)
    return Packets(
        np.zeros(24, np.int64),
        events,
        notes,
        tracks,
        sequences,
        clocks,
        np.zeros((1 << 12, 4), np.int64),
        np.zeros(16, np.int64),
        np.array([SEED], np.uint64),
    )


_PER_BYTES = (("events", EVENTS, 4), ("notes", NOTES, 3), ("tracks", TRACKS, 4), ("sequences", SEQUENCES, 4))


def make_room(packets: Packets, size: int) -> Packets:
    """Let every array take what so many more bytes of packets can hold."""
    grown: dict[str, Any] = {}
    for name, used, bytes_each in (*_PER_BYTES, ("clocks", CLOCKS, 4)):
        array = getattr(packets, name)
        wanted = int(packets.state[used]) + size // bytes_each + 16
        if len(array) < wanted:
            # Twice as long: rows that are not used yet take no memory, and those in use are copied less often.
            larger = np.zeros((max(wanted, 2 * len(array)), array.shape[1]), np.int64)
            larger[: packets.state[used]] = array[: packets.state[used]]
            grown[name] = larger
    wanted = 2 * (int(packets.state[NAMES]) + size // 4 + 16)
    if len(packets.names) < wanted:
        grown["names"] = np.zeros((1 << (wanted - 1).bit_length(), 4), np.int64)
        rehash(packets.names, grown["names"], packets.seed[0])
    return packets._replace(**grown)


@inner
def _hash(seed, owner, kind, number):
    mixed = (
        np.int64(seed)
        ^ (owner * np.int64(-7046029254386353131))
        ^ (number * np.int64(-4417276706812531889))
        ^ (kind << 7)
    )
    mixed ^= mixed >> 29
    mixed *= np.int64(-4658895280553007687)
    return mixed ^ (mixed >> 32)


@inner
def place_of(names, seed, owner, kind, number):
    """Row of the hash table that holds a number, or the free one where it belongs."""
    mask = len(names) - 1
    slot = _hash(seed, owner, kind, number) & mask
    while names[slot, 0] != 0:
        if names[slot, 0] == owner + 1 and names[slot, 1] == kind and names[slot, 2] == number:
            break
        slot = (slot + 1) & mask
    return slot


@compiled
def rehash(old, new, seed):
    """Take over all rows of a smaller hash table."""
    for row in range(len(old)):
        if old[row, 0] != 0:
            slot = place_of(new, seed, old[row, 0] - 1, old[row, 1], old[row, 2])
            new[slot] = old[row]


@compiled
def looked_up(names, seed, owner, kind, number):
    """What a number stands for; -1 where nothing does."""
    slot = place_of(names, seed, owner, kind, number)
    return names[slot, 3] if names[slot, 0] != 0 else np.int64(-1)


@hot_part
def field(buf, at, end):
    """`wire.field_at`, called and not copied into every loop: what is compiled grows with each copy."""
    return field_at(buf, at, end)


@hot_part
def varint(buf, at, end):
    """`wire.varint_at`, called and not copied."""
    return varint_at(buf, at, end)


@hot_part
def lookup(m, owner, kind, number):
    """What a number of an owner stands for; -1 where nothing does."""
    slot = place_of(m.names, m.seed[0], owner, kind, number)
    return m.names[slot, 3] if m.names[slot, 0] != 0 else np.int64(-1)


@hot_part
def remember(m, owner, kind, number, value):
    """Let a number stand for something; what it stood for is forgotten."""
    slot = place_of(m.names, m.seed[0], owner, kind, number)
    if m.names[slot, 0] == 0:
        if 2 * (m.state[NAMES] + 1) > len(m.names):
            m.state[FULL] += 1
            return
        m.state[NAMES] += 1
        m.names[slot, 0], m.names[slot, 1], m.names[slot, 2] = owner + 1, kind, number
    m.names[slot, 3] = value


@hot_part
def code_of(m, pool, arena, arena_words, buf, words, start, stop):
    """Code of a text that lies in the buffer."""
    length = stop - start
    hashed = np.int64(hash_bytes(words, start, stop, m.seed[0]))
    slot = find_slot(pool.table, pool.entries, arena_words, start, length, hashed, words)
    code = np.int64(pool.table[slot]) - 1
    if code >= 0:
        return code
    code, used = pool.used[0], m.state[TEXT_BYTES]
    if code >= len(pool.entries) or used + length > len(arena):
        m.state[FULL] += 1
        return np.int64(-1)
    for i in range(length):
        arena[used + i] = buf[start + i]
    pool.table[slot] = code + 1
    pool.entries[code, 0], pool.entries[code, 1], pool.entries[code, 2] = used, length, hashed
    pool.used[0] = code + 1
    m.state[TEXT_BYTES] = used + length
    return code


@hot_part
def note(m, key, kind, value):
    """Say something of the event that comes next."""
    row = m.state[NOTES]
    if row >= len(m.notes):
        m.state[FULL] += 1
        return
    m.notes[row, 0], m.notes[row, 1], m.notes[row, 2], m.notes[row, 3] = m.state[EVENTS], key, kind, value
    m.state[NOTES] = row + 1


@hot_part
def new_event(m, kind, time):
    """Row of the event that comes next, which is counted by the caller; -1 where there is no room."""
    row = m.state[EVENTS]
    if row >= len(m.events):
        m.state[FULL] += 1
        return np.int64(-1)
    m.events[row, :] = -1
    m.events[row, KIND], m.events[row, TIME] = kind, time
    return row
