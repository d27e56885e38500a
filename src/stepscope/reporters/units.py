"""Text fitted to a terminal: quantities, bars, cuts."""

from __future__ import annotations

from stepscope.messages.quantities import bytes_text as bytes_text
from stepscope.messages.quantities import flops_text as flops_text
from stepscope.messages.quantities import one_line as one_line
from stepscope.messages.quantities import percent_text as percent_text
from stepscope.messages.quantities import rate_text as rate_text
from stepscope.messages.quantities import time_text as time_text


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
