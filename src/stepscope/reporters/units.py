"""Numbers as people read them."""

from __future__ import annotations

from stepscope.findings.scaling import percent_text as percent_text
from stepscope.findings.scaling import scaled
from stepscope.findings.scaling import time_text as time_text

_BYTE_STEPS = [(1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
_COUNT_STEPS = [(10**15, "P"), (10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")]


def bytes_text(count: int | float | None) -> str:
    """A size with three digits and its binary unit.

    >>> bytes_text(1536), bytes_text(0)
    ('1.50 KiB', '0 B')
    """
    return scaled(count, _BYTE_STEPS, "B")


def flops_text(count: int | float | None) -> str:
    """A large count with three digits and its prefix.

    >>> flops_text(193_350_205_440)
    '193 G'
    """
    return scaled(count, _COUNT_STEPS, "").rstrip()


def rate_text(per_second: int | float | None, unit: str) -> str:
    """A rate with three digits, its prefix and its unit.

    >>> rate_text(43_605_262_855_655.5, "FLOP/s"), rate_text(4.8e12, "B/s"), rate_text(None, "B/s")
    ('43.6 TFLOP/s', '4.80 TB/s', '-')
    """
    return f"{scaled(per_second, _COUNT_STEPS, '')}{unit}" if per_second is not None else "-"


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


def one_line(text: str) -> str:
    """Text of a trace as it may be printed: no control characters, so that it cannot steer the terminal.

    >>> one_line("a\\x1b[31mb\\n")
    'a?[31mb?'
    """
    return "".join(character if character.isprintable() else "?" for character in text)
