"""How long a step took as recorded, whichever side took longer, on steps small enough to do by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Event, call, kernel, opened, step
from stepscope.analyses.simulation.model import step_model

MS = 1_000_000


def launched(number: int, at: int, start: int, end: int) -> list[Event]:
    """A kernel and its call."""
    return [call(at, at + 10_000, number), kernel("k", start, end, number)]


def recorded(folder: Path, *events: Event) -> int:
    model = step_model(opened(folder, *events).profile.ranks[0])
    assert model is not None
    again = model.timed(model.unchanged()).period_ns() / model.steps
    assert again == pytest.approx(model.recorded_ns, rel=0.02)
    return round(model.recorded_ns)


def test_a_host_that_waits_for_nothing_takes_what_its_steps_take(tmp_path: Path) -> None:
    """Seen in six recordings of small models, up to 5 %: steps of the host differ, and the end of the first step's work
    to that of the last one's has only the later, here longer, ones."""
    events = [step(0, 0, 8 * MS), *launched(1, 7 * MS, 7 * MS + 20_000, 8 * MS)]
    events += [step(1, 8 * MS, 18 * MS), *launched(2, 17 * MS, 17 * MS + 20_000, 18 * MS)]
    assert recorded(tmp_path, *events) == 9 * MS


def test_a_gpu_that_falls_behind_takes_longer(tmp_path: Path) -> None:
    """With nothing queued before, the first step's work starts late; so the end of its work counts."""
    events = []
    for n in range(3):
        events += [
            step(n, n * MS, (n + 1) * MS),
            *launched(n + 1, n * MS + 500_000, (3 * n + 1) * MS, (3 * n + 4) * MS),
        ]
    assert recorded(tmp_path, *events) == 3 * MS


def test_work_from_before_is_where_the_gpu_s_time_begins(tmp_path: Path) -> None:
    """One step of a GPU that is behind: known from the end of the work before it."""
    events = [*launched(1, -MS, 0, 5 * MS), step(0, 0, MS), *launched(2, 500_000, 5 * MS, 12 * MS)]
    assert recorded(tmp_path, *events) == 7 * MS


def test_what_the_host_waits_for_work_from_before_is_not_the_step_s(tmp_path: Path) -> None:
    """Seen in a recording of one step of inference: 47 ms, 12 of which it waited for what was launched before."""
    events = [*launched(1, -MS, 0, 5 * MS), step(0, 0, 8 * MS)]
    events += [call(100_000, 5 * MS + 5_000, 3, name="cudaStreamSynchronize")]
    events += [*launched(2, 6 * MS, 6 * MS + 10_000, 7 * MS)]
    assert recorded(tmp_path, *events) == 8 * MS - (4 * MS + 905_000)


def test_a_single_step_with_an_idle_gpu_before_takes_what_the_host_takes(tmp_path: Path) -> None:
    events = [*launched(1, -MS, 0, 100_000), step(0, 0, 8 * MS), *launched(2, 500_000, 600_000, 4 * MS)]
    assert recorded(tmp_path, *events) == 8 * MS


def test_a_single_step_takes_as_long_as_the_gpu_works_on_it(tmp_path: Path) -> None:
    """Of a trace of one step 112 ms were given as recorded, and 128 ms without the profiler."""
    events = [step(0, 0, 8 * MS), *launched(1, MS, MS + 10_000, 5 * MS), *launched(2, 2 * MS, 5 * MS, 12 * MS)]
    assert recorded(tmp_path, *events) == 11 * MS - 10_000
