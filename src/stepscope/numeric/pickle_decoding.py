"""Decode a pickle of plain values: no Python object is made, and nothing of the file is executed.

Whatever the bytes are, each makes at most one value, so that memory stays a small multiple of the file; nothing is
recursive; and references may be shared or go in circles without harm, because values are never walked here.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric import pickle_ops as ops
from stepscope.numeric.bytescan import hash_bytes
from stepscope.numeric.compiling import hot, inner
from stepscope.numeric.little_endian import little
from stepscope.numeric.pickle_machine import (
    BIG,
    BOOL,
    CHUNKS,
    CONTAINERS,
    DICT,
    EMPTY,
    FLOAT,
    INT,
    ITEMS,
    LAYOUT_KEYS,
    LAYOUT_SLOTS,
    LAYOUTS,
    LIST,
    MALFORMED,
    MARKS,
    MEMO,
    MORE,
    MOST_LAYOUT_KEYS,
    MOST_LAYOUTS,
    NEED,
    OP,
    RANGE_SLOTS,
    REFUSED,
    STACK,
    STATUS,
    STOPPED,
    TEXT,
    TEXT_BYTES,
    TOO_VARIED,
    TUPLE,
    Machine,
)
from stepscope.numeric.pool import SEED, Pool, find_slot

_MIX = np.int64(-7046029254386353131)


@hot
def decode(m: Machine, pool: Pool, arena, arena_words, buf, words, at, end):
    """Decode the instructions that lie whole in ``buf[at:end]``; returns where the first other one begins.

    There is room for one more value of every sort, and byte of text, for each byte of the buffer.
    """
    state = m.state
    state[STATUS] = MORE
    while at < end:
        need = ops.length_of(buf, at, end)
        if at + need > end:
            state[NEED] = need
            return at
        op = buf[at]
        group = ops.GROUP[op]
        if group == ops.SCALAR:
            _push_scalar(m, buf, at, op, need)
        elif group == ops.TEXT:
            header = ops.HEADER[op]
            code = _text(state, pool, arena, arena_words, buf, words, at + header, need - header)
            _push(m, code, TEXT)
        elif group == ops.END:
            is_whole = state[STACK] == 1 and state[MARKS] == 0
            state[STATUS] = STOPPED if is_whole else MALFORMED
            return at + 1
        elif group != ops.SKIPPED:
            _arrange(m, buf, at, op, group)
        elif op == ops.PROTO and (buf[at + 1] < 2 or buf[at + 1] > 5):
            state[STATUS] = MALFORMED
        if state[STATUS] != MORE:
            state[OP] = op
            return at
        at += need
    state[NEED] = 1
    return at


@inner
def _arrange(m, buf, at, op, group):
    """An instruction that moves values that are there."""
    state = m.state
    if group == ops.MEMO_GET:
        place = little(buf, at + 1, 1 if op == ops.BINGET else 4)
        if place >= state[MEMO]:
            state[STATUS] = MALFORMED
        else:
            _push(m, m.memo[place], m.memo_kind[place])
    elif group == ops.MEMO_PUT:
        _remember(m, buf, at, op)
    elif group == ops.EMPTY:
        _push(m, _new_container(m), LIST if op == ops.EMPTY_LIST else DICT)
    elif group == ops.MARKED:
        m.marks[state[MARKS]] = state[STACK]
        state[MARKS] += 1
    elif group == ops.FILLING:
        _fill(m, op)
    elif group == ops.TUPLES:
        _make_tuple(m, op)
    else:
        state[STATUS] = REFUSED


@inner
def _push(m, value, kind):
    top = m.state[STACK]
    m.stack[top] = value
    m.stack_kind[top] = kind
    m.state[STACK] = top + 1


@inner
def _push_scalar(m, buf, at, op, need):
    if op == ops.BININT1:
        _push(m, np.int64(buf[at + 1]), INT)
    elif op == ops.BININT2:
        _push(m, little(buf, at + 1, 2), INT)
    elif op == ops.BININT:
        _push(m, ops.signed(buf, at + 1, 4), INT)
    elif op == ops.LONG1:
        _push_long(m, buf, at + 2, need - 2)
    elif op == ops.NONE:
        _push(m, np.int64(0), EMPTY)
    elif op == ops.BINFLOAT:
        bits = np.int64(0)
        for i in range(8):
            bits = (bits << 8) | np.int64(buf[at + 1 + i])
        _push(m, bits, FLOAT)
    else:
        _push(m, np.int64(op == ops.TRUE), BOOL)


@inner
def _push_long(m, buf, at, size):
    """An integer of any length; bytes that only repeat its sign do not make it longer."""
    last = size
    while last > 8:
        filler = 255 if buf[at + 7] >= 128 else 0
        if buf[at + last - 1] != filler:
            break
        last -= 1
    if last > 8:
        _push(m, np.int64(0), BIG)
    else:
        _push(m, ops.signed(buf, at, last), INT)


@inner
def _text(state, pool, arena, arena_words, buf, words, start, length):
    """Code of a text, which is copied into the arena when it is new."""
    hashed = np.int64(hash_bytes(words, start, start + length, SEED))
    slot = find_slot(pool.table, pool.entries, arena_words, start, length, hashed, words)
    code = np.int64(pool.table[slot]) - 1
    if code >= 0:
        return code
    code, used = pool.used[0], state[TEXT_BYTES]
    pool.table[slot] = code + 1
    pool.entries[code, 0] = used
    pool.entries[code, 1] = length
    pool.entries[code, 2] = hashed
    pool.used[0] = code + 1
    for i in range(length):
        arena[used + i] = buf[start + i]
    state[TEXT_BYTES] = used + length
    return code


@inner
def _floor(m):
    """Values below the last mark, which instructions above it leave alone."""
    return np.int64(m.marks[m.state[MARKS] - 1]) if m.state[MARKS] else np.int64(0)


@inner
def _remember(m, buf, at, op):
    """Note the topmost value under the next number, or under one that is in use."""
    state = m.state
    place = state[MEMO]
    if op != ops.MEMOIZE:
        place = little(buf, at + 1, 1 if op == ops.BINPUT else 4)
    if place > state[MEMO] or state[STACK] <= _floor(m):
        state[STATUS] = MALFORMED
    else:
        m.memo[place] = m.stack[state[STACK] - 1]
        m.memo_kind[place] = m.stack_kind[state[STACK] - 1]
        state[MEMO] = max(state[MEMO], place + 1)


@inner
def _new_container(m):
    number = m.state[CONTAINERS]
    m.first[number] = -1
    m.last[number] = -1
    m.size[number] = 0
    m.state[CONTAINERS] = number + 1
    return number


@inner
def _fill(m, op):
    """Move values from the stack into the list or dict below them."""
    state = m.state
    is_list = op == ops.APPEND or op == ops.APPENDS
    if op == ops.APPENDS or op == ops.SETITEMS:
        if state[MARKS] == 0:
            state[STATUS] = MALFORMED
        else:
            state[MARKS] -= 1
        begin = np.int64(m.marks[state[MARKS]]) if state[STATUS] == MORE else np.int64(0)
    else:
        begin = state[STACK] - (1 if is_list else 2)
    if state[STATUS] == MORE:
        if begin - 1 < _floor(m) or m.stack_kind[begin - 1] != (LIST if is_list else DICT):
            state[STATUS] = MALFORMED
        elif is_list:
            _add_chunk(m, m.stack[begin - 1], begin, 1, np.int64(-1))
        else:
            layout = _layout(m, begin)
            if layout >= 0:
                _add_chunk(m, m.stack[begin - 1], begin + 1, 2, layout)
        state[STACK] = begin


@inner
def _add_chunk(m, container, begin, stride, layout):
    """Append every ``stride``-th value of the stack from ``begin`` on to a container."""
    state = m.state
    start, at = _shared_range(m, begin) if stride == 1 else (state[ITEMS], state[ITEMS])
    if at == start:
        for i in range(begin, state[STACK], stride):
            m.items[at] = m.stack[i]
            m.item_kind[at] = m.stack_kind[i]
            at += 1
        state[ITEMS] = at
    if at > start:
        chunk = state[CHUNKS]
        m.start[chunk] = start
        m.length[chunk] = at - start
        m.following[chunk] = -1
        m.layout[chunk] = layout
        state[CHUNKS] = chunk + 1
        if m.last[container] >= 0:
            m.following[m.last[container]] = chunk
        else:
            m.first[container] = chunk
        m.last[container] = chunk
        m.size[container] += at - start


@inner
def _shared_range(m, begin):
    """Start and end of a range with the items on the stack; where none is known an empty one, which they will fill."""
    state = m.state
    count, hashed = state[STACK] - begin, np.int64(7)
    for i in range(begin, state[STACK]):
        hashed = (hashed ^ m.stack[i] ^ (np.int64(m.stack_kind[i]) << 56)) * _MIX
        hashed ^= hashed >> 29
    slot = hashed & (RANGE_SLOTS - 1)
    start = m.range_start[slot]
    same = count > 0 and m.range_length[slot] == count
    i = 0
    while same and i < count:
        same = m.items[start + i] == m.stack[begin + i] and m.item_kind[start + i] == m.stack_kind[begin + i]
        i += 1
    if same:
        return start, start + count
    m.range_start[slot] = state[ITEMS]
    m.range_length[slot] = count
    return state[ITEMS], state[ITEMS]


@inner
def _layout(m, begin):
    """Number of the layout of the dict whose keys and values stand on the stack; -1 where there can be none."""
    state = m.state
    hashed, known = np.int64(7), (state[STACK] - begin) % 2 == 0
    for i in range(begin, state[STACK], 2):
        known = known and m.stack_kind[i] == TEXT
        hashed = (hashed ^ m.stack[i]) * _MIX
        hashed ^= hashed >> 29
    if not known:
        state[STATUS] = MALFORMED
        return np.int64(-1)
    slot = hashed & (LAYOUT_SLOTS - 1)
    while m.layout_table[slot] != 0 and not _has_keys(m, np.int64(m.layout_table[slot]) - 1, begin):
        slot = (slot + 1) & (LAYOUT_SLOTS - 1)
    if m.layout_table[slot] == 0:
        return _new_layout(m, slot, begin)
    return np.int64(m.layout_table[slot]) - 1


@inner
def _has_keys(m, layout, begin):
    size = (m.state[STACK] - begin) // 2
    same = size == m.layout_size[layout]
    at = np.int64(m.layout_start[layout])
    i = 0
    while same and i < size:
        same = m.layout_keys[at + i] == m.stack[begin + 2 * i]
        i += 1
    return same


@inner
def _new_layout(m, slot, begin):
    state = m.state
    size = (state[STACK] - begin) // 2
    number, start = state[LAYOUTS], state[LAYOUT_KEYS]
    if number >= MOST_LAYOUTS or start + size > MOST_LAYOUT_KEYS:
        state[STATUS] = TOO_VARIED
        return np.int64(-1)
    for i in range(size):
        m.layout_keys[start + i] = m.stack[begin + 2 * i]
    m.layout_start[number] = start
    m.layout_size[number] = size
    m.layout_table[slot] = number + 1
    state[LAYOUTS] = number + 1
    state[LAYOUT_KEYS] = start + size
    return number


@inner
def _make_tuple(m, op):
    """Replace values of the stack by a tuple of them."""
    state = m.state
    begin = state[STACK]
    if op == ops.TUPLE:
        if state[MARKS] == 0:
            state[STATUS] = MALFORMED
        else:
            state[MARKS] -= 1
            begin = np.int64(m.marks[state[MARKS]])
    elif op != ops.EMPTY_TUPLE:
        begin -= np.int64(op) - ops.TUPLE1 + 1
    if state[STATUS] == MORE and begin >= _floor(m):
        container = _new_container(m)
        _add_chunk(m, container, begin, 1, np.int64(-1))
        state[STACK] = begin
        _push(m, container, TUPLE)
    else:
        state[STATUS] = MALFORMED
