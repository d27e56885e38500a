"""The addresses of the API except the timeline's."""

from __future__ import annotations

import asyncio
from importlib import metadata
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.analyses.memory.moments import part_argument
from stepscope.answers.commandline import what_if_command
from stepscope.answers.documents import table_document, verdict_document
from stepscope.answers.requests import Choice, TableRequest
from stepscope.answers.run_facts import Named, run_facts
from stepscope.answers.source_lines import source_lines
from stepscope.errors import NotFound
from stepscope.findings.kept_tables import Made
from stepscope.messages import Message
from stepscope.messages.device_words import speak_of_npus
from stepscope.schema import TABLES
from stepscope.server.errors import NotReady, as_object
from stepscope.server.opening import Opened, progress_of
from stepscope.server.parameters import Parameters
from stepscope.server.responses import in_thread, json_response
from stepscope.server.runs import Runs
from stepscope.server.shared_work import Waiting
from stepscope.server.tables import Tables

_Result = TypeVar("_Result")


def parameters(request: Request) -> Parameters:
    """The request's parameters, checked."""
    return Parameters(request.scope["query_string"])


def runs_of(request: Request) -> Runs:
    """The runs that this server serves."""
    runs: Runs = request.app.state.runs
    return runs


def tables_of(request: Request) -> Tables:
    """The tables that were computed so far."""
    tables: Tables = request.app.state.tables
    return tables


async def version(request: Request) -> Response:
    """Which stepscope answers."""
    try:
        installed = metadata.version("stepscope")
    except metadata.PackageNotFoundError:
        installed = "unknown"
    return json_response(request, {"version": installed})


async def runs(request: Request) -> Response:
    """The list of runs; 304 where it is the one that the client has."""
    given = parameters(request)
    since, first = given.text("since"), given.texts("first")
    reads = given.flag("read") if given.text("read") else None
    now, body = await run_in_threadpool(runs_of(request).document, first, reads)
    if since == now:
        return Response(status_code=304)
    return await in_thread(request, lambda: body)


async def run(request: Request) -> Response:
    """What a run is, or how far its opening has come."""
    run_id = parameters(request).text("run", None)
    return await in_thread(request, lambda: _run(request, run_id))


def _run(request: Request, run_id: str) -> dict[str, Any]:
    reading = runs_of(request).reading(run_id)
    reading.over.wait(0.05)  # a stored trace opens in so long: then there is nothing to ask again
    if reading.error is not None:
        return {"state": "error", "error": as_object(reading.error)}
    opened = reading.opened
    if opened is None:
        return progress_of(reading)
    run, clock = opened.run, opened.clock
    named = Named(run.id, run.name, run.path)
    speak_of_npus(opened.npus)
    facts = run_facts(
        opened.profile,
        named,
        clock,
        lambda table: tables_of(request).rows(opened, table),
        by_itself=runs_of(request).by_itself,
    )
    return facts | {"what_if": what_if_command(run.paths, Choice())}


async def table(request: Request) -> Response:
    """A table of a run, as columns."""
    given = parameters(request)
    asked, run_id = given.table_request(), given.text("run", None)
    opened = await opened_run(request, run_id)
    base = await opened_run(request, asked.base) if asked.base else None
    made = await awaited(request, await run_in_threadpool(tables_of(request).ask, opened, asked, base))
    return await in_thread(request, lambda: _table_document(request, opened, asked, base, made))


async def opened_run(request: Request, run_id: str) -> Opened:
    """A run, open; waits for it outside the event loop. From here on the request's answer speaks of its devices."""
    opened = await run_in_threadpool(runs_of(request).opened, run_id)
    speak_of_npus(opened.npus)
    return opened


async def awaited(request: Request, waiting: Waiting[_Result]) -> _Result:
    """What others compute; who goes away does not wait any more, so that nobody's work is not begun.

    Raises:
        NotReady: the client has gone.
    """
    result = asyncio.wrap_future(waiting.future)
    gone = asyncio.create_task(_client_gone(request))
    either: set[asyncio.Future[Any]] = {result, gone}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not result.done():
            result.add_done_callback(lambda future: future.cancelled() or future.exception())  # nobody looks at it
            raise NotReady(Message("error-cannot-answer"), Message("error-client-gone"), Message("error-ask-again"))
        return result.result()
    finally:
        gone.cancel()
        waiting.leave()


async def _client_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _table_document(request: Request, opened: Opened, asked: TableRequest, base: Opened | None, made: Made) -> bytes:
    more = ["--base", *base.run.paths] if base is not None else []
    if asked.choice.moments is not None:
        begin, end = asked.choice.moments
        of_trace = TABLES[asked.table].area
        part = part_argument(tables_of(request).profile(opened, asked.choice)) if not of_trace else f"{begin}ns:{end}ns"
        more += ["--between", part]
    return table_document(made.frame, made.notes, asked, opened.run.paths, opened.clock, more=more)


async def verdicts(request: Request) -> Response:
    """What holds each rank back."""
    given = parameters(request)
    choice, run_id = given.choice(), given.text("run", None)
    opened = await opened_run(request, run_id)
    tables = tables_of(request)
    asked = await run_in_threadpool(tables.ask_verdicts, opened, choice)
    of_job = await run_in_threadpool(tables.ask_job, opened, choice)
    found, (job, figures) = await asyncio.gather(awaited(request, asked), awaited(request, of_job))
    return json_response(request, verdict_document(found, job, figures, opened.run.paths, choice))


async def source(request: Request) -> Response:
    """Lines of a source file that the run names."""
    given = parameters(request)
    file, line, run_id = given.text("file", None), given.number("line", None, 1, 1 << 31), given.text("run", None)
    opened = await opened_run(request, run_id)
    run, root = opened.run, runs_of(request).root

    def answer() -> dict[str, Any]:
        try:
            return source_lines(opened.profile, root, run.files[0], run.updated_ns, file, line)
        except NotFound as error:
            # A trace from elsewhere is nothing that failed: a browser would write every 404 into its console.
            return {"error": as_object(error)}

    return await in_thread(request, answer)


routes = [
    Route("/api/version", version),
    Route("/api/runs", runs),
    Route("/api/run", run),
    Route("/api/table", table),
    Route("/api/verdict", verdicts),
    Route("/api/source", source),
]
"""Addresses and their handlers."""
