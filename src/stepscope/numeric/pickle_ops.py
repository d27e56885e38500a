"""The instructions of a pickle that holds nothing but numbers, texts, tuples, lists and dicts (protocols 2 to 5).

Every other one, above all those that name or call something, has the group `REFUSED`: a pickle is a program, and of
this one only those instructions are known here that build values.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric.compiling import inner
from stepscope.numeric.little_endian import little

REFUSED, SCALAR, TEXT, EMPTY, MARKED, FILLING, TUPLES, MEMO_PUT, MEMO_GET, SKIPPED, END = range(11)
"""Groups of instructions."""

PROTO, FRAME, MARK, STOP = 0x80, 0x95, 0x28, 0x2E
NONE, TRUE, FALSE = 0x4E, 0x88, 0x89
BININT, BININT1, BININT2, LONG1, BINFLOAT = 0x4A, 0x4B, 0x4D, 0x8A, 0x47
SHORT_BINUNICODE, BINUNICODE, BINUNICODE8 = 0x8C, 0x58, 0x8D
EMPTY_LIST, EMPTY_DICT, EMPTY_TUPLE = 0x5D, 0x7D, 0x29
APPEND, APPENDS, SETITEM, SETITEMS = 0x61, 0x65, 0x73, 0x75
TUPLE, TUPLE1, TUPLE2, TUPLE3 = 0x74, 0x85, 0x86, 0x87
MEMOIZE, BINPUT, LONG_BINPUT, BINGET, LONG_BINGET = 0x94, 0x71, 0x72, 0x68, 0x6A

_GROUPS = {
    SCALAR: {NONE: 1, TRUE: 1, FALSE: 1, BININT: 5, BININT1: 2, BININT2: 3, LONG1: 2, BINFLOAT: 9},
    TEXT: {SHORT_BINUNICODE: 2, BINUNICODE: 5, BINUNICODE8: 9},
    EMPTY: {EMPTY_LIST: 1, EMPTY_DICT: 1},
    MARKED: {MARK: 1},
    FILLING: {APPEND: 1, APPENDS: 1, SETITEM: 1, SETITEMS: 1},
    TUPLES: {EMPTY_TUPLE: 1, TUPLE: 1, TUPLE1: 1, TUPLE2: 1, TUPLE3: 1},
    MEMO_PUT: {MEMOIZE: 1, BINPUT: 2, LONG_BINPUT: 5},
    MEMO_GET: {BINGET: 2, LONG_BINGET: 5},
    SKIPPED: {PROTO: 2, FRAME: 9},
    END: {STOP: 1},
}

GROUP = np.full(256, REFUSED, np.uint8)
HEADER = np.ones(256, np.int64)
for _group, _ops in _GROUPS.items():
    for _op, _bytes in _ops.items():
        GROUP[_op], HEADER[_op] = _group, _bytes
"""By instruction: its group, and its bytes without those of a text or number of any length."""

_MOST = np.int64(1) << 62


@inner
def signed(buf, at, count):
    """A number of up to eight bytes, the lowest first, in two's complement."""
    value = little(buf, at, count)
    if 0 < count < 8 and buf[at + count - 1] >= 128:
        value -= np.int64(1) << (8 * count)
    return value


@inner
def length_of(buf, at, end):
    """Bytes of the instruction at ``at``; of one whose header the buffer cuts, those of the header."""
    op = buf[at]
    header = HEADER[op]
    if at + header > end:
        return header
    if op == LONG1 or op == SHORT_BINUNICODE:
        return header + np.int64(buf[at + 1])
    if op == BINUNICODE:
        return header + little(buf, at + 1, 4)
    if op == BINUNICODE8:
        size = little(buf, at + 1, 8)
        return header + size if 0 <= size < _MOST else _MOST
    return header
