"""A saving that may be none is not told from the difference between two runs, unless its best figure is large."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from building import Events, call, kernel, opened, operator, step
from stepscope.analyses.simulation.estimates import Range
from stepscope.findings.examination import examine
from stepscope.findings.findings import confidence, confidence_reason, findings, severity
from stepscope.messages.rendering import render
from stepscope.store.profile import Profile

STEP = 1_000_000


def waiting(folder: Path, wait: int) -> Profile:
    """Steps of 1 ms in which the host waits for the GPU for a while with nothing to do for either."""

    def each(at: int, number: int) -> list[Events]:
        return [
            step(number, at, at + STEP),
            operator("aten::mm", at + 10_000, at + 20_000),
            call(at + 11_000, at + 15_000, number),
            kernel("k", at + 20_000, at + 100_000 + wait, number),
            call(at + 100_000, at + 105_000 + wait, number + 1, name="cudaDeviceSynchronize"),
            operator("aten::mul", at + 110_000 + wait, at + STEP - 10_000),
        ]

    return opened(folder, *(each(STEP * n, 10 * n + 1) for n in range(4))).profile


@pytest.mark.parametrize(("wait", "told"), [(38_000, "low"), (70_000, "low"), (200_000, "high")])
def test_a_saving_is_worth_it_where_its_range_holds_more_than_nothing(tmp_path: Path, wait: int, told: str) -> None:
    (row,) = findings(waiting(tmp_path, wait)).to_dicts()
    assert (row["id"], row["severity"]) == ("synchronize", told)
    assert (row["saving_low_pct"] > 0) == (told != "low")
    assert row["saving_pct"] > 3


def test_what_may_save_nothing_is_unsure(tmp_path: Path) -> None:
    profile = waiting(tmp_path, 200_000)
    found = examine(profile, profile.ranks[0])
    assert found is not None
    (one,) = found.findings
    sure = replace(one, saving_pct=Range(10.0, 20.0, 30.0))
    assert (severity(sure), confidence(sure)) == ("high", "high")
    unsure = replace(sure, saving_pct=Range(-1.0, 12.0, 18.0))
    assert (severity(unsure), confidence(unsure)) == ("high", "low")


@pytest.mark.parametrize(
    ("saving", "changes", "reason"),
    [
        (Range(-1, 30, 40), {}, "the range includes zero"),
        (Range(20, 30, 35), {"general": True}, "it may not be possible in this program"),
        (Range(10, 30, 50), {}, "the range is wider than 20 percentage points"),
        (Range(20, 30, 35), {"varies": True}, "what the fix takes instead differs from program to program"),
        (Range(20, 30, 35), {"unsure": True}, "it is unknown whether this fix applies"),
        (Range(20, 30, 35), {}, "the range spans at most 20 percentage points"),
    ],
)
def test_why_a_finding_is_so_sure(tmp_path: Path, saving: Range, changes: dict[str, bool], reason: str) -> None:
    profile = waiting(tmp_path, 300_000)
    found = examine(profile, profile.ranks[0])
    assert found is not None
    (one,) = [one for one in found.findings if one.cause.id == "synchronize"]
    changed = replace(one, cause=replace(one.cause, **changes), saving_pct=saving)  # type: ignore[arg-type]
    assert render(confidence_reason(changed)) == reason
