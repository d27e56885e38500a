"""Alignment of a sequence with a longer one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.analyses.gpu.replay_alignment import LEAST_SHARE, SHORTEST_RUN, Reference


def aligned(sequence: str, reference: str) -> list[int]:
    """Letters as elements."""
    found = Reference(np.array([ord(c) for c in reference], np.int64)).aligned(
        np.array([ord(c) for c in sequence], np.int64)
    )
    return [int(index) for index in found]


@pytest.mark.parametrize(
    ("sequence", "reference", "found"),
    [
        ("abcdef", "xxabcdefyy", [2, 3, 4, 5, 6, 7]),
        ("abcdef", "xxabcZdefyy", [2, 3, 4, 6, 7, 8]),
        ("abcZdef", "xxabcdefyy", [2, 3, 4, -1, 5, 6, 7]),
        ("abcdef", "abcdefabcdefabcdef", [0, 1, 2, 3, 4, 5]),
        # One element agrees, its neighbours do not.
        ("abcdefgZhZ", "xabcdefgQhQ", [1, 2, 3, 4, 5, 6, 7, -1, -1, -1]),
        # Less than half agrees: another sequence.
        ("abcPQRSTU", "xxabcxx", [-1] * 9),
        ("abcdef", "", [-1] * 6),
        ("abcdef", "uvwxyz", [-1] * 6),
        ("", "abc", []),
        ("ab", "xxabxx", [2, 3]),
        ("ab", "xxaxbx", [-1, -1]),
        # The last letters occur later once more; the run is preferred.
        ("aabbccdd", "aabbccddccdd", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("aabbccdd", "ccddaabbccdd", [4, 5, 6, 7, 8, 9, 10, 11]),
    ],
)
def test_alignment(sequence: str, reference: str, found: list[int]) -> None:
    assert aligned(sequence, reference) == found


def test_a_sequence_longer_than_a_piece() -> None:
    random = np.random.default_rng(7)
    sequence = random.integers(0, 40, 9000)
    reference = np.concatenate([random.integers(0, 40, 3000), np.delete(sequence, [100, 5000]), sequence[:50]])
    found = Reference(reference).aligned(sequence)
    known = found >= 0
    assert known.sum() >= 8990
    assert (reference[found[known]] == sequence[known]).all()


letters = st.lists(st.integers(0, 4), max_size=40)


@pytest.mark.long
@settings(max_examples=150)
@given(sequence=letters, reference=letters)
def test_pairs_are_equal_ascend_and_stand_in_runs(sequence: list[int], reference: list[int]) -> None:
    numbers, others = np.array(sequence, np.int64), np.array(reference, np.int64)
    found = Reference(others).aligned(numbers)
    known = np.flatnonzero(found >= 0)
    assert (others[found[known]] == numbers[known]).all()
    assert (np.diff(found[known]) > 0).all()
    assert len(known) == 0 or len(known) >= LEAST_SHARE * len(numbers)
    for run in np.split(known, np.flatnonzero((np.diff(known) != 1) | (np.diff(found[known]) != 1)) + 1):
        assert len(run) == 0 or len(run) >= min(SHORTEST_RUN, len(numbers))


@pytest.mark.long
@settings(max_examples=100)
@given(before=letters, sequence=st.lists(st.integers(0, 4), min_size=1, max_size=40), behind=letters)
def test_what_occurs_unchanged_is_found_whole(before: list[int], sequence: list[int], behind: list[int]) -> None:
    found = Reference(np.array([*before, *sequence, *behind], np.int64)).aligned(np.array(sequence, np.int64))
    assert (found >= 0).all()
