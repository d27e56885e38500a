"""Counts and times of a sentence as people say them."""

from __future__ import annotations

import re


def spoken(text: str) -> str:
    """A sentence with "once" for one time, and times of 10 s and more in seconds.

    >>> spoken("The host works: 13334.8 ms a step"), spoken("train.py:7, 1 times a step"), spoken("11 times a step")
    ('The host works: 13.3 s a step', 'train.py:7, once a step', '11 times a step')
    """
    text = re.sub(r"(?<![\d.,])1 times a step", "once a step", text)
    return re.sub(r"(?<![\d.,])(\d{5,}\.\d+) ms\b", lambda found: f"{float(found[1]) / 1_000:.1f} s", text)
