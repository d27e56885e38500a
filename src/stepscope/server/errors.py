"""What the server refuses, beyond what the layers below refuse."""

from __future__ import annotations

from typing import Any

from stepscope.errors import BadRequest, NotFound, StepscopeError
from stepscope.messages import Message
from stepscope.messages.language import ENGLISH
from stepscope.messages.rendering import in_every_language, render


class NotReady(StepscopeError):
    """The run is still being read; asking again later answers."""


class Forbidden(StepscopeError):
    """The request comes from where it must not."""


class NotAllowed(StepscopeError):
    """The server answers GET and HEAD only."""


STATUS: dict[type[StepscopeError], int] = {
    NotFound: 404,
    NotReady: 409,
    Forbidden: 403,
    NotAllowed: 405,
    BadRequest: 400,
}
"""HTTP status of an error; what is not listed is 422: the input cannot be read."""


def status_of(error: StepscopeError) -> int:
    return STATUS.get(type(error), 422)


def as_object(error: StepscopeError) -> dict[str, Any]:
    """The error as JSON holds it: what was tried, what was found and what to do, in English and as messages."""
    parts = {"tried": error.tried, "found": error.found, "advice": error.advice}
    texts = {name: render(part, ENGLISH) for name, part in parts.items()}
    return {**texts, "messages": {name: in_every_language(part) for name, part in parts.items()}}


def reason_of(error: Exception) -> tuple[Message, Message]:
    """What was found and what to do, of an error that nobody foresaw."""
    if isinstance(error, MemoryError):
        return Message("error-out-of-memory"), Message("error-serve-fewer")
    if isinstance(error, OSError):
        said = Message("error-system-says", error=error.strerror or type(error).__name__)
        return said, Message("error-room-in-cache")
    return Message("error-defect", type=type(error).__name__), Message("error-defect-advice")
