"""The first bytes of a file, which tell what it is."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.messages import Message
from stepscope.readers.sources import Source, Stream

FIRST = 1 << 16
LIMIT = 4 << 20
"""At most so many bytes (inflated) are looked at to tell what a file is."""


class Beginning:
    """The beginning of a file, looked at without being used up: every format may look at all of it.

    Attributes:
        stream: the file, still at its start.
        first: up to `FIRST` bytes, inflated.
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.first = stream.peek(FIRST)

    @property
    def source(self) -> Source:
        return self.stream.source

    @property
    def damage(self) -> Message | None:
        """None, or why the bytes ended early."""
        return self.stream.damage

    def pieces(self) -> Iterator[bytes]:
        """The bytes from the first on, piece by piece; none behind `LIMIT`."""
        for at in range(0, LIMIT, FIRST):
            piece = self.stream.peek(at + FIRST)[at:]
            if not piece:
                return
            yield piece
