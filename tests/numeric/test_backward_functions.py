"""Forward operators handed on to functions without a number, and what begins before its function."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.backward_functions import Functions, begins_before, spread

DRAWN = st.lists(st.tuples(*[st.booleans()] * 4, st.integers(0, 1 << 20)), max_size=30)
"""Whether each is a function, numbered, accumulates, has a known forward operator; a number that its parent is of."""


def drawn_functions(drawn: list[tuple[bool, bool, bool, bool, int]], random: Random) -> tuple[Functions, list[int]]:
    """Functions of two lanes whose rows are in any order, and forward operators of numbered ones."""
    order = list(range(len(drawn)))
    random.shuffle(order)
    parent, forward, lane = [-1] * len(drawn), [-1] * len(drawn), [0] * len(drawn)
    flags = {name: [False] * len(drawn) for name in ("is_function", "numbered", "accumulates")}
    for place, (function, numbered, accumulates, known, number) in enumerate(drawn):
        row, above = order[place], number % (place + 1) - 1
        parent[row] = order[above] if above >= 0 else -1
        lane[row] = lane[parent[row]] if above >= 0 else number // 64 % 2
        flags["is_function"][row], flags["numbered"][row], flags["accumulates"][row] = function, numbered, accumulates
        forward[row] = number // 128 % 100 if function and numbered and known else -1
    rows = (np.array(values, np.int32) for values in (order, parent, lane))
    return Functions(*rows, *(np.array(values, np.bool_) for values in flags.values())), forward


@given(DRAWN, st.randoms(use_true_random=False))
def test_each_row_has_what_a_look_at_all_others_finds(
    drawn: list[tuple[bool, bool, bool, bool, int]], random: Random
) -> None:
    functions, known = drawn_functions(drawn, random)
    order, parent, lane, is_function, numbered, accumulates = (values.tolist() for values in functions)

    def innermost(row: int) -> int:
        return row if row < 0 or is_function[row] else innermost(parent[row])

    def expected(row: int) -> int:
        own = innermost(row)
        if own < 0 or numbered[own]:
            return known[own] if own >= 0 else -1
        inside = [known[one] for one in order if parent[one] == own and known[one] >= 0]
        before = [one for one in order[: order.index(own)] if (parent[one], lane[one]) == (parent[own], lane[own])]
        followed = [known[one] for one in before if is_function[one] and numbered[one]]
        first = [*inside[:1], *(followed[-1:] if accumulates[own] else [])]
        return next((one for one in first if one >= 0), expected(parent[own]) if parent[own] >= 0 else -1)

    forward = np.array(known, np.int32)
    function = spread(functions, forward)
    assert function.tolist() == [innermost(row) for row in range(len(drawn))]
    assert forward.tolist() == [expected(row) for row in range(len(drawn))]


@given(DRAWN, st.randoms(use_true_random=False))
def test_what_begins_before_its_function_is_told_from_the_first_row_inside(
    drawn: list[tuple[bool, bool, bool, bool, int]], random: Random
) -> None:
    functions, known = drawn_functions(drawn, random)
    function = spread(functions, np.array(known, np.int32))
    start = np.array([number // 7 % 16 for *_, number in drawn], np.int64)
    is_function, parent = functions.is_function, functions.parent

    def expected(row: int) -> bool:
        inside = [one for one in range(len(drawn)) if is_function[one] and parent[one] == function[row]]
        return bool(not is_function[row] and function[row] >= 0 and inside and start[row] < start[inside[0]])

    found = begins_before(is_function, function, parent, start)
    assert found.tolist() == [expected(row) for row in range(len(drawn))]
