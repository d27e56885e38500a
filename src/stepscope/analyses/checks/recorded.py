"""What was not recorded, what cannot be shown without it, and the option that records it."""

from __future__ import annotations

from collections.abc import Callable

from stepscope.analyses.checks.check import OK, WARNING, Check
from stepscope.store.profile import Rank


def _recorded(check: str, option: str, lost: str, present: Callable[[Rank], bool]) -> Callable[[Rank], Check]:
    """A check whether something was recorded."""

    def make(rank: Rank) -> Check:
        if present(rank):
            return Check(check, OK, "recorded", "")
        return Check(check, WARNING, "not recorded", f"cannot show {lost}; record with {option}")

    return make


def _has(table: str, column: str) -> Callable[[Rank], bool]:
    return lambda rank: bool(rank.trace.frame(table, [column])[column].is_not_null().any())


def _has_stacks(rank: Rank) -> bool:
    if rank.trace.rows("python"):
        return True
    stacks = rank.trace.frame("operator", ["call_stack"])["call_stack"].drop_nulls().unique()
    return bool((rank.trace.text(stacks) != "").any())


def _has_operators(rank: Rank) -> bool:
    return rank.trace.rows("operator") > 0


RECORDED = [
    _recorded(
        "operators",
        "ProfilerActivity.CPU in activities",
        "self times, GPU time by operator",
        _has_operators,
    ),
    _recorded("shapes", "record_shapes=True", "operators by shape, FLOPs", _has("operator", "input_dims")),
    _recorded("stacks", "with_stack=True", "source lines and modules", _has_stacks),
    _recorded("memory", "profile_memory=True", "memory over time", lambda rank: rank.trace.rows("memory") > 0),
]
"""Checks of what was recorded."""
