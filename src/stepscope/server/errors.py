"""What the server refuses, beyond what the layers below refuse."""

from __future__ import annotations

from stepscope.errors import BadRequest, NotFound, StepscopeError


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


def as_object(error: StepscopeError) -> dict[str, str]:
    """The error as JSON holds it."""
    return {"tried": error.tried, "found": error.found, "advice": error.advice}


_DEFECT_ADVICE = "STEPSCOPE_DEBUG=1 stepscope serve shows where; please report it."


def reason_of(error: Exception) -> tuple[str, str]:
    """What was found and what to do, of an error that nobody foresaw."""
    if isinstance(error, MemoryError):
        return "out of memory", "Serve fewer ranks, or close other programs."
    if isinstance(error, OSError):
        return f"the system says: {error.strerror or type(error).__name__}", "Is there room in the cache folder?"
    return f"a defect of stepscope, not of your trace: {type(error).__name__}", _DEFECT_ADVICE
