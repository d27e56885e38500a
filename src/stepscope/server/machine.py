"""The address of the doctor: what recording needs on the machine that serves, and how to fix what is missing."""

from __future__ import annotations

import threading
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.answers.machine_checks import commands_of, fix_of, said
from stepscope.capture.doctor.examination import examine
from stepscope.capture.doctor.state import State, Wanted
from stepscope.capture.system import System, ThisMachine
from stepscope.messages.rendering import in_every_language
from stepscope.server.handlers import runs_of
from stepscope.server.responses import in_thread

_KEPT_SECONDS = 30.0
"""The checks start programs: who asks again and again gets what was found last."""


class Doctor:
    """The checks of this machine, kept for a while."""

    def __init__(self, root: str, system: System | None = None) -> None:
        self._wanted = Wanted(folder=root)
        self._system = system or ThisMachine()
        self._lock = threading.Lock()
        self._found: tuple[State, ...] = ()
        self._until = float("-inf")

    def checks(self) -> tuple[State, ...]:
        """What they find. Takes seconds, as torch is imported by a process of its own."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._found = tuple(examine(self._system, self._wanted))
                self._until = time.monotonic() + _KEPT_SECONDS
            return self._found


def check_document(state: State) -> dict[str, Any]:
    """A check, as JSON values."""
    fix = fix_of(state)
    return {
        "check": state.check,
        "status": state.status,
        "text": in_every_language(said(state)),
        "fix": fix and in_every_language(fix),
        "commands": list(commands_of(state)),
    }


async def _doctor(request: Request) -> Response:
    """The checks of `stepscope doctor`, of the Python on this server's PATH."""
    doctor: Doctor = request.app.state.doctor
    root = runs_of(request).root
    return await in_thread(request, lambda: {"root": root, "checks": list(map(check_document, doctor.checks()))})


routes = [Route("/api/doctor", _doctor)]
"""Addresses and their handlers."""
