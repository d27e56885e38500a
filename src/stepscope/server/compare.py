"""The address of comparisons: what changed between two runs."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.answers.requests import Choice
from stepscope.comparison.job import compare_profiles
from stepscope.reporters.comparison_page import comparison_page
from stepscope.server.handlers import awaited, opened_run, parameters, tables_of
from stepscope.server.responses import json_response
from stepscope.store.profile import Profile

_MOST_RANKS = 1 << 20


async def _compare(request: Request) -> Response:
    """The JSON of `stepscope diff`, with a typical step of each side, and the command."""
    given = parameters(request)
    base_id, run_id = given.text("base", None), given.text("run", None)
    rank = given.number("rank", -1, -1, _MOST_RANKS)
    base, opened = await opened_run(request, base_id), await opened_run(request, run_id)

    def make(profile: Profile) -> dict[str, Any]:
        found = compare_profiles([base.profile], [profile], rank if rank >= 0 else None)
        return comparison_page(found)

    waiting = await run_in_threadpool(
        tables_of(request).ask_other, opened, Choice(), ("compare", base.number, rank), make
    )
    command = _command((*base.run.paths, *opened.run.paths), rank)
    return json_response(request, await awaited(request, waiting) | {"command": command})


def _command(paths: Sequence[str], rank: int) -> str | None:
    """The same on the command line; None where a run is of several files that no folder holds alone."""
    named = ["--rank", str(rank)] if rank >= 0 else []
    return shlex.join(["stepscope", "diff", *paths, *named]) if len(paths) == 2 else None


routes = [Route("/api/compare", _compare)]
"""Addresses and their handlers."""
