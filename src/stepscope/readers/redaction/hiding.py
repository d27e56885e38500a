"""Names in texts made unreadable: of users in paths, and words that were asked for. Lengths stay as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SEPARATOR = rb"(?:\\?/|\\\\?)"
_NAME = rb"(?:[A-Za-z0-9._@+~-]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})"
_HOME = rb"(" + _SEPARATOR + rb"(?:home|Users|users)" + _SEPARATOR + rb")(" + _NAME + rb"{1,64})"

LONGEST = 256
"""No match is longer: what a piece of a file ends with is looked at again with the next one."""


class Hiding:
    """Hides names, and counts them.

    Args:
        words: further texts to hide, wherever they stand.
        is_binary: whether lengths of texts and instructions stand between them, as in a pickle: then a name counts only
            in front of another part of its path.

    Attributes:
        homes: names of users that were hidden.
        words: how often other words were.
    """

    def __init__(self, words: Sequence[str] = (), is_binary: bool = False) -> None:
        self.homes = 0
        self.words = 0
        self._home = re.compile(_HOME + (b"(?=" + _SEPARATOR + b")" if is_binary else b""))
        known = sorted({word.encode() for word in words if word}, key=len, reverse=True)
        self._words = re.compile(b"|".join(map(re.escape, known))) if known else None

    def hidden(self, data: bytes) -> bytes:
        """The same bytes with names made unreadable.

        >>> Hiding().hidden(b"/home/alice/train.py"), Hiding(["host7"]).hidden(b"host7_1.json")
        (b'/home/xxxxx/train.py', b'xxxxx_1.json')
        """
        data = self._home.sub(self._without_name, data)
        if self._words is not None:
            data, count = self._words.subn(lambda match: b"x" * len(match[0]), data)
            self.words += count
        return data

    def _without_name(self, match: re.Match[bytes]) -> bytes:
        nameless = b"x" * len(match[2])
        self.homes += match[2] != nameless
        return match[1] + nameless
