"""Profiler overhead that is an event of its own: a request for a buffer, which holds a thread up within a call.

Seen of public recordings of five GEMMs: 1.83 of 2.38 ms were such a request, as the note on profiler overhead said, and
the time without profiler overhead had them all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, call, kernel, opened, operator, step, timed
from stepscope.analyses.simulation.step_time import step_time
from stepscope.store.profile import Profile

MS = 1_000_000


def request(start: int, end: int, name: str = "Activity Buffer Request") -> Events:
    return timed("overhead", name, start, end, process=-1, thread=0)


def recorded(tmp_path: Path, *more: Events) -> Profile:
    """A step of 3 ms, in whose first operator 2 ms pass before it launches."""
    return opened(
        tmp_path,
        step(1, 0, 3 * MS),
        operator("aten::mm", 100_000, 2_500_000),
        call(2_300_000, 2_320_000, 1),
        kernel("gemm", 2_330_000, 2_400_000, 1),
        operator("aten::mm", 2_600_000, 2_700_000),
        call(2_610_000, 2_630_000, 2),
        kernel("gemm", 2_640_000, 2_700_000, 2),
        *more,
    ).profile


def unprofiled(profile: Profile) -> int:
    return int(step_time(profile)["unprofiled_ns"][0])


def test_a_request_is_no_part_of_the_step(tmp_path: Path) -> None:
    without = unprofiled(recorded(tmp_path))
    found = unprofiled(recorded(tmp_path, request(200_000, 2_200_000)))
    assert without - found == pytest.approx(2 * MS, abs=2_500)  # the interval had other overhead, too


@pytest.mark.parametrize(
    "event",
    [
        request(200_000, 2_200_000, "Command Buffer Full"),  # the program waits for the GPU there
        request(50_000, 2_200_000),  # not within a call
        request(3 * MS, 5 * MS),  # outside the steps
        request(100_000, 100_000),
    ],
)
def test_what_holds_no_call_up_is_not_taken_away(tmp_path: Path, event: Events) -> None:
    assert unprofiled(recorded(tmp_path, event)) == unprofiled(recorded(tmp_path))


def test_a_step_held_up_is_shortened_once(tmp_path: Path) -> None:
    """A step that took longer than the others counts as they do."""

    def steps(*held: int) -> Profile:
        events: list[Events] = []
        for number in range(5):
            at = number * 10 * MS + 2 * MS * sum(one < number for one in held)
            more = 2 * MS if number in held else 0
            events += [
                step(number, at, at + MS + more),
                operator("aten::mm", at + 100_000, at + 500_000 + more),
                call(at + 300_000 + more, at + 320_000 + more, number + 1),
                kernel("gemm", at + 330_000 + more, at + 400_000 + more, number + 1),
            ]
            events += [request(at + 150_000, at + 150_000 + more)] if more else []
        return opened(tmp_path, *events).profile

    assert unprofiled(steps(2)) == pytest.approx(unprofiled(steps()), rel=0.02)
