"""The file by which a running process is seen: what it says, when it is written, and that it goes when the job ends."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorded_jobs import run_fake
from stepscope.capture.agent import live
from stepscope.capture.agent.live import KEPT, PACE, Live, Pace

SEEN = """
import glob, json
seen = []

def look(step):
    for file in glob.glob(os.path.dirname(__file__) + "/out/processes/*.live"):
        seen.append(json.load(open(file)))

def show():
    print(json.dumps(seen))
"""


def looked(
    folder: Path, program: str, variables: dict[str, str] | None = None, code: int = 0, **plan: Any
) -> list[dict[str, Any]]:
    """What stood in the file at each step of a program, and that it was gone behind it."""
    job = run_fake(folder, SEEN + program, variables, **plan)
    assert (job.code, job.err, list(job.folder.glob("processes/*.live*"))) == (code, "", [])
    found: list[dict[str, Any]] = json.loads(job.out)
    return found


@pytest.mark.long
def test_a_process_says_what_it_runs_and_where_it_is(tmp_path: Path) -> None:
    seen = looked(tmp_path, "train(120, at=look); show()", {"RANK": "1", "WORLD_SIZE": "2"}, when=["steps", 4, 6])
    last = seen[-1]
    assert (last["rank"], last["world_size"], last["on_demand"]) == (1, 2, False)
    assert os.path.basename(last["argv"][0]) == "job.py"
    assert last["versions"] == {"stepscope": "1.2.3", "torch": "0.fake", "python": last["versions"]["python"]}
    assert last["options"]["plan"] == {"kind": "steps", "first": 4, "last": 6, "every": 0}
    assert last["began_ns"] <= last["written_ns"]


@pytest.mark.long
def test_it_waits_records_measures_and_is_done(tmp_path: Path) -> None:
    seen = looked(tmp_path, "train(120, at=look); show()", when=["steps", 4, 6])
    states = [one["state"] for one in seen]
    changes = [states[0], *(after for before, after in pairwise(states) if before != after)]
    assert changes == ["waiting", "recording", "measuring", "done"]
    assert [seen[states.index(state)]["steps"] for state in changes] == [1, 2, 7, seen[states.index("done")]["steps"]]
    assert seen[0]["next"] == [4, 6]
    assert seen[states.index("recording")]["recording"] == [4, 6]
    (window,) = seen[-1]["windows"]
    assert (window["first_step"], window["last_step"], window["closed"]) == (4, 6, "end")
    assert window["slowdown"] > 0
    assert window["file"].endswith(".pt.trace.json.gz")


def test_a_job_on_demand_says_that_it_can_be_asked(tmp_path: Path) -> None:
    program = """
def at(step):
    if step == 5:
        os.kill(os.getpid(), signal.SIGUSR2)
    look(step)
train(120, at=at)
show()
"""
    seen = looked(tmp_path, program, {"TMPDIR": str(tmp_path)}, when=["demand"])
    assert {one["on_demand"] for one in seen} == {True}
    assert seen[0]["windows"] == []
    (window,) = seen[-1]["windows"]
    assert window["last_step"] - window["first_step"] == 5
    assert seen[-1]["state"] == "waiting"


def test_a_program_that_profiles_itself_is_no_longer_watched(tmp_path: Path) -> None:
    program = """
def at(step):
    if step == 5:
        own = torch.autograd.profiler.profile()
        own.__enter__()
        own.__exit__(None, None, None)
    look(step)
train(at=at)
show()
"""
    seen = looked(tmp_path, program, when=["steps", 30, 32])
    assert seen[-1]["state"] == "foreign"
    (tmp_path / "asked").mkdir()
    seen = looked(tmp_path / "asked", program, {"TMPDIR": str(tmp_path)}, when=["demand"])
    assert (seen[0]["on_demand"], seen[-1]["on_demand"]) == (True, False)


def test_what_a_killed_process_leaves_its_launcher_removes(tmp_path: Path) -> None:
    kill = "train(at=lambda step: step == 9 and (look(step), show(), sys.stdout.flush(), os.kill(os.getpid(), 9)))"
    assert looked(tmp_path, kill, code=137, when=["steps", 30, 32])[-1]["state"] == "waiting"


def test_a_launcher_removes_nothing_of_others(tmp_path: Path) -> None:
    program = """
def at(step):
    look(step)
    if step == 9:
        said = seen[-1]
        with open("/proc/%d/stat" % os.getppid()) as file:
            started = file.read().rpartition(")")[2].split()[19]
        for name, host in (("running", said["host"]), ("far", "far")):
            text = json.dumps({**said, "pid": os.getppid(), "host": host, "started": started})
            open(os.path.dirname(__file__) + "/out/processes/" + name + ".live", "w").write(text)

train(at=at)
"""
    job = run_fake(tmp_path, SEEN + program, when=["steps", 30, 32])
    assert {path.name for path in job.folder.glob("processes/*.live")} >= {"running.live", "far.live"}


def test_children_that_take_no_steps_are_not_seen(tmp_path: Path) -> None:
    program = """
def at(step):
    if step == 5 and os.fork() == 0:
        sys.exit(0)
    look(step)
train(at=at)
os.wait()
show()
"""
    seen = looked(tmp_path, program, when=["steps", 4, 6])
    assert len({one["pid"] for one in seen}) == 1


@given(st.lists(st.integers(1, 1000), max_size=3 * PACE))
def test_pace(times: list[int]) -> None:
    pace = Pace()
    for time in times:
        pace.add(time)
    sums = [sum(times[end - PACE : end]) for end in range(PACE, len(times) + 1)]
    expected = (sums[-1] // PACE, min(sums) // PACE) if sums else (None, None)
    assert (pace.facts()["last_ns"], pace.facts()["best_ns"]) == expected


class Clock:
    """A clock that is set."""

    now = 0

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def step(
    one: Live, clock: Clock, ns: int, is_disturbed: bool = False, state: str = live.WAITING, is_recorded: bool = False
) -> None:
    clock.now += ns
    one.step_begins()
    one.step_begun(state, is_disturbed, is_recorded)


def written(folder: Path) -> dict[str, Any]:
    (file,) = folder.glob("processes/*")
    said: dict[str, Any] = json.loads(file.read_text())
    return said


def test_it_is_written_once_a_second_and_when_the_state_changes(tmp_path: Path, clock: Clock) -> None:
    one = Live(str(tmp_path), dict, clock)
    lengths = []
    for at in range(25):
        step(one, clock, 10**8, state=live.RECORDING if at == 12 else live.WAITING)
        lengths.append(len(written(tmp_path)["step_ns"]))
    assert lengths == [0] * 10 + [10, 10, 12] + [13] * 10 + [23, 23]


def test_nothing_is_written_while_a_profiler_would_record_it(tmp_path: Path, clock: Clock) -> None:
    """A thousand events of it were counted as the job's, and made the window shorter."""
    one = Live(str(tmp_path), dict, clock)
    step(one, clock, 10**9)
    one.say(live.RECORDING)
    for _ in range(30):
        step(one, clock, 10**9, state=live.RECORDING, is_recorded=True)
    assert (written(tmp_path)["state"], written(tmp_path)["step_ns"]) == ("recording", [])
    step(one, clock, 10**9, state=live.MEASURING)
    assert len(written(tmp_path)["step_ns"]) == 31


def test_a_slow_disk_is_written_to_less_often(tmp_path: Path, clock: Clock) -> None:
    def said() -> dict[str, Any]:
        clock.now += 10**8  # it takes 0.1 s
        return {}

    one = Live(str(tmp_path), said, clock)
    lengths = []
    for _ in range(60):
        step(one, clock, 10**9)
        lengths.append(len(written(tmp_path)["step_ns"]))
    assert set(lengths) == {0, 20, 40}


def test_steps_that_a_recording_disturbs_are_shown_and_have_no_pace(tmp_path: Path, clock: Clock) -> None:
    one = Live(str(tmp_path), dict, clock)
    for at in range(KEPT + 100):
        disturbs = at % 10 == 0
        step(one, clock, 900 if at % 10 == 1 else 100, disturbs)
    step(one, clock, 100, state=live.DONE)
    found = written(tmp_path)
    assert len(found["step_ns"]) == KEPT
    assert found["pace"] == {"last_ns": 100, "best_ns": 100}


def test_a_folder_that_went_does_not_end_the_job(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "processes").write_text("a file")
    one = Live(str(tmp_path), dict, clock)
    step(one, clock, 1)
    one.ended()
