"""``--repeat``: when it ends, and that what it records is what is checked."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from checking.made_runs import made
from command_line import Run
from stepscope.checking.outcome import BUDGET, FINE, NS, REGRESSED, STEP, UNKNOWN, Check, Verdict
from stepscope.checking.repeating import decided
from stepscope.messages import Message


def verdict(outcome: str, kind: str = STEP, refused: bool = False) -> Verdict:
    one = Check(kind, "x", "x", NS, 1.0, 1.0, 1.0, outcome, Message("gate-budget-kept"))
    return Verdict((one,), ("a",), 5.0, 10.0, refused=refused)


@pytest.mark.parametrize(
    ("outcomes", "count", "why"),
    [
        ([FINE, FINE, FINE], 3, "agreed"),
        ([REGRESSED, REGRESSED, FINE, REGRESSED, REGRESSED], 5, "agreed"),
        ([UNKNOWN, UNKNOWN, UNKNOWN, FINE, FINE], 5, "agreed"),
        ([UNKNOWN] * 10, 10, "ended"),
    ],
)
def test_two_looks_have_to_agree(outcomes: list[str], count: int, why: str) -> None:
    seen = 0

    def looks() -> Iterator[Verdict]:
        nonlocal seen
        for outcome in outcomes:
            seen += 1
            yield verdict(outcome)

    assert decided(looks())[1] == why
    assert seen == count


@pytest.mark.parametrize("found", [verdict(FINE, refused=True), verdict(UNKNOWN, BUDGET)])
def test_what_no_recording_would_tell_ends_it(found: Verdict) -> None:
    assert decided(iter([found])) == (found, "hopeless")


@pytest.mark.long
def test_recordings_are_made_until_it_is_decided(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = []

    def recorded(command: list[str], check: bool) -> SimpleNamespace:
        commands.append(command[command.index("record") :])
        folder = Path(command[command.index("--out") + 1])
        folder.mkdir(parents=True)
        made(folder / "trace.json")
        return SimpleNamespace(returncode=0)

    base, out = made(tmp_path / "base.json"), tmp_path / "out"
    monkeypatch.setattr(subprocess, "run", recorded)
    asked = (
        "check",
        "--baseline",
        base,
        "--repeat",
        "auto",
        "--out",
        str(out),
        "--",
        "--steps",
        "2:5",
        "python",
        "x.py",
    )
    outcome = run(*asked)
    assert outcome.code == 0, outcome.err
    assert outcome.err == f"stepscope: decided after 3 recordings, in {out}: two checks in a row agree\n"
    assert commands[2] == ["record", "--no-report", "--out", str(out / "003"), "--steps", "2:5", "python", "x.py"]


def test_a_command_that_fails_is_an_error(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=7))
    asked = (
        "check",
        "--baseline",
        made(tmp_path / "b.json"),
        "--repeat",
        "2",
        "--out",
        str(tmp_path / "o"),
        "--",
        "job",
    )
    outcome = run(*asked)
    assert outcome.code == 2
    assert outcome.err == (
        "stepscope: cannot record job: it ended with exit code 7. Make it run with stepscope record first.\n"
    )
