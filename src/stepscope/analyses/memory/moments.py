"""A part of the history of a snapshot that is open: what ``--between`` reads of a file, without reading it again."""

from __future__ import annotations

from dataclasses import replace

from stepscope.analyses.memory.snapshot import history, snapshot_of
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

TABLES_IN_PART = (
    "memory_timeline",
    "memory_peak",
    "memory_categories",
    "memory_alive",
    "memory_events",
    "memory_leaks",
    "memory_ranks",
    "memory_diff",
)
"""Tables that show a part of a history; the others show the end, or what happened once."""


def within(profile: Profile, begin_ns: int, end_ns: int) -> Profile:
    """A profile of one rank, limited to what was alive in a part of the history of its memory snapshot.

    Args:
        begin_ns, end_ns: the part on the rank's clock, from and to; cut where the history is shorter.

    Raises:
        BadRequest: there are several ranks, or none whose snapshot says when things happened.
    """
    rank = profile.ranks[0]
    if len(profile.ranks) > 1:
        raise _refused("error-part-of-one-rank", "error-part-name-rank")
    span = _span(rank)
    if span is None:
        raise _refused("error-part-no-times", "error-part-whole")
    begin = min(max(begin_ns, span[0]), span[1])
    return replace(profile, ranks=(rank.with_moments((begin, max(min(end_ns, span[1] + 1), begin + 1))),))


def part_argument(profile: Profile) -> str:
    """What ``--between`` takes for the part that is selected of the only rank; "" where all of it is."""
    snapshot = snapshot_of(profile.ranks[0]) if len(profile.ranks) == 1 else None
    if snapshot is None or snapshot.part is None:
        return ""
    part = snapshot.part
    return f"{part.begin_ns - part.first_ns}ns:{part.end_ns - part.first_ns}ns"


def _span(rank: Rank) -> tuple[int, int] | None:
    """When the first and the last entry of the snapshot were made, on the rank's clock; None where that is unknown."""
    snapshot = snapshot_of(rank)
    if snapshot is None:
        return None
    known = history(rank)["at_ns"].drop_nulls()
    return (int(known.min()), int(known.max())) if len(known) else None  # type: ignore[arg-type]


def _refused(found: str, advice: str) -> BadRequest:
    return BadRequest(Message("error-cannot-take-part"), Message(found), Message(advice))
