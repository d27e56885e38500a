"""A copy of a memory snapshot: the same pickle, names in its paths made unreadable.

It holds neither environment nor hosts, but the paths of every file on its stacks. Texts keep their lengths, so that no
instruction of the pickle has to change; nothing is unpickled.
"""

from __future__ import annotations

from collections.abc import Callable

from stepscope.readers.redaction.hiding import LONGEST, Hiding
from stepscope.readers.sources import Stream

_PIECE = 4 << 20


def copy_snapshot(stream: Stream, write: Callable[[bytes], object], hiding: Hiding) -> None:
    """Write the copy, piece by piece."""
    piece, kept = bytearray(_PIECE), b""
    while count := stream.read_into(memoryview(piece)):
        # What was hidden already is found no more; a name that is cut is found with the next piece.
        data = hiding.hidden(kept + bytes(piece[:count]))
        cut = max(0, len(data) - LONGEST)
        write(data[:cut])
        kept = data[cut:]
    write(kept)
