"""``stepscope record`` from the command line: what it says, and what it leaves to the command."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

import pytest

from command_line import Outcome, Run
from recorded_jobs import FAKE, PREAMBLE
from stepscope.capture.launcher import Done
from stepscope.capture.outcome import Outcome as Left
from stepscope.capture.outcome import Process
from stepscope.capture.plan import OnDemand, Plan, Seconds, Steps
from stepscope.commands.recorded import sentences
from stepscope.messages.rendering import render


@pytest.fixture
def record(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """``record("train()", "--preset", "early")`` records a program that uses the torch of the tests."""
    monkeypatch.setenv("PYTHONPATH", str(FAKE))
    for name in ("RANK", "SLURM_PROCID"):
        monkeypatch.delenv(name, raising=False)

    def call(program: str, *options: str) -> Outcome:
        script = tmp_path / "job.py"
        script.write_text(dedent(PREAMBLE) + dedent(program))
        return run("record", "--out", str(tmp_path / "out"), *options, "--", sys.executable, str(script))

    return call


@pytest.mark.long
def test_what_the_command_prints_and_its_exit_code_are_its_own(record, tmp_path: Path) -> None:
    done = record(
        "train(at=lambda _: time.sleep(0.003))\nprint('mine')\nsys.stderr.write('too\\n')\nsys.exit(3)",
        "--preset",
        "early",
    )
    assert (done.code, done.out) == (3, "mine\n")
    first, recorded, times, *report = done.err.splitlines()
    assert first == "too"
    assert recorded == f"stepscope: recorded steps 3 to 5 of 1 process: {tmp_path / 'out'}"
    assert times.startswith("stepscope: a step without the profiler took ")
    assert report[0].startswith(str(tmp_path / "out"))
    assert "Verdict" in report


def test_a_folder_that_cannot_be_written_is_said_before_the_job_starts(run: Run, tmp_path: Path) -> None:
    """It read as if the command could not be started."""
    (tmp_path / "file").write_text("")
    done = run("record", "--out", str(tmp_path / "file" / "out"), "--", sys.executable, "-c", "print('ran')")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"stepscope: cannot write {tmp_path / 'file' / 'out'}: Not a directory. "
        "Name a folder that can be written with --out.\n"
    )


def test_no_report_is_shown_where_none_is_wanted(record) -> None:
    done = record("train()", "--preset", "early", "--no-report")
    assert all(line.startswith("stepscope: ") for line in done.err.splitlines())


def test_only_the_launcher_of_rank_0_reports(record, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Under srun there is one for each rank, and all write to one folder."""
    monkeypatch.setenv("SLURM_PROCID", "1")
    done = record("train()", "--preset", "early")
    folder = tmp_path / "out"
    assert done.err.splitlines()[0] == f"stepscope: recorded steps 3 to 5 of rank 1: {folder}"
    assert done.err.splitlines()[-1] == (f"stepscope: the report is shown for rank 0 only: stepscope report {folder}")


def test_a_report_that_fails_is_not_the_commands_failure(record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepscope.commands.report.written_lines", lambda *_: 1 / 0)
    done = record("train()", "--preset", "early")
    assert done.code == 0
    assert "the report failed (ZeroDivisionError)" in done.err.splitlines()[-1]


def test_too_few_steps_name_what_to_do(record) -> None:
    done = record("train(12)")
    assert done.code == 0
    assert done.err.splitlines()[0] == "stepscope: nothing was recorded"
    assert "took 12 steps, 29 are needed: record earlier ones, with --preset early" in done.err


def test_in_chinese(record, tmp_path: Path) -> None:
    done = record("train(12)", "--lang", "zh")
    assert done.err.splitlines()[0] == "stepscope: 什么也没有记录到"


@pytest.mark.parametrize(
    ("command", "code", "reason"),
    [("no-such-command", 127, "No such file or directory"), ("/", 126, "Permission denied")],
)
def test_a_command_that_cannot_be_started(run: Run, tmp_path: Path, command: str, code: int, reason: str) -> None:
    """As a shell would exit, and nothing is left of the agent."""
    done = run("record", "--out", str(tmp_path / "out"), command)
    assert (done.code, done.out) == (code, "")
    assert done.err == f"stepscope: {command} could not be started: {reason}\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--steps", "1:2", "--preset", "early"], "exclude each other"),
        (["--on-demand", "--after", "3"], "exclude each other"),
        (["--after", "3"], "--after needs --duration"),
        (["--every", "100"], "--every belongs to --preset periodic"),
        (["--steps", "0:4"], "begins with 1 at the earliest"),
        (["--steps", "x"], "--steps"),
        (["--steps", "5:3"], "--steps"),
        (["--with", "shapes,colour"], "--with takes shapes, stack, memory, flops, modules and none"),
        (["--with", ""], "--with takes"),
        (["--step-on", "epoch"], "--step-on takes"),
        (["--step-on", "call:pkg.mod"], "--step-on takes"),
        (["--step-on", "range:"], "--step-on takes"),
        (["--ranks", "0-7"], "--ranks takes numbers"),
        ([], "Missing argument"),
    ],
    ids=" ".join,
)
def test_what_is_asked_for_must_make_sense(run: Run, options: list[str], said: str) -> None:
    """Told before the job is started, and the job is not."""
    command = ["sh", "-c", "echo started"] if options else []
    done = run("record", *options, *command)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_options_behind_the_command_are_its_own(run: Run, tmp_path: Path) -> None:
    done = run("record", "--out", str(tmp_path), "echo", "--steps", "--out")
    assert (done.code, done.out) == (0, "--steps --out\n")


def process(**changed: object) -> Process:
    facts: dict[str, object] = {"pid": 7, "host": "h", "rank": None, "program": "a.py", "steps": 0, "steps_are": ""}
    facts |= {"closed": "exit", "files": (), "windows": (), "problems": ()}
    return Process(**facts | changed)  # type: ignore[arg-type]


def window(**changed: object) -> dict[str, object]:
    facts: dict[str, object] = {"kind": "full", "first_step": 3, "last_step": 5, "closed": "end", "file": "f"}
    return (
        facts | {"problem": "", "memory_snapshot": "", "events_per_step": 9, "before_ns": [], "after_ns": []} | changed
    )


def said(plan: Plan, *processes: Process, **changed: object) -> list[str]:
    done = {"code": 0, "outcome": Left(processes), "pythons": 1, "too_old": 0, "errors": ()} | changed
    return [" ".join(render(one).split()) for one in sentences(plan, Done(**done))]  # type: ignore[arg-type]


PLAN = Plan("/out", Steps(3, 5))


@pytest.mark.parametrize(
    ("plan", "given", "sentence"),
    [
        (PLAN, [process(steps=2)], "took 2 steps, 6 are needed"),
        (PLAN, [process()], "no steps were found; name what ends one with --step-on"),
        (Plan("/out", OnDemand()), [process(steps=9)], "was never asked to record: stepscope attach 7 does"),
        (Plan("/out", Seconds(9, 1)), [process(steps=9)], "ended before its time had come"),
        (PLAN, [], "1 Python process ran, and in none did torch"),
        (PLAN, [process(closed="foreign")], "uses torch.profiler itself"),
        (PLAN, [process(problems=("ValueError: odd",))], "a.py (process 7): ValueError: odd"),
        (PLAN, [process(windows=(window(file=None, problem="OSError: full"),))], "could not be written: OSError: full"),
    ],
)
def test_of_what_was_not_recorded_the_reason_is_given(plan: Plan, given: list[Process], sentence: str) -> None:
    found = said(plan, *given)
    assert "nothing was recorded" in found
    assert any(sentence in one for one in found)


def test_no_python_was_reached() -> None:
    assert "python -I, -E and -S ignore PYTHONPATH" in said(PLAN, pythons=0)[1]
    assert said(PLAN, pythons=0, too_old=2)[1:] == [
        "2 Python processes are older than Python 3.8, which recording needs"
    ]


def test_what_was_recorded_of_many_ranks() -> None:
    given = [process(rank=rank, files=("f",), windows=(window(),)) for rank in range(10)]
    assert said(PLAN, *given) == ["recorded steps 3 to 5 of rank 0, 1, 2, 3, 4, 5, 6, 7 and 2 more: /out"]


def test_windows_of_different_steps_are_counted() -> None:
    several = (window(), window(first_step=9, last_step=11))
    assert said(PLAN, process(files=("f", "g"), windows=several)) == ["recorded 2 windows of 1 process: /out"]


@pytest.mark.parametrize(
    ("changed", "sentences_"),
    [
        ({"closed": "budget"}, ["the window ended early, after step 5: with 9 events a step"]),
        ({"closed": "SIGTERM"}, ["ended within the window (SIGTERM)"]),
        ({"memory_snapshot": "m.pickle"}, ["snapshot of the CUDA allocator in m.pickle"]),
        ({"before_ns": [1000, 3000, 2000]}, ["took 2.00 us before the window"]),
        ({"after_ns": [1000]}, ["took 1.00 us after the window"]),
        (
            {"before_ns": [1000], "after_ns": [1500]},
            ["took 1.00 us before the window, 1.50 us after it", "1.5 times as long as before it"],
        ),
    ],
)
def test_what_is_odd_about_a_recording(changed: dict[str, object], sentences_: list[str]) -> None:
    found = said(PLAN, process(files=("f",), windows=(window(**changed),)))[1:]
    assert len(found) == len(sentences_)
    for one, sentence in zip(found, sentences_, strict=True):
        assert sentence in one
