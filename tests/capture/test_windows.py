"""Which steps are recorded, with what, and what is measured around them."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest

from recorded_jobs import read_trace, run_fake, steps_of
from stepscope.capture.agent.identity import gpus
from stepscope.capture.agent.windows import asked_now, planned
from stepscope.capture.plan import PRESETS, OnDemand, Plan, Steps


def windows(plan: Plan, most: int = 10) -> list[tuple[int, int, int, str]]:
    return [(one.start, one.first, one.last, one.kind) for one in islice(planned(plan.config("")), most)]


def test_two_steps_before_a_window_the_profiler_starts() -> None:
    assert windows(Plan("out", Steps(1, 1))) == [(1, 1, 1, "full")]
    assert windows(Plan("out", Steps(2, 4))) == [(1, 2, 4, "full")]
    assert windows(Plan("out", Steps(7, 9))) == [(5, 7, 9, "full")]


def test_presets() -> None:
    assert [windows(Plan("out", PRESETS[name]), 2) for name in ("early", "steady", "periodic")] == [
        [(1, 3, 5, "full")],
        [(21, 23, 28, "full")],
        [(11, 13, 15, "full"), (1011, 1013, 1015, "full")],
    ]


def test_the_deep_window_of_two_passes_follows_the_light_one() -> None:
    plan = Plan("out", Steps(23, 28), two_pass=True)
    assert windows(plan) == [(21, 23, 28, "light"), (36, 38, 40, "deep")]
    assert plan.steps_needed == 41
    assert [one.records for one in planned(plan.config(""))] == [[], ["shapes", "stack"]]


def test_a_request_is_answered_from_the_next_step_on() -> None:
    (window,) = asked_now(100, Plan("out", OnDemand()).config(""))
    assert (window.start, window.first, window.last) == (100, 102, 107)


def test_recorded_steps_are_those_that_were_asked_for(tmp_path: Path) -> None:
    job = run_fake(tmp_path, "train()", when=["steps", 4, 6])
    assert (job.code, job.out, job.err, job.leftovers) == (0, "", "", [])
    assert steps_of(job.trace) == [4, 5, 6]
    said = job.trace["stepscopeRecording"]
    assert {name: said[name] for name in ("program", "with", "kind", "closed", "first_step", "last_step")} == {
        "program": "job.py",
        "with": "shapes stack",
        "kind": "full",
        "closed": "end",
        "first_step": 4,
        "last_step": 6,
    }
    assert said["stepscope_version"] == "1.2.3"
    assert (said["activities"], said["gpus"], said["cores"]) == ("CPU", gpus(), len(os.sched_getaffinity(0)))
    assert said["torch_version"] == "0.fake"


def test_steps_are_measured_before_and_after_and_not_within(tmp_path: Path) -> None:
    """Of 40 steps 0 to 2 are left out, and the first behind the window, in which the profiler is stopped."""
    job = run_fake(tmp_path, "train(at=lambda step: time.sleep(0.005))", when=["steps", 12, 14])
    window = job.window
    assert len(window["before_ns"]) == 7  # steps 3 to 9; 10 counts events and 11 warms up
    assert 15 <= len(window["after_ns"]) <= 20
    assert all(time >= 5_000_000 for time in window["before_ns"] + window["after_ns"])
    assert job.trace["stepscopeStepTimes"] == {"unprofiled_ns": window["before_ns"] + window["after_ns"]}
    assert len(window["recorded_ns"]) == 3


def test_what_the_profiler_cost_stands_in_the_recording(tmp_path: Path) -> None:
    job = run_fake(tmp_path, "train(at=lambda step: time.sleep(0.001))", when=["steps", 12, 14])
    said, window = job.trace["stepscopeRecording"], job.window
    times = sorted(window["before_ns"] + window["after_ns"])
    middle = len(times) // 2
    unprofiled = round((times[middle] + times[~middle]) / 2)
    recorded = sorted(window["recorded_ns"])[1]
    assert (said["recorded_ns"], said["stop_ns"]) == (recorded, window["stop_ns"])
    assert said["slowdown"] == round(recorded / unprofiled, 3)


@pytest.mark.parametrize(
    ("records", "asked", "budget"),
    [((), None, 1_500_000), (("shapes",), None, 600_000), (("stack",), None, 600_000), (("stack",), 0, 0)],
)
def test_the_budget_is_what_2_gb_hold(records: tuple[str, ...], asked: int | None, budget: int) -> None:
    """Two million events with shapes and stacks would have taken 6 GB of the job's memory."""
    assert Plan("out", records=records, events=asked).config("")["budget"] == budget


@pytest.mark.parametrize(("events", "last", "closed"), [(10, 13, "budget"), (1000, 15, "end"), (0, 15, "end")])
@pytest.mark.parametrize("records", [[], ["stack"]], ids=["none", "stack"])
def test_a_budget_of_events_ends_a_window_early(
    tmp_path: Path, events: int, last: int, closed: str, records: list[str]
) -> None:
    """A step of these programs has 4 events, with and without stacks."""
    job = run_fake(tmp_path, "train()", when=["steps", 12, 15], events=events, records=records)
    assert (job.window["closed"], job.window["last_step"]) == (closed, last)
    assert job.window["events_per_step"] == (4 if events else None)
    assert ".partial." not in job.files[0].name


@pytest.mark.long
def test_a_plan_that_repeats_writes_a_file_for_each_window(tmp_path: Path) -> None:
    job = run_fake(tmp_path, "train()", when=["steps", 5, 6, 15])
    assert [steps_of(read_trace(file)) for file in job.files] == [[5, 6], [20, 21], [35, 36]]


def test_two_passes_are_two_files(tmp_path: Path) -> None:
    job = run_fake(tmp_path, "train()", when=["steps", 5, 8], two_pass=True)
    assert [one["kind"] for one in job.process["windows"]] == ["light", "deep"]
    assert [steps_of(read_trace(file)) for file in job.files] == [[5, 6, 7, 8], [18, 19, 20]]


@pytest.mark.long
def test_batches_before_training_are_not_recorded(tmp_path: Path) -> None:
    """A program that makes a list of its loader first was recorded while it did."""
    job = run_fake(
        tmp_path,
        """
        for _ in list(Loader(range(30))):
            torch.autograd.backward()
            if not torch._hooks.setdefault("made", []):
                torch._hooks["made"].append(torch.optim.SGD())
            torch._hooks["made"][0].step()
        """,
        when=["steps", 5, 8],
    )
    names = [event["name"] for event in job.trace["traceEvents"]]
    assert (names.count("Optimizer.step#SGD.step"), names.count("enumerate(DataLoader)")) == (4, 0)
    assert job.process["steps_are"] == "optimizer"


@pytest.mark.long
def test_only_the_ranks_that_were_asked_for(tmp_path: Path) -> None:
    job = run_fake(
        tmp_path,
        """
        if "RANK" not in os.environ:
            for rank in "012":
                os.spawnve(os.P_WAIT, sys.executable, [sys.executable, __file__], {**os.environ, "RANK": rank})
        else:
            train()
        """,
        when=["steps", 3, 5],
        ranks=[0, 2],
    )
    assert [one["rank"] for one in job.processes] == [0, 2]
    assert sorted(file.name.split("_rank")[1].split(".")[0] for file in job.files) == ["0", "2"]


@pytest.mark.parametrize("name", ["RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"])
def test_a_rank_is_what_the_environment_says(tmp_path: Path, name: str) -> None:
    job = run_fake(tmp_path, "train()", {name: "3"}, when=["steps", 3, 5])
    assert job.process["rank"] == 3
    assert "_rank3." in job.files[0].name


def test_a_time_without_steps(tmp_path: Path) -> None:
    job = run_fake(tmp_path, "time.sleep(0.4)", when=["seconds", 0.05, 0.1])
    assert (job.code, job.err) == (0, "")
    assert [(one["kind"], one["closed"]) for one in job.process["windows"]] == [("time", "end")]
    assert (job.trace["record_shapes"], job.trace["with_stack"]) == (1, 1)


def test_a_time_in_a_loop_begins_and_ends_with_steps(tmp_path: Path) -> None:
    job = run_fake(tmp_path, "train(100, at=lambda step: time.sleep(0.005))", when=["seconds", 0.1, 0.1])
    window = job.window
    assert (window["kind"], window["closed"]) == ("full", "end")
    assert steps_of(job.trace) == list(range(window["first_step"], window["last_step"] + 1))
    assert sum(window["recorded_ns"]) >= 100_000_000


def test_a_request_records_the_next_steps(tmp_path: Path) -> None:
    job = run_fake(
        tmp_path,
        "train(at=lambda step: os.kill(os.getpid(), signal.SIGUSR2) if step == 9 else None)",
        {"TMPDIR": str(tmp_path)},
        when=["demand"],
    )
    assert job.code == 0
    assert steps_of(job.trace) == [12, 13, 14, 15, 16, 17]
    (folder,) = tmp_path.glob("stepscope-*")
    assert list(folder.iterdir()) == []


SCRIPT_LOOP = """
while not hasattr(turn, '__wrapped__'):
    time.sleep(0.001)
for _ in range(20):
    turn(None)
"""
SCRIPT = f"def turn(_): pass\n{SCRIPT_LOOP}"
"""Defines its function after it has imported torch, so that it is looked for meanwhile."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("step_on", "program"),
    [
        ("forward", "model = torch.nn.modules.module.Module()\nfor _ in range(20):\n    model()"),
        ("forward:Module", "model = torch.nn.modules.module.Module()\nfor _ in range(20):\n    model()"),
        (
            "range:turn",
            "for _ in range(20):\n    with torch.autograd.profiler.record_function('turn'):\n        pass",
        ),
        ("call:colorsys:rgb_to_hls", "import colorsys\nfor _ in range(20):\n    colorsys.rgb_to_hls(1, 0, 0)"),
        (
            "call:fractions:Fraction.limit_denominator",
            "import fractions\nfor _ in range(20):\n    fractions.Fraction(1).limit_denominator()",
        ),
        ("call:__main__:turn", SCRIPT),
        ("call:job:turn", SCRIPT),
        (
            "call:__main__:Turns.one",
            f"class Turns:\n    def one(self): pass\n{SCRIPT_LOOP.replace('turn', 'Turns.one')}",
        ),
        ("data", "train(20)"),
    ],
)
def test_what_ends_a_step_can_be_asked_for(tmp_path: Path, step_on: str, program: str) -> None:
    job = run_fake(tmp_path, program, when=["steps", 5, 7], step_on=step_on)
    assert (job.code, job.err) == (0, "")
    assert job.process["problems"] == []
    assert (job.process["steps"], steps_of(job.trace)) == (20, [5, 6, 7])
