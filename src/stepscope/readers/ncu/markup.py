"""Links in the sentences of a report's rules."""

from __future__ import annotations

import re

_LINK = re.compile(r"@(section|url|source):([^@\n]{0,400})@")
_ADDRESS = re.compile(r"(.*?):(https?://.*)", re.DOTALL)


def plain(text: str) -> str:
    """A sentence with its links as text, the way Nsight Compute's own CSV has them.

    >>> plain("Look at the @section:LaunchStats:Launch Statistics@ section.")
    'Look at the Launch Statistics section.'
    >>> plain("The @url:Guide:https://docs.nvidia.com/a.html@ says more.")
    'The Guide (https://docs.nvidia.com/a.html) says more.'
    """
    return _LINK.sub(_as_text, text)


def _as_text(found: re.Match[str]) -> str:
    kind, inside = found[1], found[2]
    if kind == "url":
        parts = _ADDRESS.fullmatch(inside)
        return f"{parts[1]} ({parts[2]})" if parts else inside
    return inside.partition(":")[2] or inside
