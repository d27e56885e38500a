"""What the GitHub action runs, with a command in place of stepscope that writes down how it is called."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "ci_check"
INPUTS = {"PATHS": "", "BASELINE": "", "BUDGET": "", "SAVE": "false", "INCONCLUSIVE": "fail"}

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("bash") is None, reason="the action runs in bash on Linux"
)


def checked(folder: Path, exits: int = 0, **inputs: str) -> tuple[int, list[str]]:
    """Exit code of the script, and how stepscope was called, which ends with ``exits``."""
    commands = folder / "bin"
    commands.mkdir(exist_ok=True)
    stub = commands / "stepscope"
    stub.write_text(
        f'#!/usr/bin/env bash\necho "$*" >>calls\nfor last; do :; done\n[ "${{last%.md}}" = "$last" ] || : >"$last"\n'
        f'[ "$1" = check ] && exit {exits}\nexit 0\n'
    )
    stub.chmod(0o755)
    environment = os.environ | INPUTS | inputs | {"PATH": f"{commands}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([str(SCRIPT)], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    calls = folder / "calls"
    return done.returncode, calls.read_text().splitlines() if calls.exists() else []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("one.json", "two.json", "base.json"):
        (tmp_path / name).touch()
    return tmp_path


def test_globs_are_checked_against_a_baseline(folder: Path) -> None:
    code, calls = checked(folder, PATHS="one.json t*.json", BASELINE="base.json")
    asked = "check one.json two.json --baseline base.json"
    assert (code, calls) == (0, [asked, f"{asked} -o stepscope.md", f"{asked} -o stepscope.xml"])


@pytest.mark.parametrize(
    ("exits", "inconclusive", "code"), [(1, "fail", 1), (2, "fail", 2), (3, "fail", 3), (3, "pass", 0)]
)
def test_the_job_fails_as_asked(folder: Path, exits: int, inconclusive: str, code: int) -> None:
    assert checked(folder, exits, PATHS="one.json", BASELINE="base.json", INCONCLUSIVE=inconclusive)[0] == code


def test_the_first_run_saves_the_baseline(folder: Path) -> None:
    code, calls = checked(folder, PATHS="one.json", BASELINE="main", SAVE="true")
    assert (code, calls) == (0, ["baseline save main one.json"])


def test_a_regression_is_not_saved(folder: Path) -> None:
    _, calls = checked(folder, 1, PATHS="one.json", BASELINE="base.json", SAVE="true")
    assert not [call for call in calls if call.startswith("baseline")]


@pytest.mark.parametrize(
    "inputs", [{"PATHS": "none*.json", "BASELINE": "main"}, {"PATHS": "one.json"}, {"BUDGET": "b.toml"}]
)
def test_a_job_that_checks_nothing_is_no_success(folder: Path, inputs: dict[str, str]) -> None:
    """A path that matched nothing passed as long as the baseline was not there yet."""
    assert checked(folder, **inputs) == (2, [])
