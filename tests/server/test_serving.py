"""The command: what it prints, what it refuses, and one server on a real socket."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from building import step, write
from stepscope.errors import BadRequest, UnreadableInput
from stepscope.messages.rendering import render
from stepscope.server import serving
from stepscope.server.serving import Served, is_loopback, listening, make_server, served


def test_a_folder_is_served_whole_and_a_file_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "a b.json", step(1, 0, 10))
    assert served(str(tmp_path)) == Served(str(tmp_path))
    assert served(str(path)) == Served(str(tmp_path), "a b.json")


@pytest.mark.parametrize(
    ("path", "found"),
    [("s3://bucket/runs", "it is an address"), ("nothing-here", "there is no such file or folder")],
)
def test_what_is_not_there_cannot_be_served(path: str, found: str) -> None:
    with pytest.raises(UnreadableInput) as refused:
        served(path)
    assert render(refused.value.found) == found


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.json", b"\x91\x00\xff" * 100, "it is binary data of an unknown kind, not JSON"),
        ("a.json", b"[" * 100_000, "it is a JSON list of lists, not of events"),
        ("a.json", b'{"a": 1}', "it is JSON without traceEvents (its keys are a)"),
        ("a.json", b"[1, 2, 3]", "its beginning holds no event of a trace"),
        ("a.txt", b"hello", "it is text, not JSON"),
        ("a.json", b"", "the file is empty"),
        ("a.pickle", b"\x80\x04K\x01.", "it is a Python pickle"),
        ("a.pickle", b"\x80\x04weights", "it is a Python pickle whose end is missing"),
    ],
)
def test_a_file_that_is_no_recording_is_refused(tmp_path: Path, name: str, content: bytes, found: str) -> None:
    """The server started, printed its address, and the page could not show anything."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableInput) as refused:
        served(str(tmp_path / name))
    assert (render(refused.value.tried), render(refused.value.found)) == (f"cannot serve {tmp_path / name}", found)


def test_the_address_names_the_run_of_a_single_file(tmp_path: Path) -> None:
    server = make_server(Served(str(tmp_path), "a b.json"), "127.0.0.1", 0)
    port = server.listener.getsockname()[1]
    server.listener.close()
    assert server.url == f"http://127.0.0.1:{port}/?token={server.access.token}#/verdict?run=a+b.json"
    assert server.once == f"http://127.0.0.1:{port}/?token={server.access.ticket}#/verdict?run=a+b.json"


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_server_has_a_token(tmp_path: Path, host: str) -> None:
    """On this machine it had none: every user of a shared login node could read the runs of the others."""
    server = make_server(Served(str(tmp_path)), host, 0)
    server.listener.close()
    token, ticket = server.access.token, server.access.ticket
    assert token is not None
    assert ticket is not None
    assert token != ticket
    assert min(len(token), len(ticket)) >= 32
    assert server.url.endswith(f"/?token={token}")
    assert server.access.loopback == (host == "127.0.0.1")


def test_a_server_may_have_no_token_where_only_this_machine_reaches_it(tmp_path: Path) -> None:
    server = make_server(Served(str(tmp_path)), "127.0.0.1", 0, with_token=False)
    server.listener.close()
    assert (server.access.token, server.access.ticket) == (None, None)
    assert server.url == server.once == f"http://127.0.0.1:{server.access.port}/"
    with pytest.raises(BadRequest) as refused:
        make_server(Served(str(tmp_path)), "0.0.0.0", 0, with_token=False)
    assert str(refused.value) == (
        "cannot listen on 0.0.0.0:0: other machines reach it there, so it has to ask for a token. "
        "Leave out --no-token, or --host."
    )


@pytest.mark.parametrize(
    ("known", "own", "shown"),
    [
        ("192.0.2.7", "192.0.2.8", "node7"),
        ("127.0.1.1", "192.0.2.8", "192.0.2.8"),
        (None, "192.0.2.8", "192.0.2.8"),
        (None, None, "node7"),
    ],
)
def test_the_address_for_others_can_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: str | None, own: str | None, shown: str
) -> None:
    """In containers a machine's name is known to nobody, and the printed address led nowhere."""
    real = socket.getaddrinfo

    def look_up(host: str, *arguments: object, **options: object) -> object:
        if host != "node7":
            return real(host, *arguments, **options)  # type: ignore[arg-type]
        if known is None:
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (known, 0))]

    monkeypatch.setattr(socket, "gethostname", lambda: "node7")
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(serving, "_own_address", lambda _: own)
    server = make_server(Served(str(tmp_path)), "0.0.0.0", 0)
    server.listener.close()
    assert server.url.startswith(f"http://{shown}:{server.access.port}/?token=")


@pytest.mark.long
def test_a_server_that_others_reach_says_that_its_link_is_not_encrypted(tmp_path: Path) -> None:
    """Only the documentation did."""
    process, line = start(str(tmp_path), "--host", "0.0.0.0")
    said = ended(process)
    port = line.split("/?token=")[0].rpartition(":")[2]
    assert said == (
        "stepscope: the link is not encrypted, its token can be read on the way; "
        f"a safer one: ssh -L {port}:127.0.0.1:{port} HOST (without --host)\n"
    )


@pytest.mark.long
def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server read every trace anew at each start, and nobody knew why it was slow."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "file" / "cache"))
    process, _ = start(str(tmp_path))
    assert ended(process) == (
        f"stepscope: nothing is kept, the cache folder {tmp_path}/file/cache cannot be written; "
        "name another: STEPSCOPE_CACHE\n"
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "LOCALHOST"])
def test_what_only_this_machine_reaches(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "", "::", "10.0.0.1", "localhost.example"])
def test_what_others_may_reach(host: str) -> None:
    assert not is_loopback(host)


def test_a_taken_port_is_said_with_the_way_out() -> None:
    taken = listening("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with taken, pytest.raises(BadRequest) as refused:
        listening("127.0.0.1", port)
    assert str(refused.value) == (
        f"cannot listen on 127.0.0.1:{port}: the port is taken. Name another one, or any free one: --port 0"
    )


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "x" * 300])
def test_a_host_that_is_not_this_machine_is_refused(host: str) -> None:
    with pytest.raises(BadRequest):
        listening(host, 0)


_MAIN = "\nfrom stepscope.commands import main\nmain()"


def start(*arguments: str, before: str = "") -> tuple[subprocess.Popen[str], str]:
    """A server of its own process, and the line that it prints; ``before`` is run in it first."""
    source = str(Path(__file__).resolve().parents[2] / "src")
    plain = {name: value for name, value in os.environ.items() if name != "STEPSCOPE_DEBUG"}
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"{before}\nfrom stepscope.commands import main\nmain()",
            "serve",
            *arguments,
            "--port",
            "0",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=plain | {"PYTHONPATH": source},
        # A shell starts what runs in the background deaf to Ctrl-C, and so this test could be.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    return process, process.stdout.readline()


def address_of(line: str) -> tuple[int, str]:
    """Port and token of the line that a server prints."""
    found = re.search(r":(\d+)/\?token=([\w-]+)", line)
    assert found is not None, line
    return int(found[1]), found[2]


def ended(process: subprocess.Popen[str]) -> str:
    """What a server says on stderr as it starts; it is ended behind its first line."""
    assert process.stderr is not None
    try:
        return process.stderr.readline()
    finally:
        process.kill()
        process.communicate(timeout=60)


def raw(port: int, request: bytes) -> bytes:
    """The answer to bytes as they are, which no client would send."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(request)
        parts = []
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.long
def test_the_command_serves_until_interrupted(tmp_path: Path) -> None:
    write(tmp_path / "a.json", step(1, 0, 10))
    (tmp_path / "served").mkdir()
    process, line = start(str(tmp_path / "served"))
    try:
        assert line.startswith(f"stepscope serves {tmp_path}/served at http://127.0.0.1:")
        assert line.endswith(" (Ctrl-C ends it)\n")
        port, token = address_of(line)
        connection = http.client.HTTPConnection("127.0.0.1", port, 60)
        connection.request("GET", "/api/runs")
        answer = connection.getresponse()
        assert json.loads(answer.read())["error"]["found"] == "the token is missing or wrong"
        connection.request("GET", "/api/runs", headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        assert json.loads(answer.read())["runs"] == []
        assert "server" not in answer.headers
        connection.request("GET", "/api/runs", headers={"Host": "evil.example"})
        assert connection.getresponse().status == 403
        connection.close()
        bearer = f"Authorization: Bearer {token}".encode()
        for path in (b"/../a.json", b"/%2e%2e/a.json", b"/..\\a.json", b"//a.json", b"/\xff"):
            answer_bytes = raw(
                port, b"GET " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n" + bearer + b"\r\nConnection: close\r\n\r\n"
            )
            assert answer_bytes.split(b" ", 2)[1] in (b"400", b"404"), answer_bytes
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (out.strip(), err, process.returncode) == ("", "", 0)


@pytest.mark.long
def test_ctrl_c_does_not_wait_for_what_is_being_computed(tmp_path: Path) -> None:
    """The timeline of ten million events took half a minute: the command seemed to hang, then printed a traceback."""
    path = write(tmp_path / "a.json", step(1, 0, 10))
    slow = "import time\nfrom stepscope.timeline.answers import ANSWERS\nANSWERS['tracks'] = lambda *_: time.sleep(60)"
    process, line = start(str(path), "--no-token", before=slow)
    try:
        connection = http.client.HTTPConnection("127.0.0.1", int(line.split(":")[2].split("/")[0]), 60)
        connection.request("GET", "/api/runs")
        connection.getresponse().read()
        connection.request("GET", "/api/timeline/tracks?run=a.json")
        connection.sock.settimeout(1)
        with pytest.raises(TimeoutError):
            connection.getresponse()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        connection.close()
    assert (out.strip(), err, process.returncode) == ("", "", 0)


@pytest.mark.long
def test_a_command_that_cannot_serve_says_why_in_a_line(tmp_path: Path) -> None:
    process, _ = start(str(tmp_path / "missing"))
    _, err = process.communicate(timeout=60)
    assert err == (
        f"stepscope: cannot serve {tmp_path}/missing: there is no such file or folder. "
        "Name a folder of traces, or a trace.\n"
    )
    assert process.returncode == 2
