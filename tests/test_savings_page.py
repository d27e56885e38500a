"""docs/savings.md says what stepscope says of the recordings, and what was measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from savings_page import PAGE, SETS, Pair, page, pairs

pytestmark = pytest.mark.real_trace


@pytest.fixture(scope="module")
def found(shared_data: Path) -> list[Pair]:
    return [pair for of in SETS for pair in pairs(shared_data, of)]


def test_page_is_what_is_said_of_the_recordings(shared_data: Path) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(shared_data), "run scripts/update_savings and read the difference"


def test_step_times_are_near_what_was_measured(found: list[Pair]) -> None:
    """Within 10 % in the middle, within 25 % for nine of ten, four of five inside the range."""
    runs = [run for pair in found for run in (pair.slow, pair.fixed)]
    errors = np.abs([run.error_pct for run in runs])
    assert np.median(errors) <= 10
    assert np.quantile(errors, 0.9) <= 25
    assert np.mean([run.inside for run in runs]) >= 0.8


def test_savings_are_near_what_was_measured(found: list[Pair]) -> None:
    """Within 5 points in the middle, within 12 for nine of ten where the cause was seen."""
    seen = [(pair, finding) for pair in found if (finding := pair.slow.finding(pair.planted))]
    assert len(seen) >= 0.9 * len(found)
    errors = np.abs([finding.saving_pct.best - pair.truth_pct for pair, finding in seen])
    assert np.median(errors) <= 5
    assert np.quantile(errors, 0.9) <= 12


def test_the_planted_cause_is_named_first_where_it_saves_much(found: list[Pair]) -> None:
    large = [pair for pair in found if pair.truth_pct > 10]
    assert np.mean([pair.first == pair.planted for pair in large]) >= 0.85


def test_nothing_is_promised_for_what_is_fixed(found: list[Pair]) -> None:
    assert [pair.name for pair in found if pair.promised_on_fixed >= 10] == []


def test_nothing_large_is_promised_where_little_is_to_be_gained(found: list[Pair]) -> None:
    little = [pair for pair in found if pair.truth_pct < 3]
    promised = [pair.slow.finding(pair.planted) for pair in little]
    assert [one for one in promised if one and one.worth and one.saving_pct.best >= 10] == []
