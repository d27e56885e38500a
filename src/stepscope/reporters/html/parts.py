"""Data inside the page: gzip as base64, so that no text of a trace can end the element it stands in."""

from __future__ import annotations

import base64
import gzip
from dataclasses import dataclass

_LEVEL = 9
QUICK = 5
"""Level for long columns of numbers: hardly larger, and several times as quick."""

_ELEMENT = '<script type="application/octet-stream" id="stepscope-{name}">{data}</script>\n'


@dataclass(frozen=True)
class Part:
    """One piece of data, packed.

    Attributes:
        name: its name in the page: letters, digits and hyphens.
        element: the element that holds it, ASCII.
    """

    name: str
    element: str

    @property
    def size(self) -> int:
        """Bytes of the page that it takes."""
        return len(self.element)


def packed(name: str, content: bytes | bytearray, level: int = _LEVEL) -> Part:
    """Content under a name.

    Raises:
        ValueError: the name does not fit into an attribute.
    """
    if not name.replace("-", "").isalnum() or not name.isascii():
        raise ValueError(f"no name of a part: {name!r}")
    data = base64.b64encode(gzip.compress(content, level, mtime=0)).decode("ascii")
    return Part(name, _ELEMENT.format(name=name, data=data))
