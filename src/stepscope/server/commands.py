"""The address of the command lines that a run was recorded from.

A recording holds the program's name alone, for people pass recordings on. Beside it lies what each process said of
itself (`capture.agent.side_file`), with its whole command line, which only the server of that folder shows.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.capture.agent.side_file import FOLDER
from stepscope.readers.sources import is_below
from stepscope.server.handlers import parameters, runs_of
from stepscope.server.listing import Run
from stepscope.server.responses import in_thread

_PROCESS = re.compile(r"([A-Za-z0-9-]{1,60}_\d+(?:_rank\d+)?)\.")
"""How files of a process begin."""
_MOST_BYTES = 16 << 20
_MOST = 32
"""Command lines that are sent: those of ranks are alike."""


async def _commands(request: Request) -> Response:
    """Of each file of a run the command line of its process, where that is known."""
    run_id = parameters(request).text("run", None)
    runs = runs_of(request)
    return await in_thread(request, lambda: {"commands": list(_known(runs.run(run_id), runs.root))})


def _known(run: Run, root: str) -> Iterator[dict[str, Any]]:
    seen: dict[str, dict[str, Any]] = {}
    for path in run.files:
        name = _PROCESS.match(os.path.basename(path))
        beside = os.path.join(os.path.dirname(path), FOLDER, f"{name[1]}.json") if name else ""
        command = _command(beside) if beside and is_below(beside, root) else None
        if command is None or (command not in seen and len(seen) >= _MOST):
            continue
        if command not in seen:
            seen[command] = {"command": command, "files": 0}
        seen[command]["files"] += 1
    yield from seen.values()


def _command(path: str) -> str | None:
    """Of a process's own file; None where that cannot be read."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _MOST_BYTES:
            return None
        with open(path, encoding="utf-8") as file:
            said = json.load(file)
        argv = [str(one) for one in said["argv"]]
        return shlex.join([os.path.basename(str(said["executable"])) or "python", *argv])
    except (OSError, ValueError, KeyError, TypeError):
        return None


routes = [Route("/api/commands", _commands)]
"""Addresses and their handlers."""
