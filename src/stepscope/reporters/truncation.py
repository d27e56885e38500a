"""Texts cut to a width so that different ones stay different."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile

from stepscope.reporters.display_width import middle_cut

_HEADS = (0.34, 0.15, 0.66, 0.85)
"""Shares of the width that the beginning keeps where the middle cut makes texts equal: more of the end goes first."""

_ROUNDS = 8


def distinct_cuts(texts: Sequence[str], width: int) -> list[str]:
    """Texts of at most ``width`` characters; what the cut in the middle would make equal keeps the part that differs.

    >>> distinct_cuts(["kernel<float, 128, true, 4>", "kernel<float, 256, true, 4>"], 15)
    ['ke…28, true, 4>', 'ke…56, true, 4>']
    """
    short = {text: middle_cut(text, width) for text in dict.fromkeys(texts)}
    for cut in (*(partial(_headed, share=share) for share in _HEADS), *[None] * _ROUNDS):
        groups = _equal(short)
        if not groups:
            break
        taken = set(short.values())
        for group in groups:
            short.update(_recut(group, width, cut, taken))
    for group in _equal(short):
        short.update({text: _numbered(short[text], i) for i, text in enumerate(group) if i})
    return [short[text] for text in texts]


def _equal(short: dict[str, str]) -> list[list[str]]:
    """Texts whose cuts are the same."""
    groups: dict[str, list[str]] = {}
    for text, cut in short.items():
        groups.setdefault(cut, []).append(text)
    return [group for group in groups.values() if len(group) > 1]


def _recut(group: list[str], width: int, cut: Callable[[str, int], str] | None, taken: set[str]) -> dict[str, str]:
    """Other cuts of a group: with another beginning where that sets all apart, else (None) where they differ."""
    if cut is None:
        pairs = zip(min(group), max(group), strict=False)
        differ = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return {text: _around(text, differ, width) for text in group}
    cuts = {text: cut(text, width) for text in group}
    found = set(cuts.values())
    return cuts if len(found) == len(group) and not found & taken else {}


def _headed(text: str, width: int, share: float) -> str:
    """A text cut so that its beginning keeps a share of the width."""
    if len(text) <= width or width < 4:
        return text[:width]
    head = max(1, int((width - 1) * share))
    return f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"


def _around(text: str, place: int, width: int) -> str:
    """A text cut to its beginning and what stands at a place."""
    if len(text) <= width or width < 8:
        return text[:width]
    head = width // 4
    begin = max(head, place)
    room = width - head - 1
    if begin + room >= len(text):
        return f"{text[:head]}…{text[len(text) - room :]}"
    return f"{text[:head]}…{text[begin : begin + room - 1]}…"


def _numbered(cut: str, number: int) -> str:
    mark = f"~{number + 1}"
    return cut[: max(0, len(cut) - len(mark))] + mark
