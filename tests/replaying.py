"""Items and activities for replays, by hand and drawn."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from stepscope.numeric.replay import (
    HAND_OVER,
    LAUNCH,
    MARK,
    WAIT,
    WAIT_ALL,
    WAIT_STREAM,
    Activities,
    Backlog,
    Items,
)

FREE = Backlog(np.empty(0, np.int64), np.empty(0, np.int64))


def items(*rows: tuple[int, ...]) -> Items:
    """Items of (kind, thread, work, target, tail, first, last), short ones filled up."""
    full = [(*row, *(0, 0, 0, -1, 0, 0, 0)[len(row) :]) for row in rows]
    return Items(*np.array(full, np.int64).reshape(-1, 7).T)


def activities(*rows: tuple[int, ...]) -> Activities:
    """Activities of (stream, duration, latency, gap, event, event_gap), short ones filled up."""
    full = [(*row, *(0, 0, 0, 0, -1, 0)[len(row) :]) for row in rows]
    return Activities(*np.array(full, np.int64).reshape(-1, 6).T)


def launch(thread: int, work: int, first: int, last: int) -> tuple[int, ...]:
    return LAUNCH, thread, work, -1, 0, first, last


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]], int]:
    small = st.integers(0, 50)
    count = draw(st.integers(1, 6))
    work = [
        (draw(st.integers(0, 1)), draw(small), draw(small), draw(small), draw(st.integers(-1, number - 1)), draw(small))
        for number in range(count)
    ]
    rows: list[tuple[int, ...]] = []
    given_out = 0
    while given_out < count:
        kind = draw(st.sampled_from([LAUNCH, MARK, WAIT, WAIT_STREAM, WAIT_ALL, HAND_OVER]))
        thread, spent = draw(st.integers(0, 1)), draw(small)
        if kind == LAUNCH:
            last = draw(st.integers(given_out + 1, count))
            rows.append(launch(thread, spent, given_out, last))
            given_out = last
        elif kind == WAIT and given_out:
            rows.append((WAIT, thread, spent, draw(st.integers(0, given_out - 1)), draw(small)))
        elif kind == WAIT_STREAM:
            rows.append((WAIT_STREAM, thread, spent, draw(st.integers(0, 1)), draw(small)))
        elif kind == HAND_OVER:
            rows.append((HAND_OVER, thread, spent, 1 - thread, 0))
        elif kind in (MARK, WAIT_ALL):
            rows.append((kind, thread, spent))
    return rows, work, draw(st.integers(1, 4))
