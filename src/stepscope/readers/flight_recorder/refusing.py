"""Why a file is no dump that can be read."""

from __future__ import annotations

from stepscope.errors import UnreadableInput
from stepscope.messages import Message


def refusal(path: str, found: Message) -> UnreadableInput:
    """The error, with what to do instead."""
    return UnreadableInput(Message("error-cannot-read", path=path), found, Message("reader-flight-advice"))
