"""The values of a dump in JSON."""

from __future__ import annotations

import json
from typing import Any

from stepscope.messages import Message
from stepscope.readers.flight_recorder.refusing import refusal
from stepscope.readers.formats import Input
from stepscope.readers.sources import Stream

_MOST_BYTES = 256 << 20


def from_json(given: Input, stream: Stream) -> Any:
    """The dump's value.

    Raises:
        UnreadableInput: it is no JSON, is cut off, or is longer than any dump.
    """
    path, data, buffer = given.source.path, bytearray(), bytearray(1 << 20)
    while count := stream.read_into(memoryview(buffer)):
        data += buffer[:count]
        if len(data) > _MOST_BYTES:
            raise refusal(path, Message("reader-flight-large", most_bytes=_MOST_BYTES))
    try:
        return json.loads(data.decode("utf-8-sig", "replace"), parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        ended = isinstance(error, json.JSONDecodeError) and not error.doc[error.pos :].strip()
        cut = stream.damage is not None or ended or not data.rstrip().endswith(b"}")
        found = Message("reader-flight-cut", reason=stream.damage) if cut else Message("reader-flight-damaged")
        raise refusal(path, found) from error
