"""The addresses of the timeline: each asks `stepscope.timeline.answers` about the run that a request names."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.answers.timeline_answers import in_words, tracks_in_words
from stepscope.messages.device_words import speaking_of_npus
from stepscope.server.handlers import parameters, runs_of
from stepscope.server.responses import json_response
from stepscope.server.table_threads import Workers
from stepscope.timeline import open_timeline, preparation
from stepscope.timeline.answers import ANSWERS

_WAIT_SECONDS = 0.3
"""So long an answer about what is being made takes: a stored timeline opens meanwhile, and who asks need not pause."""


def _handler(name: str) -> Callable[[Request], Response]:
    """Answers one question. No coroutine, so that it runs in a thread and never holds up another request."""
    answer = ANSWERS[name]

    def handle(request: Request) -> Response:
        opened = runs_of(request).opened(parameters(request).text("run", None))
        found = answer(open_timeline(opened.profile), request.query_params)
        if isinstance(found, dict):
            with speaking_of_npus(opened.npus):
                return json_response(request, tracks_in_words(found) if name == "tracks" else in_words(found))
        # As it is: packing it would take longer than sending it.
        headers = {"content-type": "application/octet-stream", "cache-control": "no-store"}
        return Response(bytes(found), headers=headers)

    return handle


def _state(request: Request) -> Response:
    """Whether the timeline of a run can be asked, or how far it has come; has it made."""
    profile = runs_of(request).opened(parameters(request).text("run", None)).profile
    known = preparation(profile)
    if known.claim():
        makers: Workers = request.app.state.timelines
        makers.submit(lambda: open_timeline(profile))
    # One that cannot be made is over, too: whoever then asks it hears why.
    if known.over.wait(_WAIT_SECONDS):
        return json_response(request, {"state": "ready"})
    return json_response(request, {"state": "building", "done": known.done, "total": known.total})


routes = [
    Route("/api/timeline/state", _state),
    *(Route(f"/api/timeline/{name}", _handler(name)) for name in ANSWERS),
]
"""Addresses and their handlers."""
