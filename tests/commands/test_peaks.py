"""Peaks of the device as the user gives them: --peak and --peaks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from building import kernel, launched, operator, write
from command_line import Run


@pytest.fixture
def trace(tmp_path: Path) -> str:
    """A product of 2e9 bf16 operations that took 10 us, and no word of the device."""
    shapes = {"Input Dims": [[1000, 1000]] * 2, "Input type": ["c10::BFloat16"] * 2}
    return str(
        write(
            tmp_path / "trace.json",
            operator("aten::mm", 0, 10, **shapes),
            launched(kernel("nvjet_sm90", 20, 10_020, 1), 2),
        )
    )


def share(run: Run, *arguments: str) -> float | None:
    outcome = run("show", "roofline", *arguments, "--format", "json")
    assert outcome.code == 0, outcome.err
    [row] = json.loads(outcome.out)["rows"]
    found: float | None = row["pct_of_roof"]
    return found


def test_figures_one_by_one(run: Run, trace: str) -> None:
    assert share(run, trace) is None
    assert share(run, trace, "--peak", "bf16=1e15", "--peak", "memory=1e13") == pytest.approx(20)


def test_a_file_of_figures(run: Run, trace: str, tmp_path: Path) -> None:
    path = tmp_path / "peaks.json"
    path.write_text('{"bf16": 4e14, "memory": 1e13}')
    assert share(run, trace, "--peaks", str(path)) == pytest.approx(50)
    assert share(run, trace, "--peaks", str(path), "--peak", "bf16=1e15") == pytest.approx(20)


def test_the_report_takes_them_too(run: Run, trace: str) -> None:
    outcome = run("report", trace, "--peak", "bf16=1e15", "--peak", "memory=1e13")
    assert "Roofline and MFU" in outcome.out
    assert "20.0 % of the peak (bf16: 1.00 PFLOP/s)" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--peak", "bf17=1e15"], "cannot use the peak bf17: there is no such figure. Figures: fp64,"),
        (["--peak", "bf16"], "cannot read --peak bf16: it is not NAME=VALUE"),
        (["--peak", "bf16=fast"], "cannot read --peak bf16=fast: it is not NAME=VALUE"),
        (["--peak", "bf16=-1"], "cannot use the peak bf16: its value is not a positive number"),
        (["--peaks", "no_such_file.json"], "cannot read --peaks no_such_file.json: No such file"),
    ],
)
def test_wrong_figures_are_refused_in_a_line(run: Run, trace: str, arguments: list[str], words: str) -> None:
    outcome = run("show", "roofline", trace, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("text", ["[1]", "{", '{"bf16": "fast"}', '{"bf16": null}'])
def test_wrong_files_are_refused_in_a_line(run: Run, trace: str, tmp_path: Path, text: str) -> None:
    path = tmp_path / "peaks.json"
    path.write_text(text)
    outcome = run("report", trace, "--peaks", str(path))
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
