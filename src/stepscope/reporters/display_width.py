"""Text fitted to a terminal: bars, cuts, and Chinese characters, which take two columns and may part anywhere."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from rich.cells import cell_len

_WIDE = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
_UNITS = "%|ns|us|ms|s|B|[KMGT]iB|[KMGTP]?B/s|[kMGTP]?FLOPS?|[kMGTP]|[MG]?Hz|W|J|SMs?"
_NOUNS = "|".join(rf"(?<=\b{noun})" for noun in ("rank", "ranks", "Rank", "Ranks", "step", "steps", "Step"))
_BOUND = re.compile(rf"(?<=\d) (?=(?:{_UNITS})(?![\w/])|[个次份项段处条])|(?:{_NOUNS}|(?<=迭代)) (?=\d)")
"""Spaces at which no line ends: a number and its unit never part, nor do "rank 2" and "step 3"."""

_BOUND_SPACE = "\ue000"
"""Stands for such a space while lines are made: it is no space, and as wide."""

_BEFORE, _BEHIND = "（「『《", "，。；：、！？）」』》”’"
_NUMBERED = rf"(?:[^\s{_WIDE}]*{_BOUND_SPACE})?[{_WIDE}](?:{_BOUND_SPACE}[^\s{_WIDE}]+|[{_BEHIND}]*)"
_PIECE = re.compile(rf"[{_BEFORE}]*(?:{_NUMBERED}|[^\s{_WIDE}]+(?:[{_BEHIND}]+|\s*))|\s+")
"""What stays on one line: a wide character with the number bound to it, or a word, each with its punctuation."""


def width_of(text: str) -> int:
    """Columns that a text takes.

    >>> width_of("GPU"), width_of("迭代")
    (3, 4)
    """
    return len(text) if text.isascii() else cell_len(text)


def left(text: str, width: int) -> str:
    """A text filled up to a width on its right."""
    return text + " " * (width - width_of(text))


def right(text: str, width: int) -> str:
    """A text filled up to a width on its left."""
    return " " * (width - width_of(text)) + text


def wrapped(text: str, width: int, indent: str = "", hang: str = "") -> list[str]:
    """Lines of a paragraph, none wider than ``width`` unless a word is, or a number with its unit.

    >>> wrapped("GPU 忙碌时间占迭代的 97 %，其中", 16)
    ['GPU 忙碌时间占迭', '代的 97 %，其中']
    >>> wrapped("it takes 12.5 ms a step", 13)
    ['it takes', '12.5 ms a', 'step']
    >>> wrapped("激活值共 21 个块，见迭代 3", 11)
    ['激活值共', '21 个块，见', '迭代 3']
    >>> wrapped("换成了 matmul、softmax（见下）", 14)
    ['换成了', 'matmul、', 'softmax（见', '下）']
    """
    bound = _BOUND.sub(_BOUND_SPACE, text)
    if text.isascii():
        lines = textwrap.wrap(bound, width, initial_indent=indent, subsequent_indent=indent + hang)
    else:
        lines = list(_lines(bound, width, indent, indent + hang))
    return [line.replace(_BOUND_SPACE, " ") for line in lines] or [""]


def _lines(text: str, width: int, first: str, others: str) -> Iterator[str]:
    line, used, empty = first, width_of(first), True
    for piece in _PIECE.findall(text.strip()):
        if not empty and used + width_of(piece.rstrip()) > width:
            yield line.rstrip()
            line, used, empty = others, width_of(others), True
            piece = piece.lstrip()
        line += piece
        used += width_of(piece)
        empty = False
    if not empty:
        yield line.rstrip()


def bar(share: float, width: int) -> str:
    """A bar of ``width`` cells filled to a share of 0 to 100, in eighths of a cell.

    >>> bar(50, 4), bar(0, 4), bar(1, 4)
    ('██  ', '    ', '▏   ')
    """
    eighths = round(max(0.0, min(100.0, share)) / 100 * width * 8)
    if share > 0:
        eighths = max(1, eighths)
    full, rest = divmod(eighths, 8)
    return ("█" * full + ("▏▎▍▌▋▊▉"[rest - 1] if rest else "")).ljust(width)


def middle_cut(text: str, width: int) -> str:
    """A text cut in its middle to at most ``width`` characters.

    >>> middle_cut("abcdefghij", 7)
    'abc…hij'
    """
    if len(text) <= width:
        return text
    if width < 4:
        return text[:width]
    head = (width - 1) // 2
    return f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"
