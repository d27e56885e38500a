"""What the Python API says of arguments that it cannot take."""

from __future__ import annotations

from stepscope.errors import BadRequest
from stepscope.messages import Message


def not_opened(what: str, value: object) -> BadRequest:
    tried = Message(f"error-cannot-take-{what}", kind=kind_of(value))
    return BadRequest(tried, Message("error-not-a-profile"), Message(f"error-{what}-example"))


def kind_of(value: object) -> Message | str:
    return "None" if value is None else Message("error-kind", type=type(value).__name__)
