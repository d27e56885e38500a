"""Tests of significance: their parts against other ways to compute them."""

from __future__ import annotations

import numpy as np
import pytest

from stepscope.comparison.sampled import Sampled
from stepscope.comparison.testing import against_noise, outcomes, significant

ONE = np.zeros(1, np.int64)


def of(*rows: list[float]) -> Sampled:
    mean = np.array(rows, np.float64)
    return Sampled(mean, np.full(mean.shape, np.nan), np.ones(mean.shape), (4,) * mean.shape[1])


def told(base: list[float], new: list[float], floor: float = 0.01) -> tuple[bool, bool]:
    """Whether a single row changed, and whether it is the same; the step takes 1,000."""
    sides = of(base), of(new)
    nothing = (np.zeros((1, len(base))), np.zeros((1, len(new))))
    found = against_noise(*sides, nothing, (np.array([floor]), np.array([np.inf])), ONE, np.array([True]))
    size = np.sqrt(np.mean(base) * np.mean(new))
    outcome = outcomes(found, ONE, np.array([size]), 1_000.0)
    return bool(outcome.changed[0]), bool(outcome.same[0])


def test_five_recordings_tell_a_change_of_a_tenth() -> None:
    assert told([100, 101, 99, 100.5, 99.5], [110, 111, 109, 110.5, 109.5]) == (True, False)


def test_five_recordings_tell_that_nothing_changed() -> None:
    assert told([100, 101, 99, 100.5, 99.5], [100.2, 101, 99.3, 100.5, 99.5]) == (False, True)


def test_noisy_recordings_tell_neither() -> None:
    assert told([100, 140, 70], [110, 150, 80]) == (False, False)


def test_a_change_below_five_per_cent_of_the_row_is_none() -> None:
    assert told([500, 500.1, 499.9], [510, 510.1, 509.9], floor=0.001) == (False, True)


def test_a_change_below_half_a_per_cent_of_the_step_is_none() -> None:
    assert told([10, 10.01, 9.99], [13, 13.01, 12.99], floor=0.001) == (False, True)


def test_the_share_of_false_discoveries_is_bounded_as_by_its_definition() -> None:
    chance = np.random.default_rng(0)
    for _ in range(50):
        p = chance.random(30) ** 3
        ranked = np.sort(p)
        largest = max((k for k in range(30) if ranked[k] <= 0.05 * (k + 1) / 30), default=-1)
        expected = p <= (ranked[largest] if largest >= 0 else -1)
        assert (significant(p, np.zeros(30, np.int64)) == expected).all()


def test_families_are_apart() -> None:
    p = np.array([0.04, 0.9, 0.9, 0.04])
    assert significant(p, np.array([0, 1, 1, 2])).tolist() == [True, False, False, True]


@pytest.mark.parametrize("recordings", [1, 3])
def test_of_rows_without_a_change_few_are_called_changed(recordings: int) -> None:
    """200 rows whose recordings differ by 3 %, twenty times: not one in a hundred."""
    chance = np.random.default_rng(1)
    alarms = 0
    for _ in range(20):
        mean = 1e5 * chance.random((200, 1))
        sides = [mean * np.exp(0.03 * chance.standard_normal((200, recordings))) for _ in range(2)]
        nothing = (np.zeros((200, recordings)), np.zeros((200, recordings)))
        same = np.zeros(200, np.int64)
        found = against_noise(
            of(*sides[0]),
            of(*sides[1]),
            nothing,
            (np.full(200, 0.01), np.full(200, np.inf)),
            same,
            np.ones(200, np.bool_),
        )
        size = np.sqrt(sides[0].mean(axis=1) * sides[1].mean(axis=1))
        alarms += int(outcomes(found, same, size, 1e6).changed.sum())
    assert alarms <= 40
