"""Running jobs as the server shows them, and who may ask one of them for a window."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from building import step, write
from building.live import GONE, MS, announce, running, window
from served import Client, get, ids
from stepscope.capture.agent.identity import host_name
from stepscope.server import runs
from stepscope.server.guard import Access

Serve = Callable[..., Client]
TOKEN = "abcdefghijklmnop"
HEADERS = {"cookie": f"stepscope-8080={TOKEN}", "origin": "http://127.0.0.1:8080"}


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_RESCAN_SECONDS", 0)
    monkeypatch.setattr(runs, "_SCAN_SHARE", 0)


def job(client: Client) -> dict[str, Any]:
    (one,) = get(client, "live")["jobs"]
    return dict(one)


def test_a_job_says_what_it_runs_and_how_far_it_is(serve: Serve, tmp_path: Path) -> None:
    running(tmp_path / "a/b")
    found = job(serve())
    assert (found["id"], found["folder"], found["command"]) == ("a/b", str(tmp_path / "a/b"), "train.py --size 7b")
    assert (found["state"], found["on_demand"], found["here"]) == ("waiting", True, True)
    (process,) = found["processes"]
    assert (process["steps"], process["pace_ns"], process["best_ns"], process["mean_ns"]) == (
        1204,
        12 * MS,
        10 * MS,
        11 * MS,
    )


def test_nothing_runs_where_nothing_says_so(serve: Serve, tmp_path: Path) -> None:
    write(tmp_path / "a.json", step(1, 0, 10))
    assert get(serve(), "live") == {"root": str(tmp_path), "may_ask": False, "jobs": []}


def test_one_job_with_its_last_steps(serve: Serve, tmp_path: Path) -> None:
    running(tmp_path / "a", step_ns=[1, 2, 3])
    running(tmp_path / "a", 1 << 30, step_ns=[4], rank=1)
    client = serve()
    assert get(client, "live/job", job="a")["step_ns"] == [4]  # those with a rank come first
    asked = get(client, "live/job", job="a", pid=os.getpid())
    assert (asked["pid"], asked["step_ns"], asked["telemetry"]) == (os.getpid(), [1, 2, 3], None)


@pytest.mark.parametrize("name", ["..", "/etc", "b", "a/../../a", "a/processes"])
def test_a_job_is_looked_up_and_no_path(serve: Serve, tmp_path: Path, name: str) -> None:
    running(tmp_path / "served/a")
    running(tmp_path / "a")
    get(serve(tmp_path / "served"), "live/job", 404, job=name)


def test_what_leads_out_of_the_folder_is_not_shown(serve: Serve, tmp_path: Path) -> None:
    file = running(tmp_path / "elsewhere")
    place = tmp_path / "served/processes"
    place.mkdir(parents=True)
    (place / "one.live").symlink_to(file)
    (tmp_path / "served/other").symlink_to(tmp_path / "elsewhere")
    assert get(serve(tmp_path / "served"), "live")["jobs"] == []


@pytest.mark.parametrize(
    "changed",
    [
        {"schema": 2},
        {"pid": "1"},
        {"argv": "train.py"},
        {"step_ns": [1.5]},
        {"pace": {}},
        {"windows": [{}]},
        {"windows": [window(1, "../secret")]},
        {"windows": [window(1, "/etc/passwd")]},
        {"recording": [1]},
        {"options": None},
        {"state": 1},
    ],
)
def test_what_is_no_such_file_is_not_shown(serve: Serve, tmp_path: Path, changed: dict[str, Any]) -> None:
    running(tmp_path, **changed)
    assert get(serve(), "live")["jobs"] == []


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "x" * (1 << 21)])
def test_half_a_file_is_not_shown(serve: Serve, tmp_path: Path, text: str) -> None:
    running(tmp_path).write_text(text)
    assert get(serve(), "live")["jobs"] == []


@pytest.mark.parametrize(
    ("pid", "age_s", "changed", "state"),
    [
        (GONE, 1, {}, "waiting"),  # perhaps not to be seen from here
        (GONE, 6, {}, "lost"),
        (None, 60, {}, "waiting"),  # it runs, and takes a step that is long
        (None, 60, {"started": "1"}, "lost"),  # another process of that number
        (None, 60, {"host": "node7"}, "lost"),
        (GONE, 60, {"step_ns": [30_000 * MS]}, "waiting"),  # a step takes so long
        (GONE, 95, {"step_ns": [30_000 * MS]}, "lost"),
    ],
)
def test_when_a_process_is_lost(
    serve: Serve, tmp_path: Path, pid: int | None, age_s: float, changed: dict[str, Any], state: str
) -> None:
    running(tmp_path, pid, age_s, **changed)
    found = job(serve())
    assert (found["state"], found["processes"][0]["state"]) == (state, state)
    assert found["on_demand"] is (state != "lost")
    assert age_s * 1000 <= found["processes"][0]["age_ms"] < age_s * 1000 + 60_000


def test_a_rank_that_was_killed_stands_beside_those_that_run(serve: Serve, tmp_path: Path) -> None:
    running(tmp_path, rank=0)
    running(tmp_path, GONE, 20, rank=1)
    running(tmp_path, GONE + 1, 3600, rank=1)  # of a job before
    found = job(serve())
    assert [(one["rank"], one["state"]) for one in found["processes"]] == [(0, "waiting"), (1, "lost")]
    assert found["state"] == "waiting"


def test_what_was_lost_yesterday_is_forgotten(serve: Serve, tmp_path: Path) -> None:
    running(tmp_path, GONE, 25 * 3600)
    assert get(serve(), "live")["jobs"] == []


def test_a_window_leads_to_its_run_once_all_ranks_have_theirs(serve: Serve, tmp_path: Path) -> None:
    """The link of the first rank's file led nowhere as soon as the second one was there."""
    running(tmp_path, rank=0, windows=[window(400, "rank0.json")])
    running(tmp_path, GONE, rank=1)
    write(tmp_path / "rank0.json", step(1, 0, 10))
    client = serve()

    def shown() -> list[tuple[bool, str | None]]:
        return [(one["whole"], one["run"]) for one in job(client)["windows"]]

    assert (ids(client), shown()) == (["rank0.json"], [(False, None)])
    running(tmp_path, GONE, rank=1, windows=[window(401, "rank1.json", 1.5)])
    assert shown() == [(True, None)]
    write(tmp_path / "rank1.json", step(1, 0, 10))
    assert shown() == [(True, ".")]
    (one,) = job(client)["windows"]
    assert (one["first_step"], one["last_step"], one["slowdown"], one["gone"]) == (400, 406, 1.5, False)
    (tmp_path / "rank1.json").unlink()
    assert job(client)["windows"][0]["gone"]


def test_a_window_does_not_wait_for_a_rank_that_was_killed(serve: Serve, tmp_path: Path) -> None:
    running(tmp_path, rank=0, windows=[window(400, "rank0.json")])
    running(tmp_path, GONE, 20, rank=1)
    write(tmp_path / "rank0.json", step(1, 0, 10))
    assert [one["run"] for one in job(serve())["windows"]] == ["rank0.json"]


def test_a_job_whose_own_profiler_has_started_cannot_be_asked(serve: Serve, tmp_path: Path) -> None:
    running(tmp_path, state="foreign")
    found = job(serve())
    assert (found["on_demand"], found["attach"], found["cost"]) == (False, None, None)


@pytest.mark.parametrize(
    ("changed", "slowdown", "measured", "ns"),
    [
        ({}, 1.6, False, 8 * 1.6 * 12 * MS),
        ({"options": {"with": []}}, 1.3, False, 8 * 1.3 * 12 * MS),
        ({"windows": [window(9, None, 2.0), window(40, None, 1.5)]}, 1.5, True, 8 * 1.5 * 12 * MS),
        ({"windows": [window(9, None, 0.8)]}, 1.0, True, 8 * 12 * MS),  # the steps around it were longer
        ({"pace": {"last_ns": None, "best_ns": None}}, 1.6, False, 8 * 1.6 * 11 * MS),
        ({"options": {"two_pass": True}}, 1.3, False, (8 + 5) * 1.3 * 12 * MS + 8 * 12 * MS),
    ],
)
def test_what_a_window_would_cost(
    serve: Serve, tmp_path: Path, changed: dict[str, Any], slowdown: float, measured: bool, ns: float
) -> None:
    """The steps of the profiler, two before a window included, at the pace and by the factor of the last window."""
    running(tmp_path, **changed)
    cost = job(serve())["cost"]
    assert (cost["steps"], cost["slowdown"], cost["measured"], cost["ns"]) == (6, slowdown, measured, round(ns))


def test_what_attach_is_given(serve: Serve, tmp_path: Path) -> None:
    """The process itself; of several ranks what started them."""
    client = serve()
    running(tmp_path)
    assert job(client)["attach"] == os.getpid()
    with subprocess.Popen(["sleep", "60"]) as child:
        running(tmp_path, child.pid, rank=1)
        assert job(client)["attach"] == os.getppid()
        child.kill()


def test_a_job_that_cannot_be_asked_has_no_cost(serve: Serve, tmp_path: Path) -> None:
    running(tmp_path, on_demand=False)
    assert job(serve())["cost"] is None


def test_what_is_sampled_beside_it(serve: Serve, tmp_path: Path) -> None:
    running(tmp_path)
    now = time.time_ns()
    groups = {"gpu": ["gpu0.gpu_util_pct", "gpu0.power_mw", "gpu1.power_mw"], "cpu": ["cpu.busy_pct"]}
    lines: list[Any] = [{"stepscope_telemetry": 1, "groups": groups}]
    lines += [["gpu", now - (120 - second) * 10**9, 0, second, None, 5] for second in range(121)]
    lines += [["cpu", now, 0, 12.5], {"time_ns": now, "monotonic_ns": 0, "values": {"tree.cpu_pct": 150.0}}]
    text = "\n".join(map(json.dumps, lines)) + '\n["gpu", 17'
    (tmp_path / f"{host_name()}.17.telemetry.jsonl").write_text(text)
    (tmp_path / f"{host_name()}.16.telemetry.jsonl").write_text("older")
    found = get(serve(), "live/job", job=".")["telemetry"]
    counters = {one["name"]: one for one in found["counters"]}
    assert list(counters) == ["gpu0.gpu_util_pct", "tree.cpu_pct", "cpu.busy_pct"]
    assert counters["gpu0.gpu_util_pct"]["values"] == list(range(60, 121))
    assert counters["gpu0.gpu_util_pct"]["before_ms"] == [1000 * (120 - second) for second in range(60, 121)]
    assert (counters["cpu.busy_pct"]["values"], counters["tree.cpu_pct"]["before_ms"]) == ([12.5], [0])


@pytest.fixture
def signals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Has this process wait to be asked, as an agent does, for a window in ``served``."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    announce(tmp_path, tmp_path / "served")
    heard: list[int] = []
    before = signal.signal(signal.SIGUSR2, lambda number, _: heard.append(number))
    yield heard
    signal.signal(signal.SIGUSR2, before)


def ask(client: Client, headers: dict[str, str], job: str = ".") -> tuple[int, str]:
    """Status, and what was found where it was refused."""
    answer = client.request("POST", "/api/live/record", params={"job": job}, headers=headers)
    said = answer.json()
    return answer.status_code, said["error"]["found"] if "error" in said else ""


@pytest.fixture
def client(serve: Serve, tmp_path: Path) -> Client:
    (tmp_path / "served").mkdir()
    return serve(tmp_path / "served", access=Access(TOKEN, True, 8080))


def test_a_job_that_waits_to_be_asked_is_asked(client: Client, tmp_path: Path, signals: list[int]) -> None:
    running(tmp_path / "served")
    assert ask(client, HEADERS) == (200, "")
    assert signals == [signal.SIGUSR2]
    assert ask(client, {"authorization": f"Bearer {TOKEN}"})[0] == 200
    assert client.get("/api/live", headers=HEADERS).json()["may_ask"] is True


@pytest.mark.parametrize("state", ["recording", "measuring"])
def test_a_job_that_records_is_not_asked_again(client: Client, tmp_path: Path, signals: list[int], state: str) -> None:
    running(tmp_path / "served", state=state)
    assert ask(client, HEADERS)[0] == 400
    assert signals == []


@pytest.mark.parametrize(
    "changed", [{"on_demand": False}, {"host": "node7"}, {"written_ns": 10**18}, {"started": "1", "age_s": 60}]
)
def test_who_was_not_started_for_it_is_not_asked(
    client: Client, tmp_path: Path, signals: list[int], changed: dict[str, Any]
) -> None:
    running(tmp_path / "served", **changed)
    assert ask(client, HEADERS)[0] in (400, 404)
    assert signals == []


def test_who_says_it_waits_and_did_not_announce_itself_is_not_asked(
    client: Client, tmp_path: Path, signals: list[int]
) -> None:
    """The signal would end it; and the file below the folder may be anybody's."""
    (tmp_path / f"stepscope-{os.getuid()}/{os.getpid()}.json").unlink()
    running(tmp_path / "served")
    assert ask(client, HEADERS) == (400, "none of its processes on this machine was started for it")
    assert signals == []


def test_who_records_elsewhere_is_not_asked(serve: Serve, tmp_path: Path, signals: list[int]) -> None:
    running(tmp_path / "other")
    client = serve(tmp_path / "other", access=Access(TOKEN, True, 8080))
    assert ask(client, HEADERS)[0] == 400
    assert signals == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://127.0.0.1:8080"},
        {"cookie": f"stepscope-8080={TOKEN}"},  # a page without an origin, as of a form of another site
        {**HEADERS, "origin": "http://evil.example"},
        {**HEADERS, "origin": "null"},
        {**HEADERS, "sec-fetch-site": "cross-site"},
        {**HEADERS, "host": "evil.example"},
        {"authorization": "Bearer wrong"},
    ],
)
def test_others_do_not_ask(client: Client, tmp_path: Path, signals: list[int], headers: dict[str, str]) -> None:
    running(tmp_path / "served")
    assert ask(client, headers)[0] == 403
    assert signals == []


def test_without_a_token_nobody_asks(serve: Serve, tmp_path: Path, signals: list[int]) -> None:
    running(tmp_path / "served")
    status, found = ask(serve(tmp_path / "served"), {"origin": "http://127.0.0.1:8080"})
    assert (status, found[:42]) == (403, "this server was started with --no-token, s")
    assert signals == []


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_only_by_post(client: Client, tmp_path: Path, signals: list[int], method: str) -> None:
    running(tmp_path / "served")
    answer = client.request(method, "/api/live/record", params={"job": "."}, headers=HEADERS)
    assert answer.status_code in (404, 405)
    assert signals == []
