"""The address of comparisons: what changed between two runs, or several of each side."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import chain
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.answers.requests import Choice
from stepscope.comparison.job import compare_profiles
from stepscope.messages.device_words import speaking_of_npus
from stepscope.reporters.comparison_page import comparison_page
from stepscope.server.handlers import awaited, opened_run, parameters, tables_of
from stepscope.server.opening import Opened
from stepscope.server.responses import json_response
from stepscope.store.profile import Profile

_MOST_RANKS = 1 << 20


async def _compare(request: Request) -> Response:
    """The JSON of `stepscope diff`, with a typical step of each side, and the command."""
    given = parameters(request)
    base_ids = (given.text("base", None), *given.texts("more_base"))
    run_ids = (given.text("run", None), *given.texts("more"))
    rank = given.number("rank", -1, -1, _MOST_RANKS)
    base, (opened, *more) = [[await opened_run(request, one) for one in ids] for ids in (base_ids, run_ids)]

    on_npus = all(one.npus for one in (*base, opened, *more))

    def make(profile: Profile) -> dict[str, Any]:
        new = [profile, *(one.profile for one in more)]
        with speaking_of_npus(on_npus):
            return comparison_page(compare_profiles([one.profile for one in base], new, rank if rank >= 0 else None))

    numbers = tuple(tuple(one.number for one in side) for side in (base, more))
    waiting = await run_in_threadpool(tables_of(request).ask_other, opened, Choice(), ("compare", numbers, rank), make)
    command = _command(base, [opened, *more], rank)
    return json_response(request, await awaited(request, waiting) | {"command": command})


def _command(base: Sequence[Opened], new: Sequence[Opened], rank: int) -> str | None:
    """The same on the command line; None where a run is of several files that no folder holds alone."""
    if any(len(one.run.paths) != 1 for one in (*base, *new)):
        return None
    of_each = [(name, one.run.paths[0]) for name, side in (("--base", base), ("--new", new)) for one in side]
    sides = chain.from_iterable(of_each) if len(of_each) > 2 else (path for _, path in of_each)
    named = ["--rank", str(rank)] if rank >= 0 else []
    return shlex.join(["stepscope", "diff", *sides, *named])


routes = [Route("/api/compare", _compare)]
"""Addresses and their handlers."""
