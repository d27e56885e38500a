"""The last event before each, of its kind where there is one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.last_before import Events, last_before
from stepscope.numeric.nested import NOBODY

Drawn = list[tuple[int, int, int, bool]]

DRAWN = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(-1, 2), st.booleans()), max_size=20)
"""Group, start, kind, apart."""


def events(drawn: Drawn) -> Events:
    group, start, kind = (np.array([one[i] for one in drawn], np.int64) for i in range(3))
    return Events(group, start, kind, np.array([one[3] for one in drawn], np.bool_))


def expected(one: tuple[int, int, int, bool], before: Drawn) -> int:
    """Looked for among all of them, the best sort first."""
    fitting = [at for at, other in enumerate(before) if other[0] == one[0] and other[1] <= one[1]]
    same = [at for at in fitting if before[at][2] == one[2] != NOBODY]
    apart = [at for at in fitting if one[3] and before[at][3]]
    return next((found[-1] for found in (same, apart, fitting) if found), NOBODY)


@given(DRAWN, DRAWN)
def test_each_is_matched_as_if_all_were_looked_at(asking: Drawn, before: Drawn) -> None:
    asking, before = sorted(asking, key=lambda one: one[1]), sorted(before, key=lambda one: one[1])
    found = last_before(events(asking), events(before))
    assert found.tolist() == [expected(one, before) for one in asking]
