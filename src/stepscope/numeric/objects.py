"""Read one object of the array: its keys and values into the scratch, what no slot takes into the extras."""

from __future__ import annotations

import numpy as np

from stepscope.numeric.bytescan import (
    NULL,
    damage_at,
    hash_bytes,
    is_blank,
    same_bytes,
    skip_blanks,
    string_end,
    value_end,
)
from stepscope.numeric.compiling import hot, hot_part, inner
from stepscope.numeric.numbers import INVALID, ROUNDED, parse_float, parse_int, parse_time, plain_int
from stepscope.numeric.plan import (
    ARGS,
    DOUBLED,
    EARLIEST_NS,
    EXTRAS,
    INT,
    LAST_TEXT,
    LATEST_NS,
    NEXT,
    RAW_START,
    RAW_STOP,
    ROUNDED_TIMES,
    SEED_FOR_KEYS,
    SEEN,
    STAMP,
    TEXT,
    TIME,
    VALID,
    VALUE,
)
from stepscope.numeric.pool import intern

INCOMPLETE, NO_ROOM = -1, np.iinfo(np.int64).min
"""Why an object could not be read: the bytes end first, or the output is full. The third reason is `damage_at`."""

_QUOTE, _COLON, _COMMA = 34, 58, 44
_OPEN_BRACE, _CLOSE_BRACE = 123, 125


@inner
def push_extra(extras, counts, index, level, key, value):
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
def read_object(plan, extras, counts, pool, scratch, floats, buf, words, at, end, index, seed):
    """Read the members of the object opened at ``at``. Of a wanted key that is there twice the last value counts.

    Returns the index after it or a negative status, and the number of wanted keys seen.
    """
    keys = plan.keys
    seen, level = np.int64(0), np.int64(0)  # with plain 0 numba compiles what they are passed to twice
    twice, entered = False, False
    previous = len(keys)
    at += 1
    while True:
        while at < end and (is_blank(buf[at]) or buf[at] == _COMMA):
            at += 1
        if at >= end:
            return INCOMPLETE, seen
        if buf[at] == _CLOSE_BRACE:
            at += 1
            if level == 0:
                counts[DOUBLED] += twice
                return at, seen
            level = np.int64(0)
            continue
        if buf[at] != _QUOTE:
            return damage_at(at), seen
        key_start = at + 1
        slot, key_stop = _read_key(plan, scratch, previous, level, buf, words, key_start, end)
        if key_stop < 0:
            return INCOMPLETE, seen
        start = _value_start(buf, key_stop + 1, end)
        if start < 0:
            return start, seen
        kind = keys[slot, 3] if slot >= 0 else ARGS
        previous = slot if slot >= 0 else previous
        if slot >= 0 and kind == ARGS:
            twice, entered = twice or entered, True
            if buf[start] == _OPEN_BRACE:
                level = np.int64(1)
                at = start + 1
                continue
        at = _expected_value(kind, pool.entries, scratch, slot, buf, words, start, end)
        if at < 0:
            at = value_end(buf, words, start, end)
            if at <= start:
                return at if at < 0 else damage_at(at), seen
            if kind == ARGS:
                fits = _keep_extra(extras, counts, pool, index, level, words, key_start, key_stop, start, at, seed)
            else:
                fits = _read_value(kind, counts, pool, scratch, floats, slot, buf, words, start, at, seed)
            if not fits:
                return NO_ROOM, seen
        if kind != ARGS:
            before, seen = seen, _note(scratch, seen, slot, index, start, at)
            twice = twice or seen == before


@inner
def _note(scratch, seen, slot, index, start, stop):
    """Note where a slot's value stands; returns the number of slots seen."""
    scratch[RAW_START, slot] = start
    scratch[RAW_STOP, slot] = stop
    if scratch[STAMP, slot] == index:
        return seen
    scratch[STAMP, slot] = index
    scratch[SEEN, seen] = slot
    return seen + 1


@inner
def _read_key(plan, scratch, previous, level, buf, words, start, end):
    """Slot of the key whose text begins at ``start``, -1 if it is not wanted, and the index of its closing quote."""
    keys = plan.keys
    slot = _guessed_key(keys, plan.key_words, scratch, previous, buf, words, start, end)
    if slot >= 0 and keys[slot, 2] == level:
        return slot, start + keys[slot, 1]
    stop = string_end(buf, words, start, end)
    if stop < 0:
        return -1, stop
    slot = _find_key(keys, plan.key_words, plan.key_table, words, start, stop, level)
    if slot >= 0:
        scratch[NEXT, previous] = slot
    return slot, stop


@inner
def _guessed_key(keys, key_words, scratch, previous, buf, words, at, end):
    """Slot that followed ``previous`` last time, if its key stands at ``at`` again; else -1."""
    slot = scratch[NEXT, previous]
    if slot < 0:
        return -1
    length = keys[slot, 1]
    if at + length >= end or buf[at + length] != _QUOTE:
        return -1
    return slot if same_bytes(key_words, keys[slot, 0], words, at, length) else -1


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
def _value_start(buf, at, end):
    """Index of the value behind a key, or a negative status."""
    at = skip_blanks(buf, at, end)
    if at >= end:
        return INCOMPLETE
    if buf[at] != _COLON:
        return damage_at(at)
    at = skip_blanks(buf, at + 1, end)
    return at if at < end else INCOMPLETE


@inner
def _expected_value(kind, entries, scratch, slot, buf, words, start, end):
    """Read the value at ``start`` if it is a short integer where one is wanted, or the text this slot had last.

    Most values are. Returns the index after it, or -1 for all others.
    """
    if kind == INT:
        value, at = plain_int(buf, start, end)
        if at >= 0:
            scratch[VALUE, slot] = value
            scratch[VALID, slot] = 1
        return at
    if kind != TEXT:
        return -1
    at = _guessed_text(entries, scratch, slot, buf, words, start, end)
    if at >= 0:
        scratch[VALUE, slot] = scratch[LAST_TEXT, slot] >> 1
        scratch[VALID, slot] = 1
    return at


@inner
def _guessed_text(entries, scratch, slot, buf, words, start, end):
    """Index after the value at ``start`` if it is the text this slot had last, quoted as it was; else -1."""
    code = scratch[LAST_TEXT, slot] >> 1
    quoted = scratch[LAST_TEXT, slot] & 1
    if code < 0 or (buf[start] == _QUOTE) != (quoted == 1):
        return -1
    length = entries[code, 1]
    inside = start + quoted
    stop = inside + length
    if stop >= end or not same_bytes(words, entries[code, 0], words, inside, length):
        return -1
    byte = buf[stop]
    if quoted == 1:
        return stop + 1 if byte == _QUOTE else -1
    return stop if byte == _COMMA or byte == _CLOSE_BRACE or is_blank(byte) else -1


@inner
def _keep_extra(extras, counts, pool, index, level, words, key_start, key_stop, start, stop, seed):
    """Keep a value that has no slot; False when there is no room."""
    key = intern(pool.used, pool.table, pool.entries, words, key_start, key_stop, seed)
    value = intern(pool.used, pool.table, pool.entries, words, start, stop, seed)
    return key >= 0 and push_extra(extras, counts, index, level, key, value)


@inner
def _read_value(kind, counts, pool, scratch, floats, slot, buf, words, start, stop, seed):
    """Read a slot's value into the scratch; False when a text finds no room."""
    quoted = 1 if buf[start] == _QUOTE else 0
    inside, last = start + quoted, stop - quoted
    scratch[VALID, slot] = 1
    if quoted == 0 and _is_null(buf, start, stop):
        scratch[VALUE, slot] = NULL
        return True
    if kind == TEXT:
        code = intern(pool.used, pool.table, pool.entries, words, inside, last, seed)
        scratch[VALUE, slot] = code
        scratch[LAST_TEXT, slot] = 2 * code + quoted
        return code >= 0
    if kind == INT:
        scratch[VALUE, slot], status = parse_int(buf, inside, last)
    elif kind == TIME:
        scratch[VALUE, slot], status = parse_time(buf, inside, last)
        if scratch[VALUE, slot] < EARLIEST_NS or scratch[VALUE, slot] > LATEST_NS:
            status = INVALID
    else:
        floats[VALUE, slot], status = parse_float(buf, inside, last)
    if status == INVALID:
        scratch[VALID, slot] = 0
    elif status == ROUNDED:
        counts[ROUNDED_TIMES] += 1
    return True


@inner
def _is_null(buf, start, stop):
    return stop - start == 4 and buf[start] == 110 and buf[start + 1] == 117 and buf[start + 2] == buf[start + 3] == 108


@hot_part
def whole_value_end(buf, words, at, end):
    """`bytescan.value_end`, called rather than inlined: for rare places, because its code is long."""
    return value_end(buf, words, at, end)


@hot
def next_member(buf, words, at, end):
    """The next key and value of the object whose inside starts at ``at``.

    Returns (status, key start, key stop, value start, value stop): status 1 for a member, 0 at the object's end,
    -1 where the bytes end first, less where they are no JSON. Value stop is that of `bytescan.value_end`.
    """
    while at < end and (is_blank(buf[at]) or buf[at] == _COMMA):
        at += 1
    if at >= end:
        return INCOMPLETE, 0, 0, 0, 0
    if buf[at] == _CLOSE_BRACE:
        return 0, 0, 0, at, at + 1
    if buf[at] != _QUOTE:
        return damage_at(at), 0, 0, 0, 0
    key_stop = string_end(buf, words, at + 1, end)
    if key_stop < 0:
        return INCOMPLETE, 0, 0, 0, 0
    start = _value_start(buf, key_stop + 1, end)
    if start < 0:
        return start, 0, 0, 0, 0
    return 1, at + 1, key_stop, start, whole_value_end(buf, words, start, end)
