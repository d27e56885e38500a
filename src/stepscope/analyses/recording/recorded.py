"""What was not recorded, what cannot be shown without it, and the option that records it."""

from __future__ import annotations

from collections.abc import Callable

from stepscope.analyses.critical_path.threads import HOST_TABLES
from stepscope.analyses.needs import NEEDS, recording_facts
from stepscope.analyses.recording.check import NOT_RECORDED, OK, WARNING, Check
from stepscope.messages import Message
from stepscope.store.profile import Rank


def is_foreign(rank: Rank) -> bool:
    """Whether no event is of a category that torch.profiler writes, as in Chrome traces of other tools."""
    return not any(rank.trace.rows(name) for name in (*HOST_TABLES, "activity"))


def _recorded(name: str) -> Callable[[Rank], Check]:
    """A check whether something was recorded."""
    need = NEEDS[name]

    def make(rank: Rank) -> Check:
        if need.present(rank):
            return Check(name, OK, Message("check-recorded"))
        return Check(name, WARNING, NOT_RECORDED, need.check(rank.recorder, bool(recording_facts(rank))))

    return make


RECORDED = [_recorded(name) for name in ("operators", "shapes", "stacks", "memory")]
"""Checks of what was recorded; GPU activity has a check of its own."""
