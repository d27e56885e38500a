"""Asking a running job for a recording: of whom, by which way, and of nobody who would die of it."""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path
from textwrap import dedent

import pytest

from recorded_jobs import FAKE, PREAMBLE, SOURCE, environment
from stepscope.capture import dynolog
from stepscope.capture.agents import agents_below, ancestors, environment_of, family, started
from stepscope.capture.attach import Wish, attach, sampler_command

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads /proc")

RECORD = """
import sys
from stepscope.capture.launcher import record
from stepscope.capture.plan import OnDemand, Plan
sys.exit(record(Plan(sys.argv[1], OnDemand()), sys.argv[2:], "").code)
"""
LOOP = """
print("ready", flush=True)
sys.stdin.readline()
train(40, at=lambda step: print(step, flush=True) or (sys.stdin.readline() if step == 5 else None))
"""


def wish(out: Path) -> Wish:
    return Wish(str(out), 6, ("shapes", "stack"), 20, 1)


@pytest.fixture
def announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = tmp_path / f"stepscope-{os.getuid()}"
    folder.mkdir(mode=0o700)
    return folder


def announce(folder: Path, pid: int, said: dict[str, object]) -> None:
    (folder / f"{pid}.json").write_text(json.dumps({"pid": pid, "rank": None, "out": "out"} | said))


def test_a_job_started_for_it_is_asked_through_its_launcher(
    tmp_path: Path, announced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "job.py"
    script.write_text(dedent(PREAMBLE) + LOOP)
    path = os.pathsep.join((str(SOURCE), str(FAKE)))
    out = tmp_path / "out"
    launcher = subprocess.Popen(
        [sys.executable, "-c", RECORD, str(out), sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(PYTHONPATH=path, TMPDIR=str(tmp_path)),
    )
    assert launcher.stdin is not None
    assert launcher.stdout is not None
    assert launcher.stdout.readline() == "ready\n"
    launcher.stdin.write("begin\n")
    launcher.stdin.flush()
    while launcher.stdout.readline() != "5\n":
        pass

    def asked(way: str, count: int) -> None:
        assert (way, count) == ("agent", 1)
        launcher.stdin.write("go on\n")
        launcher.stdin.flush()

    done = attach(launcher.pid, wish(tmp_path / "elsewhere"), asked)
    launcher.communicate()
    assert (launcher.returncode, done.way, done.folder, len(done.files)) == (0, "agent", str(out), 1)
    assert list(announced.iterdir()) == []


def test_a_process_that_nobody_prepared_gets_no_signal(tmp_path: Path, announced: Path, monkeypatch) -> None:
    """The signal would end it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert attach(process.pid, wish(tmp_path), lambda *_: None).way == ""
    process.communicate(b"\n")
    assert process.returncode == 0


def test_another_process_of_the_same_number_is_not_it(announced: Path) -> None:
    own = os.getpid()
    announce(announced, own, {"started": started(own)})
    assert [agent.pid for agent in agents_below(own)] == [own]
    announce(announced, own, {"started": "1"})
    assert agents_below(own) == []


@pytest.mark.parametrize("said", ["{", "[]", '{"pid": "x"}', '{"pid": 1}'])
def test_what_is_no_announcement_is_none(announced: Path, said: str) -> None:
    (announced / f"{os.getpid()}.json").write_text(said)
    assert agents_below(os.getpid()) == []


def test_a_folder_that_is_a_link_is_not_trusted(announced: Path, tmp_path: Path) -> None:
    announce(announced, os.getpid(), {"started": started(os.getpid())})
    announced.rename(tmp_path / "real")
    announced.symlink_to(tmp_path / "real")
    assert agents_below(os.getpid()) == []


def test_a_family_is_a_process_and_what_it_started() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env=environment(MINE="1")) as child:
        assert ancestors(child.pid)[0] == os.getpid()
        assert child.pid in family(os.getpid())
        assert environment_of(child.pid).get("MINE") in ("1", None)  # None while it is being started
        child.communicate(b"\n")
    assert ancestors(child.pid) == []


HEADER = struct.Struct("<Q32s")


def poll(folder: Path, pid: int) -> list[bytes]:
    """Speaks to the daemon as libkineto does; returns the bodies of its answers."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as client:
        client.bind(str(folder / "client"))
        client.settimeout(10)
        context = struct.pack("<iiq", 0, pid, 7)
        request = struct.pack("<iiqi", 2, 1, 7, pid)
        bodies = []
        for kind, body in ((b"ctxt", context), (b"junk", b""), (b"req", request[:9]), (b"req", request)):
            client.sendto(HEADER.pack(len(body), kind) + body, str(folder / "dynolog"))
            if kind == b"ctxt" or body == request:
                answer = client.recv(1 << 16)
                assert HEADER.unpack_from(answer)[0] == len(answer) - HEADER.size
                bodies.append(answer[HEADER.size :])
    (folder / "client").unlink()
    return bodies


def test_kineto_is_given_what_it_polls_for(tmp_path: Path) -> None:
    """No answer to what is no request, an empty one to a process that was not meant."""
    answers: list[list[bytes]] = []

    def process() -> None:
        answers.append(poll(tmp_path, 11))
        answers.append(poll(tmp_path, 42))

    with dynolog.Daemon({"KINETO_IPC_SOCKET_DIR": str(tmp_path)}) as daemon:
        thread = threading.Thread(target=process)
        thread.start()
        taken = daemon.hand_out("DO=THIS", {42}, 20)
        thread.join()
    one = struct.pack("<i", 1)
    assert (taken, answers) == ({42}, [[one, b""], [one, b"DO=THIS"]])
    assert list(tmp_path.iterdir()) == []


def test_another_daemon_keeps_its_place(tmp_path: Path) -> None:
    environ = {"KINETO_IPC_SOCKET_DIR": str(tmp_path)}
    with dynolog.Daemon(environ), pytest.raises(OSError, match="in use"), dynolog.Daemon(environ):
        pass


def test_what_kineto_is_asked_for() -> None:
    assert dynolog.config("/out/a.json", 3, ("shapes", "stack")).splitlines() == [
        "ACTIVITIES_LOG_FILE=/out/a.json",
        "PROFILE_START_ITERATION=0",
        "PROFILE_START_ITERATION_ROUNDUP=10",
        "ACTIVITIES_ITERATIONS=3",
        "PROFILE_REPORT_INPUT_SHAPES=true",
        "PROFILE_WITH_STACK=true",
    ]
    assert dynolog.written_name("/out/a.1.json", 42) == "/out/a.1_42.json"


@pytest.mark.parametrize(("said", "polls"), [("1", True), ("0", False), ("", False), (None, False)])
def test_whether_a_process_polls(said: str | None, polls: bool) -> None:
    assert dynolog.is_polling({} if said is None else {"KINETO_USE_DAEMON": said}) is polls


def test_the_last_resort_is_a_sampler(tmp_path: Path, announced: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "py-spy"
    tool.write_text('#!/bin/sh\nfor last; do :; done\necho "$@" > "$last"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    out = tmp_path / "out"
    done = attach(os.getpid(), wish(out), lambda way, _: None)
    assert (done.way, done.files) == ("sampler", (f"{os.getpid()}.pyspy.json",))
    said = (out / done.files[0]).read_text().split()
    assert ["py-spy", *said] == sampler_command(os.getpid(), str(out), 1)
