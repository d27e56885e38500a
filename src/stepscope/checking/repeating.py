"""A command recorded again and again until a check is decided.

Looking after every recording finds more false regressions than looking once, so a check counts as decided only where
two looks in a row agree, and not before the third recording.
"""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.checking.outcome import STEP, UNKNOWN, Verdict

LEAST, MOST = 3, 10
"""Recordings before a check is decided, and after which it ends anyway."""

AGREED, ENDED, HOPELESS, COUNTED = "agreed", "ended", "hopeless", "counted"
"""Why it ended: two looks agreed, `MOST` was reached, more would not tell, as many as asked for are there."""


def decided(looks: Iterator[Verdict], count: int | None = None) -> tuple[Verdict, str]:
    """The last verdict, and why no more were asked for.

    Args:
        looks: verdicts on one, two, three recordings and so on.
        count: take this many looks; None until it is decided.
    """
    outcomes: list[str] = []
    for number, found in enumerate(looks, 1):
        outcomes.append(found.outcome)
        if count is not None:
            if number == count:
                return found, COUNTED
        elif _is_hopeless(found):
            return found, HOPELESS
        elif number >= LEAST and outcomes[-1] == outcomes[-2] != UNKNOWN:
            return found, AGREED
        elif number == MOST:
            return found, ENDED
    raise ValueError("a check needs a recording")


def _is_hopeless(found: Verdict) -> bool:
    """Whether what cannot be told does not depend on the noise of the step time."""
    return found.refused or (found.outcome == UNKNOWN and all(one.kind != STEP for one in found.of(UNKNOWN)))
