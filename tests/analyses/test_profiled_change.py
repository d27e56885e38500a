"""What-if from a kernel report: the trace's kernels of a profiled function, grid and block, as fast as they may be."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from kernel_cases import write_beside_trace
from stepscope.analyses.simulation.changes import parse_change
from stepscope.api import OpenProfile
from stepscope.errors import BadRequest
from stepscope.findings.what_if import what_if
from stepscope.findings.what_if_options import offers


def opened(folder: Path) -> OpenProfile:
    write_beside_trace(folder)
    return stepscope.open(folder)


def test_only_the_profiled_grid_becomes_shorter_by_its_bound(tmp_path: Path) -> None:
    """75 % of 400 us."""
    (answer,) = what_if(opened(tmp_path).profile, [parse_change("kernel-report:load")])
    (alone,) = answer.alone
    assert alone.affected[0]["gpu_ns"] == 400_000
    saved = float(answer.edit.activities.duration.sum())
    assert saved == pytest.approx(3 * (100_000 + 400_000 + 100_000), rel=0.01)


def test_kernels_with_something_to_remove_are_offered(tmp_path: Path) -> None:
    profile = opened(tmp_path)
    assert profile.show("kernel_reports")["what_if"].to_list() == ["kernel-report:load", None]
    found = offers(profile.profile)
    assert [(one.name, one.gpu_ns) for one in found.named if one.kind == "kernel-report"] == [("load", 400_000)]


@pytest.mark.parametrize("name", ["copy", "nothing"])
def test_without_a_cause_there_is_nothing_to_remove(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadRequest, match="no kernel report beside this trace has a cause to remove"):
        what_if(opened(tmp_path).profile, [parse_change(f"kernel-report:{name}")])
