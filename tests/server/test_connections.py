"""Clients that hold connections: closed, so that others are answered; on real sockets."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn

from served import until
from stepscope.server import connections
from stepscope.server.serving import Served, make_server

BEGUN = b"GET /api/version HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
Started = tuple[uvicorn.Server, int]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Started]:
    made = make_server(Served(str(tmp_path)), "127.0.0.1", 0, with_token=False)
    running = uvicorn.Server(made.config())
    thread = threading.Thread(target=lambda: running.run([made.listener]), daemon=True)
    thread.start()
    until(lambda: running.started)
    yield running, made.listener.getsockname()[1]
    running.should_exit = True
    thread.join(60)


def half_open(port: int) -> socket.socket:
    """A connection whose request is not whole."""
    found = socket.create_connection(("127.0.0.1", port), timeout=60)
    found.sendall(BEGUN)
    return found


def is_closed(connection: socket.socket) -> bool:
    """Wait until the server closes a connection."""
    with contextlib.suppress(ConnectionError):
        return connection.recv(1) == b""
    return True


def test_many_half_open_connections_leave_room_for_a_request(server: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each was kept for ever: a thousand of them used up the files that a program may have open."""
    monkeypatch.setattr(connections, "MOST", 8)
    held = [half_open(server[1]) for _ in range(30)]
    assert all(map(is_closed, held[:22]))
    asking = http.client.HTTPConnection("127.0.0.1", server[1], timeout=60)
    asking.request("GET", "/api/version")
    assert asking.getresponse().status == 200
    assert len(server[0].server_state.connections) <= 8
    for one in [*held, asking]:
        one.close()


def test_a_request_that_does_not_become_whole_is_not_waited_for(
    server: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE_S", 0.05)
    with half_open(server[1]) as slow:
        assert is_closed(slow)


def test_bytes_one_by_one_do_not_keep_a_connection(server: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE_S", 0.05)
    with half_open(server[1]) as slow:

        def refused() -> bool:
            try:
                slow.sendall(b"a")
            except ConnectionError:
                return True
            return False

        until(refused)


@pytest.mark.parametrize("size", [30_000, 30_000_000])
def test_an_answer_that_nobody_takes_is_given_up(
    server: Started, monkeypatch: pytest.MonkeyPatch, size: int, tmp_path: Path
) -> None:
    """It stayed in memory as long as the client liked."""
    monkeypatch.setattr("stepscope.server.handlers.metadata.version", lambda _: "1" * size)
    monkeypatch.setattr(connections, "PATIENCE_S", 0.3)
    client = socket.create_connection(("127.0.0.1", server[1]), timeout=60)
    client.sendall(b"GET /api/version HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    until(lambda: server[0].server_state.total_requests > 0)
    until(lambda: not server[0].server_state.connections)
    client.close()


def test_an_answer_that_takes_long_to_compute_is_waited_for(server: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE_S", 0.02)
    looked = threading.Event()
    look: Callable[[connections.Connection], None] = connections.Connection._look

    def observed(connection: connections.Connection) -> None:
        look(connection)
        looked.set()

    def late(_: str) -> str:
        assert looked.wait(60)
        return "1"

    monkeypatch.setattr(connections.Connection, "_look", observed)
    monkeypatch.setattr("stepscope.server.handlers.metadata.version", lambda _: "1")
    monkeypatch.setattr("stepscope.server.runs.Runs.document", lambda *_: (late(""), b"{}"))
    asking = http.client.HTTPConnection("127.0.0.1", server[1], timeout=60)
    asking.request("GET", "/api/runs")
    assert asking.getresponse().read() == b"{}"
    asking.close()
