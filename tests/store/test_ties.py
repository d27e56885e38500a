"""An order of rows that are equal in time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from building import Event, call, kernel, opened
from stepscope.store.ties import places, settle
from stepscope.store.trace import Trace


def trace_of(folder: Path, *events: Event) -> Trace:
    return opened(folder, *events).profile.ranks[0].trace


def test_rows_of_equal_times_exchange_their_numbers(tmp_path: Path) -> None:
    """The others keep theirs, so that they stay where they are among rows of equal keys."""
    late = kernel("c", 9, 12)
    alike = [kernel(name, 2, 5) for name in "bca"]
    longer = kernel("a", 2, 6)
    trace = trace_of(tmp_path, alike[0], late, alike[1], longer, alike[2])
    assert places(trace, "activity").tolist() == [2, 1, 4, 3, 0]


def test_rows_without_ties_keep_their_numbers(tmp_path: Path) -> None:
    trace = trace_of(tmp_path, kernel("b", 2, 5), kernel("a", 0, 2))
    assert places(trace, "activity").tolist() == [0, 1]
    assert places(trace, "runtime").tolist() == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (call(0, 1, 1, thread="a"), call(0, 1, 1, thread="b")),
        (call(0, 1, 2, name="a"), call(0, 1, 1, name="b")),
        (call(0, 1, 1), call(0, 1, 2)),
    ],
    ids=["thread", "name", "correlation"],
)
def test_what_tells_calls_apart(one: Event, other: Event, tmp_path: Path) -> None:
    for events in ((one, other), (other, one)):
        ranks = settle(trace_of(tmp_path, *events), "runtime", np.arange(2), np.zeros(2, np.int64))
        assert (ranks[0] < ranks[1]) == (events[0] is one)


def test_what_is_alike_in_everything_is_equal(tmp_path: Path) -> None:
    """A group of its own comes first, whatever is recorded of it."""
    trace = trace_of(tmp_path, call(0, 1, 1), call(0, 1, 1), call(5, 6, 0))
    assert settle(trace, "runtime", np.arange(3), np.array([4, 4, 2])).tolist() == [2, 2, 1]
