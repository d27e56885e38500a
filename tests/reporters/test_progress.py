"""What is shown while files are read."""

from __future__ import annotations

from typing import Any

import pytest

from stepscope.reporters import progress
from stepscope.reporters.progress import ReadingProgress, ranks_text
from stepscope.store.options import RanksRead


class Bars:
    """Takes the place of rich's."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, int, int, str]] = []

    def add_task(self, *_: Any, **__: Any) -> int:
        return 0

    def update(self, _: int, *, description: str, completed: int, total: int, beside: str) -> None:
        self.shown.append((description, completed, total, beside))


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> Bars:
    found = Bars()
    monkeypatch.setattr(progress, "_DELAY_SECONDS", -1)
    monkeypatch.setattr(ReadingProgress, "_open", lambda _: found)
    return found


def test_one_file_shows_its_events(bars: Bars) -> None:
    ReadingProgress().update("rank0.json", 10, 100, 1234)
    assert bars.shown == [("rank0.json", 10, 100, "1,234 events")]


def test_several_files_show_one_bar_for_all(bars: Bars, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their bytes are those of the files that are over and of the one being read."""
    shown = ReadingProgress()
    monkeypatch.setattr(progress.time, "monotonic", lambda: shown._started + 6)
    shown.ranks(RanksRead(1, 0, 4, 100, 400, 100))
    shown.update("rank1.json", 20, 100, 7)
    shown.ranks(RanksRead(2, 1, 4, 200, 400, 100))
    shown.ranks(RanksRead(4, 1, 4, 400, 400, 100))
    assert bars.shown == [
        ("ranks 1/4", 100, 400, ""),
        ("rank 2 of 4", 120, 400, ""),
        ("ranks 2/4, 1 failed, about 12 s left", 200, 400, ""),
        ("ranks 4/4, 1 failed", 400, 400, ""),
    ]


def test_files_stored_before_do_not_make_the_estimate_hopeful() -> None:
    """Half of the bytes were there at once: the other half takes what its first part took."""
    told = RanksRead(done=33, failed=0, total=64, done_bytes=330, total_bytes=640, stored_bytes=320)
    assert ranks_text(told, 10.0) == "ranks 33/64, about 5 min left"
