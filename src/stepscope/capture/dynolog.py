"""Asking Kineto itself for a recording, of processes that were started with ``KINETO_USE_DAEMON=1``.

libkineto then polls a daemon, every five seconds, for something to do. The daemon it knows is dynolog; this is as much
of its protocol as one request needs: datagrams over a socket in the abstract namespace, or below
``KINETO_IPC_SOCKET_DIR``, of a size, a type and a body. Source: libkineto's ``IpcFabricConfigClient``, and dynolog's
``IPCMonitor``.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

VARIABLE = "KINETO_USE_DAEMON"
SOCKET_FOLDER = "KINETO_IPC_SOCKET_DIR"
_NAME = "dynolog"
_HEADER = struct.Struct("<Q32s")
_CONTEXT = struct.Struct("<iiq")
_REQUEST = struct.Struct("<iiq")
_PID = struct.Struct("<i")
_MOST_BYTES = 1 << 16
_ACTIVITIES = 2
_STEPS = {
    "shapes": "PROFILE_REPORT_INPUT_SHAPES",
    "stack": "PROFILE_WITH_STACK",
    "memory": "PROFILE_PROFILE_MEMORY",
    "flops": "PROFILE_WITH_FLOPS",
    "modules": "PROFILE_WITH_MODULES",
}


def is_polling(environment: Mapping[str, str]) -> bool:
    """Whether a process with this environment asks a daemon."""
    return environment.get(VARIABLE, "") not in ("", "0")


def config(log_file: str, iterations: int, records: Sequence[str], duration_ms: int | None = None) -> str:
    """What Kineto is asked to record.

    Args:
        log_file: to write; Kineto adds the number of the process to its name.
        iterations: steps of the optimizer.
        duration_ms: a time, in place of these.
    """
    lines = [f"ACTIVITIES_LOG_FILE={log_file}"]
    if duration_ms is None:
        lines += [
            "PROFILE_START_ITERATION=0",
            "PROFILE_START_ITERATION_ROUNDUP=10",
            f"ACTIVITIES_ITERATIONS={iterations}",
        ]
    else:
        lines += ["PROFILE_START_TIME=0", f"ACTIVITIES_DURATION_MSECS={duration_ms}"]
    lines += [f"{_STEPS[one]}=true" for one in records]
    return "\n".join(lines) + "\n"


def written_name(log_file: str, pid: int) -> str:
    """The file that Kineto writes for a process."""
    stem, dot, ending = log_file.rpartition(".")
    return f"{stem}_{pid}{dot}{ending}"


@dataclass
class Daemon:
    """Stands in for dynolog until some processes have taken a request.

    Attributes:
        environment: of one of these, which says where they look for the daemon.
    """

    environment: Mapping[str, str]

    def __enter__(self) -> Daemon:
        """Take the daemon's place.

        Raises:
            OSError: a daemon is there already, or the folder may not be written.
        """
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        folder = self.environment.get(SOCKET_FOLDER, "")
        self._path = os.path.join(folder, _NAME) if folder else ""
        try:
            # libkineto counts the zero behind the name as part of it.
            self._socket.bind(self._path or f"\0{_NAME}\0")
        except OSError:
            self._socket.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        if self._path:
            os.unlink(self._path)

    def hand_out(self, request: str, pids: set[int], seconds: float) -> set[int]:
        """Answer polls until each of some processes has the request; returns those that took it.

        Args:
            seconds: to wait at most.
        """
        taken: set[int] = set()
        until = time.monotonic() + seconds
        while pids - taken and (left := until - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                data, sender = self._socket.recvfrom(_MOST_BYTES)
            except TimeoutError:
                break
            if sender and len(data) >= _HEADER.size:
                taken |= self._answer(data, sender, request, pids - taken)
        return taken

    def _answer(self, data: bytes, sender: bytes | str, request: str, waiting: set[int]) -> set[int]:
        kind = _HEADER.unpack_from(data)[1].rstrip(b"\0")
        body = data[_HEADER.size :]
        if kind == b"ctxt" and len(body) >= _CONTEXT.size:
            self._send(b"ctxt", struct.pack("<i", 1), sender)
            return set()
        if kind != b"req" or len(body) < _REQUEST.size:
            return set()
        wanted, count, _ = _REQUEST.unpack_from(body)
        numbers = body[_REQUEST.size :][: max(0, count) * _PID.size]
        asking = {number for (number,) in _PID.iter_unpack(numbers[: len(numbers) // _PID.size * _PID.size])}
        meant = asking & waiting if wanted & _ACTIVITIES else set()
        self._send(b"req", request.encode() if meant else b"", sender)
        return meant

    def _send(self, kind: bytes, body: bytes, receiver: bytes | str) -> None:
        try:
            self._socket.sendto(_HEADER.pack(len(body), kind) + body, receiver)
        except OSError:
            return  # the process has ended
