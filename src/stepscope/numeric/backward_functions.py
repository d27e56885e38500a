"""What follows, by row, from the forward operators of those backward functions that carry a number."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric.compiling import compiled, writable
from stepscope.numeric.nested import Ints, Rows

Flags = npt.NDArray[np.bool_]


class Functions(NamedTuple):
    """Operators of a trace, and which of them are backward functions; each array but the first by row.

    Attributes:
        order: rows in the order of nesting, so that a parent comes before what is inside it.
        parent: row of the operator around each one, or `NOBODY`.
        lane: number of each one's thread.
        is_function: whether each is a backward function.
        numbered: whether each has a sequence number.
        accumulates: whether each adds to a gradient, if it is a function.
    """

    order: Rows
    parent: Rows
    lane: Rows
    is_function: Flags
    numbered: Flags
    accumulates: Flags


def spread(functions: Functions, forward: Rows) -> Rows:
    """Fill ``forward`` in; the innermost function of each row, itself included, or `NOBODY`.

    A function without a number gets the forward operator of the first function directly inside it, else, if it
    accumulates, that of the numbered one it follows under the same parent, else that of the function around it. What
    is no function gets that of the function it runs in.

    Args:
        forward: row of the forward operator of each numbered function for which it is known, else `NOBODY`.
    """
    function: Rows = np.empty_like(forward)
    _spread(*(writable(values) for values in functions), forward, function)
    return function


def begins_before(is_function: Flags, function: Rows, parent: Rows, start: Ints) -> Flags:
    """Whether each operator, not a function itself, begins before the first function directly inside its own one.

    Args:
        function: the innermost one of each row, or `NOBODY`.
        parent, start: of each row.
    """
    found: Flags = _begins_before(*(writable(values) for values in (is_function, function, parent, start)))
    return found


@compiled
def _spread(order, parent, lane, is_function, numbered, accumulates, forward, function):
    for i in range(len(order) - 1, -1, -1):
        row = order[i]
        above = parent[row]
        if numbered[row] and forward[row] >= 0 and above >= 0 and is_function[above] and not numbered[above]:
            forward[above] = forward[row]  # in the end that of the first one inside, which is met last
    lanes = 0
    for row in range(len(lane)):
        lanes = max(lanes, lane[row] + 1)
    # By parent, or, where there is none, by lane: what the last numbered function has.
    followed = np.full(len(parent) + lanes, -1, np.int32)
    for row in order:
        above = parent[row]
        around = function[above] if above >= 0 else -1
        function[row] = row if is_function[row] else around
        place = above if above >= 0 else len(parent) + lane[row]
        if is_function[row] and numbered[row]:
            followed[place] = forward[row]
            continue
        if forward[row] < 0 and is_function[row] and accumulates[row]:
            forward[row] = followed[place]
        if forward[row] < 0 and around >= 0:
            forward[row] = forward[around]


@compiled
def _begins_before(is_function, function, parent, start):
    first = np.full(len(parent), -1, np.int32)
    for row in range(len(parent)):
        above = parent[row]
        if is_function[row] and above >= 0 and first[above] < 0:
            first[above] = row
    found = np.zeros(len(parent), np.bool_)
    for row in range(len(parent)):
        if function[row] >= 0 and not is_function[row]:
            inside = first[function[row]]
            found[row] = inside >= 0 and start[row] < start[inside]
    return found
