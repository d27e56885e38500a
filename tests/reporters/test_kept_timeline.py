"""The timeline of a report is packed once: kept, and read back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import kernel, launched, operator, step, write
from stepscope.reporters.html import kept_timeline
from stepscope.reporters.html.kept_timeline import made_timeline
from stepscope.reporters.html.timeline import hold_timeline
from stepscope.store.profile import Profile

ROOM = 1_000_000


def opened(folder: Path, step_number: int | None = None) -> Profile:
    events = [operator("aten::mm", 1000 * n + 10, 1000 * n + 90) for n in range(3)]
    gpu = [launched(kernel("gemm", 1000 * n + 50, 1000 * n + 800, n + 1), at=1000 * n + 20) for n in range(3)]
    steps = [step(n, 1000 * n, 1000 * n + 1000) for n in range(3)]
    path = folder / "trace.json"
    if not path.exists():
        write(path, *steps, *events, *(event for pair in gpu for event in pair))
    profile = stepscope.open(path).profile
    return profile if step_number is None else profile.select(steps=(step_number, step_number))


@pytest.fixture
def packings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The room of each timeline that was packed."""
    rooms: list[int] = []

    def counted(profile: Profile, budget: int) -> kept_timeline.HeldTimeline:
        rooms.append(budget)
        return hold_timeline(profile, budget)

    monkeypatch.setattr(kept_timeline, "hold_timeline", counted)
    return rooms


def test_a_report_written_again_packs_no_timeline(tmp_path: Path, packings: list[int]) -> None:
    """The second HTML report of 0.7 M events took 5.2 s and 770 MB."""
    first = made_timeline(opened(tmp_path), ROOM)
    again = made_timeline(opened(tmp_path), ROOM)
    assert packings == [ROOM]
    assert (again.parts, again.index, again.left_out) == (first.parts, first.index, first.left_out)
    assert first.parts
    made_timeline(opened(tmp_path), 2 * ROOM)
    assert len(packings) == 2


def test_a_damaged_one_is_packed_anew(tmp_path: Path, packings: list[int]) -> None:
    profile = opened(tmp_path)
    first = made_timeline(profile, ROOM)
    folder = profile.ranks[0].trace.folder
    for path in folder.glob("kept.result-*"):
        path.write_bytes(path.read_bytes()[:-9])
    assert made_timeline(opened(tmp_path), ROOM).parts == first.parts
    assert len(packings) == 2


def test_the_timeline_of_chosen_steps_is_not_kept(tmp_path: Path, packings: list[int]) -> None:
    for _ in range(2):
        made_timeline(opened(tmp_path, 1), ROOM)
    assert len(packings) == 2
