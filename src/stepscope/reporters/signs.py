"""Differences as text, with their sign."""

from __future__ import annotations

from stepscope.messages.quantities import time_text


def signed(ns: float) -> str:
    """A difference of times.

    >>> signed(1500), signed(-2_000_000), signed(0)
    ('+1.50 us', '-2.00 ms', '0 ns')
    """
    return f"{'+' if ns > 0 else '-' if ns < 0 else ''}{time_text(abs(round(ns)))}"
