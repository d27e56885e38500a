"""Verdict, critical path, simulation, idle time and findings of one rank do not contradict one another."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from coherence import contradictions
from stepscope.errors import StepscopeError

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
FOLDERS = ["cpu", "h200/pairs", "h200/pairs_light", "h200/pairs_more", "h200/diverse", "h200/train", "public"]


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.iterdir() if path.suffix != ".md"))
def test_an_example_is_told_the_same_everywhere(name: str) -> None:
    profile = stepscope.open(str(EXAMPLES / name)).profile
    assert [contradictions(profile, rank) for rank in profile.ranks[:2]] == [[]] * min(2, len(profile.ranks))


@pytest.mark.real_trace
@pytest.mark.parametrize("folder", FOLDERS)
def test_recordings_are_told_the_same_everywhere(shared_data: Path, folder: str) -> None:
    found = {}
    for path in sorted((shared_data / folder).rglob("*.json*")):
        try:
            profile = stepscope.open(str(path)).profile
        except StepscopeError:
            continue  # no trace
        found[path.name] = contradictions(profile, profile.ranks[0])
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert found
