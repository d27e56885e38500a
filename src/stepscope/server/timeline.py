"""The addresses of the timeline: each asks `stepscope.timeline.answers` about the run that a request names."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.server.handlers import parameters, runs_of
from stepscope.server.responses import json_response
from stepscope.timeline import open_timeline
from stepscope.timeline.answers import ANSWERS


def _handler(name: str) -> Callable[[Request], Response]:
    """Answers one question. No coroutine, so that it runs in a thread and never holds up another request."""
    answer = ANSWERS[name]

    def handle(request: Request) -> Response:
        opened = runs_of(request).opened(parameters(request).text("run", None))
        found = answer(open_timeline(opened.profile), request.query_params)
        if isinstance(found, dict):
            return json_response(request, found)
        # As it is: packing it would take longer than sending it.
        headers = {"content-type": "application/octet-stream", "cache-control": "no-store"}
        return Response(bytes(found), headers=headers)

    return handle


routes = [Route(f"/api/timeline/{name}", _handler(name)) for name in ANSWERS]
"""Addresses and their handlers."""
