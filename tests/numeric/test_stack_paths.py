"""Paths of nested events, against stacks that are walked up one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.stack_paths import Paths, number_paths


def stack(parent: list[int], name: list[int], row: int) -> tuple[int, ...]:
    names: list[int] = []
    while row >= 0:
        names[:0] = [name[row]] if name[row] >= 0 else []
        row = parent[row]
    return tuple(names)


def stack_of_path(paths: Paths, path: int) -> tuple[int, ...]:
    names: list[int] = []
    while path >= 0:
        assert paths.outer[path] < path
        names[:0] = [int(paths.name[path])]
        path = int(paths.outer[path])
    return tuple(names)


def assert_paths(parent: list[int], name: list[int]) -> None:
    paths = number_paths(np.array(parent, np.int64), np.array(name, np.int64))
    for row, path in enumerate(paths.of_row.tolist()):
        assert stack_of_path(paths, path) == stack(parent, name, row)
    found = [stack_of_path(paths, path) for path in range(len(paths.outer))]
    assert len(set(found)) == len(found)


@given(
    st.lists(st.tuples(st.integers(-1, 1 << 20), st.integers(-1, 3)), max_size=60), st.randoms(use_true_random=False)
)
def test_each_event_has_the_path_of_the_names_around_it(drawn: list[tuple[int, int]], random: object) -> None:
    # A parent comes from before its child in some order, and rows are numbered in another.
    row = list(range(len(drawn)))
    random.shuffle(row)  # type: ignore[attr-defined]
    parent, name = [-1] * len(drawn), [0] * len(drawn)
    for place, (of, own) in enumerate(drawn):
        parent[row[place]] = row[of % place] if of >= 0 and place else -1
        name[row[place]] = own
    assert_paths(parent, name)


@pytest.mark.parametrize("count", [511, 512, 513, 3000])
def test_many_paths_and_deep_ones_have_room(count: int) -> None:
    assert_paths([-1] * count, list(range(count)))
    assert_paths([*range(1, count), -1], [7] * count)  # the first one is the innermost
    assert_paths([-1, *range(count - 1)], [at % 3 - 1 for at in range(count)])


def test_a_circle_is_cut() -> None:
    assert number_paths(np.array([1, 0]), np.array([4, 5])).of_row.tolist() == [1, 0]
