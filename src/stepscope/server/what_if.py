"""The addresses of what-if: what can be changed in a run, and what changes would save.

Both are computed where tables are, so that an answer that takes seconds holds up nothing else.
"""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.analyses.simulation.changes import parse_change, written
from stepscope.answers.commandline import what_if_command
from stepscope.findings.what_if import what_if
from stepscope.findings.what_if_job import what_if_job
from stepscope.findings.what_if_options import Offers, OfKind, offers
from stepscope.messages.rendering import in_every_language
from stepscope.reporters.what_if_text import what_if_document
from stepscope.server.handlers import awaited, opened_run, parameters, tables_of
from stepscope.server.responses import json_response
from stepscope.store.profile import Profile


async def _changes(request: Request) -> Response:
    """What can be changed."""
    given = parameters(request)
    choice, run_id = given.choice(), given.text("run", None)
    opened = await opened_run(request, run_id)
    waiting = await run_in_threadpool(tables_of(request).ask_other, opened, choice, "offers", offers)
    found = await awaited(request, waiting)
    return json_response(request, offers_document(found))


def offers_document(found: Offers) -> dict[str, Any]:
    """What can be changed, as JSON values."""
    return {
        "ranks": list(found.ranks),
        "recorded_ns": round(found.recorded_ns),
        "kinds": [_kind(one) for one in found.kinds],
        "named": [
            {"kind": one.kind, "name": one.name, "host_ns": round(one.host_ns), "gpu_ns": round(one.gpu_ns)}
            for one in found.named
        ],
        "devices": list(found.devices),
    }


def _kind(one: OfKind) -> dict[str, Any]:
    kind = one.kind
    return {
        "kind": one.word,
        "written": written(one.word),
        "of": kind.of,
        "factor": kind.factor,
        "description": in_every_language(kind.description),
        "unknown": in_every_language(kind.unknown),
        "affected": one.affected and in_every_language(one.affected),
        "lack": one.lack and in_every_language(one.lack),
    }


async def _what_if(request: Request) -> Response:
    """What changes save: the JSON of `stepscope what-if`, and the command."""
    given = parameters(request)
    choice, texts, run_id = given.choice(), given.texts("change", needed=True), given.text("run", None)
    changes = [parse_change(text) for text in texts]
    opened = await opened_run(request, run_id)

    def make(profile: Profile) -> dict[str, Any]:
        ranks = what_if(profile, changes)
        return what_if_document(profile, ranks, in_every_language, what_if_job(profile, changes, ranks))

    waiting = await run_in_threadpool(tables_of(request).ask_other, opened, choice, ("what-if", texts), make)
    command = what_if_command(opened.run.paths, choice, texts)
    return json_response(request, await awaited(request, waiting) | {"command": command})


routes = [Route("/api/changes", _changes), Route("/api/what-if", _what_if)]
"""Addresses and their handlers."""
