"""What was not recorded, what cannot be shown without it, and the option that records it."""

from __future__ import annotations

from collections.abc import Callable

from stepscope.analyses.critical_path.threads import HOST_TABLES
from stepscope.analyses.needs import NEEDS, recording_facts
from stepscope.analyses.none_of_it import none_happened
from stepscope.analyses.recording.check import NONE, NONE_HAPPENED, NOT_RECORDED, OK, WARNING, Check
from stepscope.messages import Message
from stepscope.store.profile import Rank

_WHOLE, _EARLY = "end", ("budget", "foreign")
"""What ``closed`` says of a window that has all its steps, and of one that the process outlived."""


def is_foreign(rank: Rank) -> bool:
    """Whether no event is of a category that torch.profiler writes, as in Chrome traces of other tools."""
    return not any(rank.trace.rows(name) for name in (*HOST_TABLES, "activity"))


def window(rank: Rank) -> Check | None:
    """Whether a window of ``stepscope record`` ended with its last step, or before."""
    said = recording_facts(rank)
    closed, steps = said.get("closed"), (said.get("first_step"), said.get("last_step"))
    if not closed:
        return None
    first, last = steps
    named = Message("check-window-steps", first=str(first), last=str(last), single=first == last)
    value = NONE if None in steps else named
    if closed == _WHOLE:
        return None if None in steps else Check("window", OK, value)
    known = Message(f"check-window-{closed}") if closed in _EARLY else Message("check-window-ended", how=str(closed))
    return Check("window", WARNING, value, known)


def _recorded(name: str) -> Callable[[Rank], Check]:
    """A check whether something was recorded."""
    need = NEEDS[name]

    def make(rank: Rank) -> Check:
        if need.present(rank) or (name == "memory" and rank.trace.rows("npu_memory")):
            return Check(name, OK, Message("check-recorded"))
        if none_happened([rank], name):
            return Check(name, OK, Message("check-recorded"), NONE_HAPPENED)
        cut = rank.trace.truncated is not None
        detail = need.check_cut() if cut else need.check(rank.recorder, bool(recording_facts(rank)))
        return Check(name, WARNING, NOT_RECORDED, detail)

    return make


RECORDED = [_recorded(name) for name in ("operators", "shapes", "stacks", "memory")]
"""Checks of what was recorded; GPU activity has a check of its own."""
