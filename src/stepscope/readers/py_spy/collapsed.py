"""Samples of collapsed stacks: counts without times."""

from __future__ import annotations

import re

from stepscope.readers.py_spy.stacks import MOST_FRAMES, Frame, Stacks

_PLACE = re.compile(r"^(.*) \(([^()]*):(\d{1,9})\)$")
_THREAD = re.compile(r"^(?:thread|process) ")
_MOST_COUNT = 1 << 40


def from_collapsed(said: str, stacks: Stacks) -> str:
    """Add the stacks of a file; frames that name the process and thread say whose they are.

    Raises:
        ValueError: no line is a stack.
    """
    for line in said.split("\n"):
        whole, _, count = line.rstrip("\r").rpartition(" ")
        if not line.strip():
            continue
        if not count.isascii() or not count.isdigit() or not 0 < int(count[:20]) < _MOST_COUNT or not whole:
            stacks.damaged += 1
            continue
        parts = whole.split(";")
        inside = next((at for at, part in enumerate(parts) if not _THREAD.match(part)), len(parts))
        if len(stacks.frames) > MOST_FRAMES:
            stacks.damaged += 1
            continue
        number = stacks.stack((whole,), [_frame(part) for part in parts[inside:]])
        stacks.add("; ".join(parts[:inside]), None, None, int(count), number)
    if not stacks.samples:
        raise ValueError("no stacks")
    return ""


def _frame(part: str) -> Frame:
    """A frame as py-spy writes it.

    >>> _frame("load (train.py:12)"), _frame("gc")
    (('load', 'train.py', 12), ('gc', '', None))
    """
    found = _PLACE.match(part[:4000])
    return (found[1], found[2], int(found[3])) if found else (part, "", None)
