"""How the process ends: at once, and with everything written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = str(Path(__file__).resolve().parents[2] / "src")


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": SOURCE, "LC_ALL": "C.UTF-8"},
        check=False,
    )


def test_what_is_to_run_at_the_end_runs_and_all_is_written() -> None:
    said = run(
        "import atexit; atexit.register(print, 'last'); print('first'); "
        "from stepscope.commands.ending import end_now; end_now(3)"
    )
    assert (said.returncode, said.stdout, said.stderr) == (3, "first\nlast\n", "")


def test_nobody_waits_for_threads() -> None:
    said = run(
        "import threading; threading.Thread(target=threading.Event().wait).start(); "
        "from stepscope.commands.ending import end_now; end_now(0)"
    )
    assert said.returncode == 0


@pytest.mark.long
def test_a_command_has_the_exit_code_of_main() -> None:
    start = "from stepscope.commands import command_line; command_line()"
    assert run(start, "--version").returncode == 0
    wrong = run(start, "report", "nowhere.json")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("stepscope: cannot open nowhere.json")
