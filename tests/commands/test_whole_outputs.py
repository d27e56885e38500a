"""Whole outputs on the example traces, read by a person whenever they change."""

from __future__ import annotations

import pytest

from command_line import Run
from expected_outputs import COMMANDS, FOLDER


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_output_is_as_expected(run: Run, name: str) -> None:
    outcome = run(*COMMANDS[name])
    assert outcome.out == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "report_markdown"])
def test_lines_fit_100_columns(name: str) -> None:
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 100] == []
