"""Which ranks of a job with many are examined in detail."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.findings import detailed_ranks
from stepscope.findings.detailed_ranks import few_ranks
from stepscope.store.opening import open_profile


@pytest.mark.long
def test_the_few_ranks_have_the_steps_that_are_selected(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen in `findings` of several selections of one opened profile: the ranks kept for the first one, with its steps,
    were shown for all of them, because the result was kept by the numbers of the ranks alone."""
    monkeypatch.setattr(detailed_ranks, "MANY", 2)
    profile = open_profile(str(examples / "ddp4_straggler"))
    first, *_, last = profile.ranks[0].all_steps.ranges["step"].to_list()
    for steps in ((first, first), (last, last)):
        selected = profile.select(steps=steps)
        assert {rank.chosen for rank in few_ranks(selected).ranks} == {steps}
        assert few_ranks(selected) is few_ranks(profile.select(steps=steps))
    assert {rank.chosen for rank in few_ranks(profile).ranks} == {None}
