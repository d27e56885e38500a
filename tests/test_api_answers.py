"""What the Python front door says of a profile beside its tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import stepscope
from stepscope.errors import BadRequest

SLOW = "batch_size.slow.pt.trace.json.gz"


@pytest.fixture(scope="module")
def profile(examples: Path) -> stepscope.OpenProfile:
    return stepscope.open(examples / SLOW)


def test_it_is_found_by_completion_and_help() -> None:
    assert {"open", "OpenProfile", "StepscopeError"} <= set(dir(stepscope))
    assert "OpenProfile" in str(stepscope.__doc__)
    assert issubclass(stepscope.BadRequest, stepscope.StepscopeError)


@pytest.mark.long
def test_verdict_findings_and_report_are_those_of_the_command(profile: stepscope.OpenProfile) -> None:
    command = [sys.executable, "-m", "stepscope", "report", profile.profile.paths[0]]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert profile.report() == printed
    assert profile.verdict.splitlines()[0] in printed
    assert profile.findings["id"][0] == "small-batch"


def test_what_if_has_a_row_per_change_and_one_of_all(profile: stepscope.OpenProfile) -> None:
    found = profile.what_if("cuda-graph", "fix:small-batch")
    assert found["change"].to_list() == ["cuda-graph", "fix:small-batch", "together"]
    assert (found["after_ns"] < found["before_ns"]).all()
    assert found.filter(pl.col("saving_low_pct") > pl.col("saving_pct")).is_empty()
    with pytest.raises(BadRequest, match="nonsense"):
        profile.what_if("nonsense")


def test_columns_are_known_without_computing_the_table(profile: stepscope.OpenProfile) -> None:
    known = profile.columns("operators", "shape")
    assert set(profile.show("operators", by="shape", limit=1).columns) == set(known) - {"source"}
    with pytest.raises(BadRequest, match="Did you mean kernels"):
        profile.columns("kernls")


def test_rows_are_chosen_and_ordered(profile: stepscope.OpenProfile) -> None:
    found = profile.show("kernels", where="calls > 100", sort="-calls", limit=3)
    assert len(found) == 3
    assert found["calls"].is_sorted()
    assert found["calls"][0] > 100


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "begins"), [("r.md", "### Host-bound"), ("r.json", '{"schema_version"'), ("r.html", "<!doctype html>")]
)
def test_a_report_is_written_in_the_format_of_its_name(
    profile: stepscope.OpenProfile, tmp_path: Path, name: str, begins: str
) -> None:
    assert profile.report(tmp_path / name).lower().startswith(begins.lower())
    assert (tmp_path / name).read_text(encoding="utf-8").lower().startswith(begins.lower())


def test_a_recording_is_not_replaced(profile: stepscope.OpenProfile, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text('{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 1}]}')
    for path, found in ((trace, "recording"), (tmp_path / "report.pdf", ".pdf")):
        with pytest.raises(BadRequest, match=found):
            profile.report(path)
    assert trace.stat().st_size > 50


def test_a_notebook_shows_verdict_and_recommendations_without_markup_of_the_trace(
    profile: stepscope.OpenProfile, tmp_path: Path
) -> None:
    shown = profile._repr_html_()
    assert "Host-bound" in shown
    assert "<script" not in shown
    hostile = tmp_path / "<img src=x>.json"
    hostile.write_text('{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "<b>k", "ts": 1, "dur": 1}]}')
    assert "<img" not in stepscope.open(hostile)._repr_html_()
