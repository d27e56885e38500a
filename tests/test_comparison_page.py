"""docs/comparison.md says what the tables and the other tools' outputs say, and its reasons hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from peer_page import recomputed_hta
from peer_page.notes import NOTES
from peer_page.page import LONGEST_REASON, NOTE, PAGE, QUESTIONS, Row, page, rows_of
from peer_page.question import Figure, is_same, text_of
from peer_page.recordings import Raised, Recording, recordings

pytestmark = pytest.mark.real_trace

FIGURES = {f"{question.title} {figure.title}": figure for question in QUESTIONS for figure in question.figures}


@pytest.fixture(scope="module")
def opened(shared_data: Path) -> list[Recording]:
    return list(recordings(shared_data))


@pytest.fixture(scope="module")
def rows(opened: list[Recording]) -> list[Row]:
    return [row for figure in FIGURES.values() for row in rows_of(figure, opened)]


def test_page_is_what_tables_and_outputs_say(opened: list[Recording]) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(opened), "run scripts/update_comparison and read the difference"


def test_whatever_differs_has_a_short_reason(rows: list[Row]) -> None:
    for row in rows:
        if row.differs:
            text = NOTE.sub("", row.reason).strip()
            assert 0 < len(text) <= LONGEST_REASON, (row.figure.title, row.recording.source.key, text)


def test_no_reason_is_left_behind(rows: list[Row]) -> None:
    """A reason or a note that the page does not show would be of another time."""
    shown = {row.reason for row in rows if row.differs}
    assert {text for figure in FIGURES.values() for text in figure.why.values()} <= shown
    assert {name for reason in shown for name in NOTE.findall(reason)} == NOTES.keys()


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_the_other_tools_figures_follow_from_the_reasons(opened: list[Recording], figure: Figure) -> None:
    """Each is computed from the JSON, reading it as the page says that the tool does."""
    for row in rows_of(figure, opened):
        if row.recording.source.key in figure.unproved:
            continue
        path = row.recording.path
        again = {}
        if figure.hta and figure.hta_again:
            again["hta"] = figure.hta_again(path)
        if figure.plugin and figure.plugin_again:
            again["plugin"] = figure.plugin_again(path, False)
            if figure.patched:
                again["patched"] = figure.plugin_again(path, True)
        for tool, value in again.items():
            other = row.others[tool]
            if not isinstance(other, Raised):
                assert is_same(other, value, figure.unit), (row.recording.source.key, tool, text_of(value, figure.unit))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["V100", "A100-8", "A100-2"])
def test_without_its_two_habits_hta_would_say_what_stepscope_says(opened: list[Recording], key: str) -> None:
    """The last step kept, times as recorded; times in floating point, so to 0.1 us."""
    [recording] = [one for one in opened if one.source.key == key]
    split = recomputed_hta.time_split(recomputed_hta.load(recording.path, rounded=False, last_step=True))
    summary = recording.row("summary")
    assert {part: round(1000 * time) for part, time in split.items()} == {
        part: pytest.approx(summary[f"{part}_ns"], abs=150) for part in split
    }


@pytest.mark.slow
def test_rounding_makes_fills_negative_and_busy_shorter_than_computing(opened: list[Recording]) -> None:
    """Why `get_temporal_breakdown` stops on the H100 recording."""
    [recording] = [one for one in opened if one.source.key == "H100"]
    trace = recomputed_hta.load(recording.path)
    fills = trace.of_kind("MEMORY")
    assert sum(fill.duration < 0 for fill in fills) == 22
    assert recomputed_hta.merged_as_hta(trace.gpu) == 43_964
    assert recomputed_hta.merged_as_hta(trace.of_kind("COMPUTATION")) == 43_981
