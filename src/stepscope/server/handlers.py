"""The addresses of the API except the timeline's."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from importlib import metadata
from typing import Any

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.analyses.filtering import filtered
from stepscope.findings.verdict import across_ranks, verdict
from stepscope.server.answers import in_thread, json_response
from stepscope.server.columns import column_facts, encoded_columns, with_offsets
from stepscope.server.commandline import report_command, show_command
from stepscope.server.errors import as_object
from stepscope.server.facts import run_facts
from stepscope.server.opening import Opened, progress_of
from stepscope.server.parameters import Choice, Parameters, TableRequest
from stepscope.server.runs import Runs
from stepscope.server.source_lines import source_lines
from stepscope.server.tables import Made, Tables


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
    since = parameters(request).text("since")
    now, body = await run_in_threadpool(runs_of(request).document)
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
    return run_facts(opened, lambda table: tables_of(request).rows(opened, table))


async def table(request: Request) -> Response:
    """A table of a run, as columns."""
    given = parameters(request)
    asked, run_id = given.table_request(), given.text("run", None)
    opened = await _opened(request, run_id)
    made = await _made(request, opened, asked)
    return await in_thread(request, lambda: _table_document(opened, asked, made))


async def _opened(request: Request, run_id: str) -> Opened:
    return await run_in_threadpool(runs_of(request).opened, run_id)


async def _made(request: Request, opened: Opened, asked: TableRequest) -> Made:
    future = await run_in_threadpool(tables_of(request).ask, opened, asked)
    # Shielded: others may wait for the same table when this client goes away.
    return await asyncio.shield(asyncio.wrap_future(future))


def _table_document(opened: Opened, asked: TableRequest, made: Made) -> bytes:
    frame = filtered(made.frame, asked.where, asked.sort)
    shown = with_offsets(frame.head(asked.limit), opened.origin_ns)
    document = {
        "table": asked.table,
        "by": asked.by,
        "source": asked.source,
        "total": len(frame),
        "columns": column_facts(asked.table, shown),
        "origin_ns": str(opened.origin_ns),
        "notes": made.notes,
        "command": show_command(opened.run, asked, len(frame)),
    }
    return orjson.dumps(document)[:-1] + b',"data":' + encoded_columns(shown) + b"}"


async def verdicts(request: Request) -> Response:
    """What holds each rank back."""
    given = parameters(request)
    choice, run_id = given.choice(), given.text("run", None)
    opened = await _opened(request, run_id)
    used = await _made(request, opened, TableRequest("utilization", choice=choice))
    return await in_thread(request, lambda: _verdict_document(opened, choice, used))


def _verdict_document(opened: Opened, choice: Choice, used: Made) -> dict[str, Any]:
    by_rank = {row["rank"]: row for row in used.frame.iter_rows(named=True)}
    profile = opened.profile.select(choice.ranks, choice.steps)
    found = [verdict(rank, by_rank.get(rank.number)) for rank in profile.ranks]
    return {
        "verdicts": [asdict(one) for one in found],
        "across_ranks": across_ranks(found),
        "command": report_command(opened.run, choice),
    }


async def source(request: Request) -> Response:
    """Lines of a source file that the run names."""
    given = parameters(request)
    file, line, run_id = given.text("file", None), given.number("line", None, 1, 1 << 31), given.text("run", None)
    opened = await _opened(request, run_id)
    return await in_thread(request, lambda: source_lines(opened, runs_of(request).root, file, line))


routes = [
    Route("/api/version", version),
    Route("/api/runs", runs),
    Route("/api/run", run),
    Route("/api/table", table),
    Route("/api/verdict", verdicts),
    Route("/api/source", source),
]
"""Addresses and their handlers."""
