"""A copy of a Chrome trace: allowed members around the events, and events without names of users and machines."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np

from stepscope.numeric.list_ends import list_end
from stepscope.readers.head import EVENTS_KEY, Head
from stepscope.readers.redaction.hiding import Hiding
from stepscope.readers.redaction.told import without_told
from stepscope.readers.sources import Stream

Write = Callable[[bytes], object]

_PIECE = 4 << 20
_MOST_MEMBER_BYTES = 64 << 20
_DECODER = json.JSONDecoder(strict=False)


class TraceCopy:
    """One pass over a trace.

    Args:
        stream: its bytes, inflated.
        write: takes those of the copy.
        hiding: hides names in the events.

    Attributes:
        members: members around the events that were left out.
        arguments: arguments of events that were emptied.
    """

    def __init__(self, stream: Stream, write: Write, hiding: Hiding) -> None:
        self.members = 0
        self.arguments = 0
        self._stream = stream
        self._write = write
        self._hiding = hiding
        self._ahead = b""
        self._is_over = False

    def copy(self) -> bool:
        """Write the copy; False where the trace ends early, so that the copy does too."""
        self._fill(1)
        if self._ahead.startswith(b"["):
            self._write(b"[")
            self._drop(1)
            return self._events()
        if not self._ahead.startswith(b"{"):
            return False
        self._write(b"{")
        self._drop(1)
        is_whole, written = self._member_after(0)
        while is_whole and written >= 0:
            is_whole, written = self._member_after(written)
        self._write(b"}")
        return is_whole

    def _member_after(self, written: int) -> tuple[bool, int]:
        """Copy the next member; returns whether the text is sound so far, and how many were written, -1 at its end."""
        self._fill(1)
        if self._ahead.startswith(b","):
            self._drop(1)
            self._fill(1)
        if self._ahead.startswith(b"}"):
            return True, -1
        key = self._decoded()
        self._fill(1)
        if not isinstance(key, str) or not self._ahead.startswith(b":"):
            return False, -1
        self._drop(1)
        self._fill(1)
        comma = b", " if written else b""
        if key == EVENTS_KEY and self._ahead.startswith(b"["):
            self._write(comma + b'"traceEvents": [')
            self._drop(1)
            return self._events(), written + 1
        before = len(self._ahead)
        value = self._decoded()
        if value is None and before == len(self._ahead):
            return False, -1
        head = Head()
        head.add(key, json.dumps(value).encode())
        if key not in head.facts:
            self.members += 1
            return True, written
        self._write(comma + json.dumps({key: head.facts[key]}).encode()[1:-1])
        return True, written + 1

    def _events(self) -> bool:
        """Copy the elements of the list that has begun; False where it does not end."""
        start, depth, in_string, escaped = 0, 1, False, False
        while True:
            data = np.frombuffer(self._ahead, np.uint8)
            end, element, depth, in_string, escaped = list_end(data, start, depth, in_string, escaped)
            if end >= 0:
                self._write(self._clean(self._ahead[:end]) + b"]")
                self._drop(end + 1)
                return True
            if element > 0:
                self._write(self._clean(self._ahead[:element]))
                self._drop(element)
            start = len(self._ahead)
            if not self._more():
                self._write(b"]")  # the last event is half written, and is left out
                return False

    def _clean(self, events: bytes) -> bytes:
        events, count = without_told(events)
        self.arguments += count
        return self._hiding.hidden(events)

    def _decoded(self) -> object:
        """The JSON value that begins here, used up; None, and nothing used up, where there is no sound one."""
        while True:
            text = self._ahead.decode("utf-8", "surrogateescape")
            try:
                value, end = _DECODER.raw_decode(text)
            except (ValueError, RecursionError):
                end = -1
            # A number may go on behind what is known so far.
            if end >= 0 and (end < len(text) or self._is_over):
                self._drop(len(text[:end].encode("utf-8", "surrogateescape")))
                return value
            if len(self._ahead) > _MOST_MEMBER_BYTES or not self._more():
                return None

    def _fill(self, count: int) -> None:
        """Have so many bytes at hand that are no blanks."""
        self._ahead = self._ahead.lstrip(b" \r\n\t\xef\xbb\xbf")
        while len(self._ahead) < count and self._more():
            self._ahead = self._ahead.lstrip(b" \r\n\t\xef\xbb\xbf")

    def _more(self) -> bool:
        piece = bytearray(_PIECE)
        count = self._stream.read_into(memoryview(piece))
        self._is_over = count == 0
        self._ahead += bytes(piece[:count])
        return count > 0

    def _drop(self, count: int) -> None:
        self._ahead = self._ahead[count:]
