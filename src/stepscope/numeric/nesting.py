"""Nesting of half-open intervals on each thread, and what follows from it.

At a moment of a thread the innermost interval is the one with the latest start, then the shorter, then the one with
the higher tie (see docs/tables/). An interval's parent is the innermost one at its start. Intervals may stick out
of their parent: they keep their whole length, and time is always credited to whoever is innermost at that moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from stepscope.numeric.compiling import compiled, hot, inner, writable
from stepscope.numeric.nested import FOREVER, NOBODY, Ints, Nesting, Rows

__all__ = ["NOBODY", "Nesting", "credit_upwards", "innermost_at", "nest", "nesting_order", "union_by_key"]


Settle: TypeAlias = Callable[[Ints, Ints], Ints]
"""Given rows and the number of the group of each: ranks of the rows, by group and inside it by anything else."""


def nest(thread: Rows, start: Ints, end: Ints, tie: Ints, settle: Settle | None = None) -> Nesting:
    """Nest intervals. ``thread`` numbers the threads from 0; all arrays have one entry per interval.

    Args:
        settle: decides between those that have the tie in common, too; without it the first row is outside.
    """
    thread = thread.astype(np.int32, copy=False)
    thread, start, end, tie = (writable(array) for array in (thread, start, end, tie))
    order = nesting_order(thread, start, end, tie, settle).astype(np.int32)
    del tie  # of millions of rows; the sweep does without
    parent, depth, self_ns, sticks_out = _nest(order, thread, start, end)
    return Nesting(order, parent, depth, self_ns, sticks_out)


def nesting_order(thread: Rows | Ints, start: Ints, end: Ints, tie: Ints, settle: Settle | None = None) -> Ints:
    """Rows sorted by thread, start, end (descending) and tie, then as ``settle`` says or else by their number.

    One sort of a packed key, then a repair of the few equal ones, is five times as fast as a sort by four keys.
    """
    if len(start) == 0:
        return np.empty(0, np.int64)
    first = int(start.min())
    bits = max(1, int(int(start.max()) - first).bit_length())
    if int(thread.max()).bit_length() + bits > 62:
        order = np.lexsort((tie, -end, start, thread))
        undecided = len(order) > 1
    else:
        # In place: each array of millions of rows counts.
        key = thread.astype(np.int64)
        key <<= bits
        key -= first
        key += start
        order = np.argsort(key, kind="stable")
        undecided = _sort_ties(order, key, end, tie)
    if settle is not None and undecided:
        _settle_ties(order, (thread, start, end, tie), settle)
    return order


def _settle_ties(order: Ints, keys: tuple[Rows | Ints, ...], settle: Settle) -> None:
    """Put rows that are equal in all keys, and so stand side by side, in the order that ``settle`` says."""
    same = np.ones(max(0, len(order) - 1), np.bool_)
    for key in keys:
        in_order = key[order]
        same &= in_order[1:] == in_order[:-1]
    tied = np.append(same, False) | np.append(False, same)
    rows = order[tied]
    groups = np.cumsum(np.append(True, ~same))[tied]
    order[tied] = rows[np.argsort(settle(rows, groups), kind="stable")]


@inner
def _stands_before(a, b, end, tie):
    """Whether of two rows that begin at once one is before the other: the longer, then the lower tie, then row."""
    if end[a] != end[b]:
        return end[a] > end[b]
    return tie[a] < tie[b] or (tie[a] == tie[b] and a < b)


@inner
def _sift(rows, root, count, end, tie):
    """Move a row down a heap of which the last in order is on top."""
    while 2 * root + 1 < count:
        child = 2 * root + 1
        if child + 1 < count and _stands_before(rows[child], rows[child + 1], end, tie):
            child += 1
        if not _stands_before(rows[root], rows[child], end, tie):
            break
        rows[root], rows[child] = rows[child], rows[root]
        root = child


@hot
def _sort_ties(order, key, end, tie):
    """Sort what has the key in common by end and tie; whether some have those in common, too."""
    n = len(order)
    i = 0
    undecided = False
    while i < n:
        j = i + 1
        while j < n and key[order[j]] == key[order[i]]:
            j += 1
        count = j - i
        if count > 1:
            # A heap, since thousands may begin at once.
            rows = order[i:j]
            for root in range(count // 2 - 1, -1, -1):
                _sift(rows, root, count, end, tie)
            for last in range(count - 1, 0, -1):
                rows[0], rows[last] = rows[last], rows[0]
                _sift(rows, 0, last, end, tie)
        for k in range(i + 1, j):
            if end[order[k]] == end[order[k - 1]] and tie[order[k]] == tie[order[k - 1]]:
                undecided = True
        i = j
    return undecided


@inner
def _open_at(now, stack, size, end):
    """How many intervals of the stack are open: below the top may lie some that ended before it."""
    count = 0
    for k in range(size):
        if end[stack[k]] > now:
            count += 1
    return count


@compiled
def _nest(order, thread, start, end):
    n = len(order)
    parent = np.full(n, -1, np.int32)
    depth = np.zeros(n, np.int32)
    self_ns = np.zeros(n, np.int64)
    sticks_out = np.zeros(n, np.bool_)
    stack = np.empty(256, np.int64)
    size = 0
    now = np.int64(0)
    loose = False
    for i in range(n + 1):
        new_thread = i == n or (i > 0 and thread[order[i]] != thread[order[i - 1]])
        loose = loose and not new_thread
        until = FOREVER if new_thread else start[order[i]]
        # Credit the time up to this start to whoever is innermost, top of the stack first.
        while size > 0:
            top = stack[size - 1]
            if end[top] > now:
                stop = min(end[top], until)
                self_ns[top] += stop - now
                now = stop
            if end[top] > until:
                break
            size -= 1
        if i == n:
            break
        row = order[i]
        now = start[row]
        if size > 0:
            top = stack[size - 1]
            parent[row] = top
            depth[row] = _open_at(now, stack, size, end) if loose else depth[top] + 1
            sticks_out[row] = end[row] > end[top]
            loose = loose or sticks_out[row]
        if size == len(stack):
            stack = np.concatenate((stack, np.empty(size, np.int64)))
        stack[size] = row
        size += 1
    return parent, depth, self_ns, sticks_out


def innermost_at(nesting: Nesting, thread: Rows, start: Ints, end: Ints, of_thread: Ints, at: Ints) -> Ints:
    """Row that is innermost on a thread at a time, or `NOBODY`; one per pair of (``of_thread``, ``at``).

    Args:
        nesting, thread, start, end: the intervals.
        of_thread: numbers as in ``thread``; a negative one names a thread without intervals.
        at: times in ns.
    """
    arrays = (nesting.order, nesting.parent, thread.astype(np.int32, copy=False), start, end, of_thread, at)
    found: Ints = _innermost_at(*(writable(array) for array in arrays))
    return found


@compiled
def _innermost_at(order, parent, thread, start, end, of_thread, at):
    found = np.full(len(at), -1, np.int64)
    low = 0
    for i in range(len(at)):
        high = len(order)
        if i > 0 and of_thread[i] == of_thread[i - 1] and at[i] >= at[i - 1]:
            # Moments mostly come in order: from where the last one was found, in steps that double.
            step = 1
            while low + step <= high:
                row = order[low + step - 1]
                if thread[row] > of_thread[i] or (thread[row] == of_thread[i] and start[row] > at[i]):
                    high = low + step - 1
                    break
                low += step
                step *= 2
        else:
            low = 0
        while low < high:
            middle = (low + high) // 2
            row = order[middle]
            if thread[row] < of_thread[i] or (thread[row] == of_thread[i] and start[row] <= at[i]):
                low = middle + 1
            else:
                high = middle
        if low == 0:
            continue
        row = np.int64(order[low - 1])
        if thread[row] != of_thread[i]:
            continue
        # Whatever is open at this time was open when the last one before it started: it is on the chain.
        while row >= 0 and end[row] <= at[i]:
            row = np.int64(parent[row])
        found[i] = row
    return found


def credit_upwards(parent: Rows, end: Ints, key: Ints, keys: int, row: Ints, at: Ints, amount: Ints) -> Ints:
    """Credit amounts to the key of a row and to each other key around it once.

    Args:
        parent, end: of the intervals.
        key: number of each interval's group, below ``keys``; negative for none.
        keys: number of groups.
        row: interval each amount belongs to, or `NOBODY`.
        at: moment of each amount; only intervals still open then get it.
        amount: in any unit.

    Returns:
        The sum per group.
    """
    first = (writable(array) for array in (parent, end, key))
    total: Ints = _credit_upwards(*first, keys, *(writable(array) for array in (row, at, amount)))
    return total


@compiled
def _credit_upwards(parent, end, key, keys, row, at, amount):
    total = np.zeros(keys, np.int64)
    last = np.full(keys, -1, np.int64)
    for i in range(len(row)):
        current = np.int64(row[i])
        while current >= 0:
            group = key[current]
            if group >= 0 and end[current] > at[i] and last[group] != i:
                last[group] = i
                total[group] += amount[i]
            current = np.int64(parent[current])
    return total


def union_by_key(order: Rows, thread: Rows, start: Ints, end: Ints, key: Ints, keys: int) -> Ints:
    """Length of the union of each group's intervals, thread by thread, summed over threads.

    Args:
        order: rows to count, sorted as by `nesting_order`.
        thread, start, end, key: of all rows.
        keys: number of groups.
    """
    rows = (order.astype(np.int32, copy=False), thread.astype(np.int32, copy=False))
    total: Ints = _union_by_key(*(writable(array) for array in (*rows, start, end, key)), keys)
    return total


@compiled
def _union_by_key(order, thread, start, end, key, keys):
    total = np.zeros(keys, np.int64)
    reach = np.zeros(keys, np.int64)
    owner = np.full(keys, -1, np.int64)
    for i in range(len(order)):
        row = order[i]
        group = key[row]
        begin = start[row]
        if owner[group] != thread[row]:
            owner[group] = thread[row]
            reach[group] = begin
        begin = max(begin, reach[group])
        if end[row] > begin:
            total[group] += end[row] - begin
            reach[group] = end[row]
    return total
