"""The server, put together."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from stepscope.analyses import load_analyses
from stepscope.errors import NotFound, StepscopeError
from stepscope.messages import Message
from stepscope.server import commands, compare, handlers, machine, results, timeline, what_if
from stepscope.server.guard import Access, Guard
from stepscope.server.live import routes as live
from stepscope.server.responses import on_defect, on_refusal
from stepscope.server.runs import Runs
from stepscope.server.summary_process import Summariser
from stepscope.server.table_threads import Workers
from stepscope.server.tables import Tables
from stepscope.server.web import FOLDER, WebApp

_COMPUTING = 2
"""Threads that compute tables: so many cores at most are taken from what draws the timeline."""

_LAYING = 2
"""Timelines that are made at a time."""

_LOAD_AFTER_SECONDS = 2.0


def make_app(
    root: str,
    only: str | None = None,
    access: Access | None = None,
    web: Path = FOLDER,
    scheduler: str = "",
    summariser: Summariser | None = None,
    reads_ahead: bool = True,
) -> ASGIApp:
    """The server over a folder, as an ASGI app.

    Args:
        root: the folder whose runs it serves.
        only: name of the one file in it that it serves, or None for all.
        access: who may ask.
        web: folder of the built web app.
        scheduler: who reads the ranks of a run, as of `ReadOptions`.
        summariser: who makes the summaries of the list; None for a process of low priority.
        reads_ahead: whether runs are read that nobody opened.
    """
    workers = Workers(_COMPUTING, "tables")
    runs = Runs(root, only, lambda: workers.busy, scheduler, summariser, reads_ahead)
    app = Starlette(
        routes=_routes(web),
        exception_handlers={StepscopeError: on_refusal, Exception: on_defect},
        lifespan=lambda _: _lifetime(runs),
    )
    app.state.runs = runs
    app.state.tables = Tables(workers)
    app.state.doctor = machine.Doctor(runs.root)
    app.state.may_ask = access is not None and access.token is not None
    app.state.timelines = Workers(_LAYING, "timelines")
    return Guard(app, access or Access())


def _routes(web: Path) -> list[Route]:
    return [
        *handlers.routes,
        *timeline.routes,
        *what_if.routes,
        *compare.routes,
        *results.routes,
        *live.routes,
        *commands.routes,
        *machine.routes,
        Route("/api/{path:path}", _no_such_address),
        Route("/{path:path}", WebApp(web).__call__),
    ]


@asynccontextmanager
async def _lifetime(runs: Runs) -> AsyncIterator[None]:
    """From the start of the server to its end."""
    # Before a table has to be computed, but behind the first page, whose tables may all be kept.
    loading = threading.Timer(_LOAD_AFTER_SECONDS, load_analyses)
    loading.daemon = True
    loading.start()
    yield
    loading.cancel()
    runs.summaries.stop()
    runs.openings.stop()


async def _no_such_address(_: Request) -> Response:
    raise NotFound(Message("error-cannot-answer"), Message("error-no-such-address"), Message("error-see-docs"))
