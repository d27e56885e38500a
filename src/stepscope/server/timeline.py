"""Routes of the timeline: each asks `stepscope.timeline.answers` about the run that a request names."""

from __future__ import annotations

import json
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.store.profile import Profile
from stepscope.timeline import open_timeline
from stepscope.timeline.answers import ANSWERS

Opened = Callable[[Request], Profile]
"""The profile of the run that a request names, whole; raises `StepscopeError` where there is none that is ready."""


def timeline_routes(opened: Opened) -> list[Route]:
    """A route for each question.

    Args:
        opened: gives the profile of a request. What it and the answers raise is for the app to turn into a
            response.
    """

    def route(name: str) -> Route:
        answer = ANSWERS[name]

        def handle(request: Request) -> Response:
            found = answer(open_timeline(opened(request)), request.query_params)
            if isinstance(found, dict):
                return Response(json.dumps(found, allow_nan=False), media_type="application/json")
            return Response(bytes(found), media_type="application/octet-stream")

        return Route(f"/api/timeline/{name}", handle, methods=["GET"])

    return [route(name) for name in ANSWERS]
