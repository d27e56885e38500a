"""Responses: JSON, packed where it pays, and errors as objects."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from isal import igzip
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from stepscope.errors import StepscopeError
from stepscope.messages import Message
from stepscope.server.errors import as_object, reason_of, status_of

_WORTH_PACKING = 1 << 10
_QUICK = 1
"""Level of compression: some 500 MB of JSON a second, to a fifth."""

Handler = Callable[[Request], Awaitable[Response]]


def json_response(request: Request, body: bytes | dict[str, Any], status: int = 200) -> Response:
    """A JSON answer. Blocks for some ms where it is large: call it in a worker thread then."""
    data = body if isinstance(body, bytes) else orjson.dumps(body)
    headers = {"content-type": "application/json", "cache-control": "no-store", "vary": "accept-encoding"}
    if len(data) >= _WORTH_PACKING and takes_gzip(request):
        data = igzip.compress(data, _QUICK)
        headers["content-encoding"] = "gzip"
    return Response(data, status, headers)


def takes_gzip(request: Request) -> bool:
    """Whether the client can unpack what was packed with gzip."""
    codings = request.headers.get("accept-encoding", "").replace(" ", "").lower().split(",")
    return any(coding == "gzip" or (coding.startswith("gzip;") and coding[4:] != ";q=0") for coding in codings)


def error_response(request: Request, error: StepscopeError) -> Response:
    """An error as the API sends it."""
    return json_response(request, {"error": as_object(error)}, status_of(error))


async def on_refusal(request: Request, error: Exception) -> Response:
    """What Starlette calls for an error of the family."""
    if not isinstance(error, StepscopeError):
        raise error
    return error_response(request, error)


async def on_defect(request: Request, error: Exception) -> Response:
    """What is left is a defect: said so, and nothing of it shown; the server's log has the rest."""
    defect = StepscopeError(Message("error-cannot-answer"), *reason_of(error))
    return json_response(request, {"error": as_object(defect)}, 500)


async def in_thread(request: Request, make: Callable[[], bytes | dict[str, Any]]) -> Response:
    """A JSON answer made in a thread of its own."""
    return await run_in_threadpool(lambda: json_response(request, make()))
