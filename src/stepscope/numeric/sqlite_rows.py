"""Rows of a table of an SQLite file, straight into columns.

Python's own module makes an object of every value, which takes several seconds a million rows. What is needed here is
little: the pages of one table in order, and of each row some columns that are numbers or short texts. Whatever is not
of that kind (values on overflow pages, damage) stops the loop with a reason, and the caller asks SQLite itself.

Format: "Database File Format" (sqlite.org), sections 1.6 (B-tree pages) and 2.1 (record format).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric.bytescan import NULL, PADDING, words_of
from stepscope.numeric.compiling import hot, inner
from stepscope.numeric.pool import SEED, Pool, intern

INTEGER, REAL, TEXT, ROW_ID = 0, 1, 2, 3
"""Kinds of wanted columns: whole numbers, numbers as the bits of a float64, codes of texts, the row's own number."""

DONE, DAMAGED, OVERFLOW, OTHER_TYPE, POOL_FULL = 0, 1, 2, 3, 4
"""How a loop ended: whole; a page or row that cannot be; a wanted value on an overflow page, or of another type; more
texts than the pool has room for."""

_INTERIOR, _LEAF = 5, 13
_EXACT = 1 << 53
"""Whole numbers up to this are floats, too."""

_LENGTHS = np.array([0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0], np.int64)


class Layout(NamedTuple):
    """How the pages of a file are laid out.

    Attributes:
        page: bytes of a page.
        usable: bytes of it that hold anything.
    """

    page: int
    usable: int


def is_leaf(page: npt.NDArray[np.uint8]) -> bool:
    """Whether a page holds rows of a table, and no pages below it."""
    return bool(page[0] == _LEAF)


def pages_below(pages: npt.NDArray[np.uint8], count: int, layout: Layout) -> npt.NDArray[np.int64] | None:
    """Numbers of the pages below some inner pages of a table, in order of its rows; None where one is damaged.

    Args:
        pages: the bytes of inner pages, one behind another.
        count: number of pages.
    """
    found = np.empty(count * (layout.page // 2), np.int64)
    size = _below(pages, count, layout.page, found)
    return None if size < 0 else found[:size].copy()


@hot
def _below(pages, count, page, found):
    size = 0
    for number in range(count):
        base = number * page
        cells = (np.int64(pages[base + 3]) << 8) | pages[base + 4]
        if pages[base] != _INTERIOR or 12 + 2 * cells > page:
            return -1
        for cell in range(cells):
            slot = base + 12 + 2 * cell
            at = (np.int64(pages[slot]) << 8) | pages[slot + 1]
            if at + 4 > page:
                return -1
            found[size] = _word(pages, base + at)
            size += 1
        found[size] = _word(pages, base + 8)
        size += 1
    return size


@inner
def _word(file, at):
    first = (np.int64(file[at]) << 24) | (np.int64(file[at + 1]) << 16)
    return first | (np.int64(file[at + 2]) << 8) | np.int64(file[at + 3])


def rows_on(pages: npt.NDArray[np.uint8], layout: Layout) -> int:
    """Rows on some leaf pages.

    Args:
        pages: their bytes, one page behind another.
    """
    heads = pages[: len(pages) // layout.page * layout.page].reshape(-1, layout.page)
    return int((heads[:, 3].astype(np.int64) * 256 + heads[:, 4]).sum())


def decode_rows(
    pages: npt.NDArray[np.uint8],
    count: int,
    layout: Layout,
    wanted: npt.NDArray[np.int64],
    kinds: npt.NDArray[np.int64],
    pool: Pool,
    out: npt.NDArray[np.int64],
) -> tuple[int, int]:
    """Decode the rows of some leaf pages.

    Args:
        pages: the bytes of leaf pages, one behind another, and `PADDING` bytes more.
        count: number of pages.
        wanted: positions of the columns in their table, in ascending order; anything for `ROW_ID`.
        kinds: of each.
        pool: takes the texts; its ranges point into ``pages``.
        out: a row per column, filled from the left; `NULL` where there is no value.

    Returns:
        Rows decoded, and why it ended: `DONE` or another of these.
    """
    if len(pages) < count * layout.page + PADDING:
        raise ValueError("the pages need padding")
    floats = out.view(np.float64)
    result = _decode(pages, words_of(pages), count, *layout, wanted, kinds, *pool, out, floats, SEED)
    return result // 8, result % 8


@hot
def _decode(pages, words, count, page, usable, wanted, kinds, used, table, entries, out, floats, seed):
    row = 0
    for number in range(count):
        base = number * page
        end = base + page
        cells = (np.int64(pages[base + 3]) << 8) | pages[base + 4]
        if pages[base] != _LEAF or 8 + 2 * cells > page:
            return row * 8 + 1
        for cell in range(cells):
            slot = base + 8 + 2 * cell
            at = base + ((np.int64(pages[slot]) << 8) | pages[slot + 1])
            payload, at = _varint(pages, at, end)
            row_id, at = _varint(pages, at, end)
            limit = at + _local_bytes(payload, usable)
            if at < 0 or payload < 1 or row >= out.shape[1] or limit > end:
                return row * 8 + 1
            is_cut = limit - at < payload
            status = _record(
                pages, words, at, limit, is_cut, row_id, row, wanted, kinds, used, table, entries, out, floats, seed
            )
            if status != 0:
                return row * 8 + status
            row += 1
    return row * 8


@inner
def _local_bytes(payload, usable):
    """Bytes of a record that lie in its leaf page; the others lie on overflow pages."""
    if payload <= usable - 35:
        return payload
    least = ((usable - 12) * 32) // 255 - 23
    local = least + (payload - least) % (usable - 4)
    return local if local <= usable - 35 else least


@inner
def _record(pages, words, begin, limit, is_cut, row_id, row, wanted, kinds, used, table, entries, out, floats, seed):
    """Decode the wanted columns of one record, whose bytes in this page end at ``limit``."""
    size, head = _varint(pages, begin, limit)
    if head < 0 or size < 1:
        return 1
    if size > limit - begin:
        return 2 if is_cut else 1
    head_end = begin + size
    body = head_end
    column = 0
    for k in range(len(wanted)):
        if kinds[k] == ROW_ID:
            out[k, row] = row_id
            continue
        # A row that was written before a column was added ends earlier: the column is null.
        serial, at = np.int64(0), body
        while head < head_end and column <= wanted[k]:
            at = body
            serial, head = _varint(pages, head, head_end)
            body = _behind(body, serial, limit)
            column += 1
            if head < 0 or serial < 0 or (body > limit and not is_cut):
                return 1
        if column <= wanted[k] or serial == 0:
            out[k, row] = NULL
            continue
        status = 2
        if body <= limit:
            status = _value(pages, words, at, serial, k, row, kinds[k], used, table, entries, out, floats, seed)
        if status != 0:
            return status
    return 0


@inner
def _behind(body, serial, limit):
    """Where a value of some serial type that begins at ``body`` ends; just behind ``limit`` if not before."""
    length = np.int64(0)
    if serial >= 12:
        length = (serial - 12) // 2
    elif serial >= 0:
        length = _LENGTHS[serial]
    return limit + 1 if length > limit - body else body + length


@inner
def _value(pages, words, at, serial, k, row, kind, used, table, entries, out, floats, seed):
    if kind == 2:
        if serial < 13 or serial % 2 == 0:
            return 3
        code = intern(used, table, entries, words, at, at + (serial - 13) // 2, seed)
        if code < 0:
            return 4
        out[k, row] = code
        return 0
    if serial > 9:
        return 3
    if serial == 7:
        bits = np.int64(0)
        for i in range(8):
            bits = (bits << 8) | np.int64(pages[at + i])
        if kind != 1:
            return 3
        out[k, row] = np.int64(0) if bits == NULL else bits  # the bits of -0.0
        return 0
    number = _whole(pages, at, serial)
    if number == NULL:
        return 3
    if kind == 0:
        out[k, row] = number
    elif -_EXACT <= number <= _EXACT:
        floats[k, row] = np.float64(number)
    else:
        return 3
    return 0


@inner
def _whole(pages, at, serial):
    """A whole number of some bytes, the highest first; serial types 8 and 9 are 0 and 1 themselves."""
    if serial >= 8:
        return np.int64(serial - 8)
    if serial == 0:
        return np.int64(0)
    number = np.int64(pages[at])
    if number >= 128:
        number -= 256
    for i in range(1, _LENGTHS[serial]):
        number = (number << 8) | np.int64(pages[at + i])
    return number


@inner
def _varint(pages, at, end):
    """A number of one to nine bytes, and where it ends; (-1, -1) where it does not end in time."""
    if at < 0:
        return np.int64(-1), np.int64(-1)
    value = np.int64(0)
    for i in range(9):
        if at + i >= end:
            return np.int64(-1), np.int64(-1)
        byte = np.int64(pages[at + i])
        if i == 8:
            return (value << 8) | byte, at + 9
        value = (value << 7) | (byte & 127)
        if byte < 128:
            return value, at + i + 1
    return np.int64(-1), np.int64(-1)
