"""What the list says of runs that nobody opened: who has its turn, who waits, what is kept, what cannot be read."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from building import kernel, launched, operator, step, write
from served import Client, get, opened, until
from stepscope.findings import run_summary
from stepscope.messages import Message
from stepscope.server import opening, runs, summaries, summary_process
from stepscope.server.app import make_app
from stepscope.server.summary_process import Failure, Outcome, SummaryProcess, summary_of
from stepscope.store.opening import open_profile

RECORDINGS = Path(__file__).resolve().parents[1] / "recordings"
WORK = [step(1, 0, 100), operator("aten::mm", 0, 30), launched(kernel("gemm", 20, 60, 1), 10)]


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nothing is stored, and every request looks at the folder anew."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("STEPSCOPE_CACHE", str(folder))
    monkeypatch.setattr(runs, "_RESCAN_SECONDS", 0)
    monkeypatch.setattr(runs, "_SCAN_SHARE", 0)
    monkeypatch.setattr(summaries, "_PAUSE_SECONDS", 0.001)
    return folder


class Watched:
    """Makes summaries when it is let, and notes of what."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.begun: list[str] = []
        self.go = threading.Semaphore(0)
        self.interrupted = threading.Event()

    def let(self, count: int) -> None:
        for _ in range(count):
            self.go.release()

    def summary(self, paths: tuple[str, ...]) -> Outcome | None:
        name = Path(paths[0]).name
        self.begun.append(name)
        self.go.acquire()
        if self.interrupted.is_set():
            self.interrupted.clear()
            return None
        self.made.append(name)
        return summary_of(paths)

    def interrupt(self) -> None:
        """Asked for twice before it was heeded, it is one."""
        if not self.interrupted.is_set():
            self.interrupted.set()
            self.go.release()

    def rest(self) -> None:
        """Nothing was started."""


def traces(folder: Path, names: str) -> None:
    """A trace for each letter, the first the newest."""
    for age, name in enumerate(names):
        path = write(folder / f"{name}.json", *WORK, deviceProperties=[{"id": 0, "name": "NVIDIA H200"}])
        os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))


def served(folder: Path, maker: Any = None, **options: Any) -> tuple[Client, Watched]:
    watched = maker or Watched()
    return Client(make_app(str(folder), web=folder / "none", summariser=watched, **options)), watched


def listed(client: Client, *first: str, read: bool = True) -> dict[str, dict[str, Any]]:
    answer = get(client, "runs", read=int(read), first=[f"{one}.json" for one in first])
    return {run["id"].removesuffix(".json"): run for run in answer["runs"]}


@pytest.mark.long
def test_runs_in_sight_are_read_first_and_one_at_a_time(tmp_path: Path) -> None:
    traces(tmp_path, "abcde")
    client, watched = served(tmp_path)
    listed(client, "d", "b")
    until(lambda: watched.begun == ["d.json"])
    assert listed(client, "d", "b")["d"]["state"] == "reading"
    listed(client, "e")  # one scrolled on meanwhile
    watched.let(5)
    until(lambda: all(run["summary"] for run in listed(client, "e").values()))
    assert watched.made == ["d.json", "e.json", "a.json", "b.json", "c.json"]


def test_nothing_is_read_ahead_unless_somebody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    traces(tmp_path, "ab")
    client, watched = served(tmp_path)
    watched.let(9)
    for _ in range(3):
        assert {run["state"] for run in listed(client, read=False).values()} == {"unread"}
    opened(client, "a.json")
    until(lambda: listed(client, read=False)["a"]["summary"] is not None)  # what was opened is summarised
    assert watched.made == ["a.json"]
    for _ in range(2):  # paused
        listed(client, read=False)
    monkeypatch.setattr(summaries, "_LOOKING_SECONDS", -1.0)  # they looked long ago
    listed(client)
    until(lambda: not summaries_of(client)._working)
    assert watched.made == ["a.json"]


def summaries_of(client: Client) -> summaries.Summaries:
    app: Any = client._app
    found: summaries.Summaries = app._app.state.runs.summaries
    return found


@pytest.mark.long
def test_it_waits_while_somebody_opens_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    traces(tmp_path, "ab")
    go_on, real = threading.Event(), opening.open_profile
    monkeypatch.setattr(opening, "open_profile", lambda *given: go_on.wait(60) and real(*given))
    client, watched = served(tmp_path)
    watched.let(9)
    get(client, "run", run="a.json")
    for _ in range(20):
        assert listed(client)["b"]["summary"] is None
    assert watched.begun == []
    go_on.set()
    until(lambda: all(run["summary"] for run in listed(client).values()))


def test_a_run_that_is_opened_is_not_read_twice(tmp_path: Path) -> None:
    traces(tmp_path, "a")
    client, watched = served(tmp_path)
    listed(client)
    until(lambda: watched.begun == ["a.json"])
    assert opened(client, "a.json")["state"] == "ready"
    assert watched.made == []
    watched.let(1)
    until(lambda: listed(client)["a"]["summary"] is not None)


@pytest.mark.long
def test_what_was_summarised_is_there_at_the_next_start(tmp_path: Path) -> None:
    traces(tmp_path, "ab")
    client, watched = served(tmp_path)
    watched.let(2)
    until(lambda: all(run["summary"] for run in listed(client).values()))
    first = listed(client)
    again, idle = served(tmp_path)
    assert listed(again) == first
    assert idle.begun == []


@pytest.mark.long
def test_broken_runs_say_why_and_hold_up_nobody(tmp_path: Path) -> None:
    traces(tmp_path, "abc")
    (tmp_path / "a.json").write_text('{"schemaVersion": 1, "traceEvents": []}')
    cut = (tmp_path / "b.json").read_text()
    (tmp_path / "b.json").write_text(
        cut.replace('"traceEvents": [', '"traceEvents": [{"ph": "X", "name": "cut", "ts": }, ')
    )
    client, watched = served(tmp_path)
    watched.let(9)
    until(lambda: all(run["summary"] or run["reason"] for run in listed(client).values()))
    found = listed(client)
    assert (found["a"]["state"], found["a"]["opens"]) == ("unreadable", False)
    assert "holds no events" in found["a"]["reason"]["text"]["en"]
    assert found["b"]["health"] == "warning"
    assert found["c"]["summary"]["steps"] == 1
    listed(client)
    assert len(watched.made) == 3, "what failed is not tried again and again"
    traces(tmp_path, "a")  # it was written anew
    until(lambda: listed(client)["a"]["summary"] is not None)


def test_a_report_with_pages_beside_it_has_figures(tmp_path: Path) -> None:
    """It was said to have changed while it was read: what belongs to a file is part of its version."""
    shutil.copy(RECORDINGS / "ncu_source.ncu-rep.gz", tmp_path)
    (tmp_path / "ncu_source.raw.csv").write_text("ID,Kernel Name\n")
    client, watched = served(tmp_path)
    watched.let(1)
    until(lambda: any(run["summary"] or run["reason"] for run in listed(client).values()))
    (run,) = listed(client).values()
    assert (run["summary"] is not None, run["reason"]) == (True, None)


def test_a_defect_leaves_the_run_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    traces(tmp_path, "a")

    class Failing(Watched):
        def summary(self, paths: tuple[str, ...]) -> Outcome:
            return Failure(Message("list-no-figures", reason="KeyError"), unreadable=False)

    client, _ = served(tmp_path, Failing())
    until(lambda: listed(client)["a"]["reason"] is not None)
    run = listed(client)["a"]
    assert (run["state"], run["opens"], run["reason"]["text"]["en"]) == ("unread", True, "No figures: KeyError.")
    assert opened(client, "a.json")["state"] == "ready"


@pytest.mark.long
def test_it_can_be_switched_off(tmp_path: Path) -> None:
    traces(tmp_path, "ab")
    client, watched = served(tmp_path, reads_ahead=False)
    watched.let(9)
    assert get(client, "runs", read=1)["background"] == "off"
    opened(client, "b.json")
    until(lambda: listed(client)["b"]["summary"] is not None)
    assert (watched.made, listed(client)["a"]["state"]) == (["b.json"], "unread")


@pytest.mark.parametrize("reason", ["large", "full", "not kept"])
def test_what_is_not_read_ahead_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_cache: Path, reason: str
) -> None:
    traces(tmp_path, "a")
    if reason == "large":
        monkeypatch.setattr(summaries, "MOST_BYTES", 100)
    elif reason == "full":
        open_profile(str(write(own_cache / "other.json", *WORK)))
        monkeypatch.setenv("STEPSCOPE_CACHE_LIMIT", "1000")
    else:
        monkeypatch.setenv("STEPSCOPE_CACHE", os.devnull)
    client, watched = served(tmp_path)
    watched.let(9)
    for _ in range(3):
        assert listed(client)["a"]["state"] == "unread"
    until(lambda: not summaries_of(client)._working)
    assert watched.begun == []
    assert get(client, "runs", read=1)["background"] == ("on" if reason == "large" else reason)
    said = listed(client)["a"]["reason"]
    assert (said and said["text"]["en"]) == (
        None if reason != "large" else "Larger than 1.00 GiB: it is read when it is opened."
    )


@pytest.mark.long
def test_ids_that_are_none_are_ignored_and_addresses_are_checked(tmp_path: Path) -> None:
    traces(tmp_path, "ab")
    client, watched = served(tmp_path)
    watched.let(9)
    listed(client, "../../etc/passwd", "<img src=x>", "b")
    until(lambda: all(run["summary"] for run in listed(client).values()))
    assert watched.made == ["b.json", "a.json"]
    assert get(client, "runs", 400, read="yes")["error"]
    assert get(client, "runs", 400, first=["x" * 5000])["error"]


@pytest.mark.long
def test_a_process_of_low_priority_makes_them_and_may_die(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", *WORK)
    process = SummaryProcess()
    try:
        made = process.summary((str(path),))
        assert made == summary_of((str(path),))
        (worker,) = [one for free in process._crew._free for one in (free._processes or {})]
        if hasattr(os, "getpriority"):
            assert os.getpriority(os.PRIO_PROCESS, worker) == 19
        os.kill(worker, signal.SIGKILL)
        until(lambda: isinstance(process.summary((str(path),)), dict))  # the next has a process of its own
        assert process.summary((str(tmp_path / "none.json"),)) is not None
    finally:
        process.interrupt()


def test_an_interrupted_process_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    process: Any = SummaryProcess()
    monkeypatch.setattr(summary_process, "summary_at_leisure", time.sleep)
    outcomes: list[object] = []
    thread = threading.Thread(target=lambda: outcomes.append(process.summary(600)))
    thread.start()
    until(lambda: bool(process._crew._busy))
    process.interrupt()
    thread.join(60)
    assert outcomes == [None]


@pytest.mark.long
def test_a_summary_says_what_the_pages_say(examples: Path) -> None:
    profile = open_profile(str(examples / "ddp4_straggler"))
    summary = run_summary.run_summary(profile)
    from stepscope.findings.kept_tables import made_figures, made_table, made_verdicts

    verdicts = made_verdicts(profile, lambda: made_table(profile, "utilization").frame)
    findings = made_table(profile, "findings").frame.filter(pl.col("largest"))
    assert (summary["bound"], summary["rank"], summary["ranks"], summary["examined"]) == ("straggler", 2, 4, 4)
    figures = made_figures(profile)
    assert figures is not None
    assert summary["step_ns"] == figures.step_ns
    assert summary["saving"]["saving_pct"] == findings["saving_pct"].max()
    assert summary["busy_pct"] == pytest.approx(np.mean([one.gpu_busy_pct for one in verdicts]))


@pytest.mark.parametrize(
    ("head", "options"),
    [({}, None), ({"with_stack": 0}, []), ({"with_stack": 1, "profile_memory": 1}, ["memory", "stacks"])],
)
def test_a_summary_names_the_options_that_slow_the_program(
    tmp_path: Path, head: dict[str, int], options: list[str] | None
) -> None:
    """Steps recorded with stacks and without were compared in the list as if the program had changed."""
    path = write(tmp_path / "a.json", step(1, 0, 10), operator("aten::mm", 0, 5), **head)
    assert run_summary.run_summary(open_profile(str(path)))["options"] == options


@pytest.mark.parametrize("count", [1, 7, 40, 41, 100, 3000])
def test_a_strip_holds_every_step_once(count: int) -> None:
    numbers = np.arange(3, 3 + count)
    rng = np.random.default_rng(count)
    columns = [name for part in run_summary.PARTS.values() for name in part]
    parts = {name: rng.integers(0, 1000, 2 * count) for name in columns}
    frame = pl.DataFrame(
        {
            "rank": np.repeat([0, 1], count),
            "step": np.tile(numbers, 2),
            "duration_ns": sum(parts.values()),
            "cut": np.tile(numbers == 3, 2),
            **parts,
        }
    )
    strip = run_summary.strip_of(frame)
    assert strip is not None
    bars = len(strip["first"])
    assert bars == min(count, run_summary.BARS)
    assert [step for a, b in zip(strip["first"], strip["last"], strict=True) for step in range(a, b + 1)] == list(
        numbers
    )
    assert strip["cut"] == [True] + [False] * (bars - 1)
    total = np.asarray(frame["duration_ns"]).reshape(2, count).mean(0)
    places = [(a - 3, b - 2) for a, b in zip(strip["first"], strip["last"], strict=True)]
    assert np.abs(np.array(strip["total"]) - [total[a:b].mean() for a, b in places]).max() <= 0.5
    assert np.abs(np.array(strip["most"]) - [total[a:b].max() for a, b in places]).max() <= 0.5
    assert np.abs(np.sum(list(strip["parts"].values()), axis=0) - strip["total"]).max() <= 4


def test_no_steps_no_strip() -> None:
    assert run_summary.strip_of(pl.DataFrame(schema={"step": pl.Int64})) is None
