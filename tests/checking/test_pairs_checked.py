"""Recorded pairs with a planted cause and recordings of one program: what a gate lets pass and what it stops."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from comparing.test_pairs import CAUSES, ONE_PROGRAM
from stepscope.checking.checked import Asked, checked
from stepscope.checking.outcome import REGRESSED, UNKNOWN, Verdict
from stepscope.store.opening import open_profile
from stepscope.store.profile import Profile

pytestmark = [pytest.mark.real_trace, pytest.mark.long]


def opened(path: str) -> Profile:
    return open_profile([path])


def verdict(shared_data: Path, base: str, new: str) -> Verdict:
    paths = [str(shared_data / "h200" / f"{name}.pt.trace.json.gz") for name in (base, new)]
    return checked([opened(paths[1])], Asked(paths[:1], "", []), opened)


def test_recordings_of_one_program_do_not_regress(shared_data: Path) -> None:
    names = [f"{name}.mended" for name in ONE_PROGRAM]
    assert [pair for pair in permutations(names, 2) if verdict(shared_data, *pair).outcome == REGRESSED] == []


UNCLEAR = {"pairs_more/python_overhead"}
"""With one recording a side the noise of the host is as large as the cause."""


@pytest.mark.parametrize("name", CAUSES)
def test_a_planted_cause_is_a_regression(shared_data: Path, name: str) -> None:
    outcome = verdict(shared_data, f"{name}.mended", f"{name}.slow").outcome
    assert outcome == (UNKNOWN if name in UNCLEAR else REGRESSED)
