"""The fixes of findings as changes of a what-if: the same simulation, the same figure."""

from __future__ import annotations

from collections.abc import Callable

from stepscope.analyses.simulation.model import Edit
from stepscope.findings.examination import Finding, examine
from stepscope.store.profile import Profile, Rank


def finding_of(profile: Profile, rank: Rank, name: str) -> Finding | None:
    """The finding of a rank that has an id, None without one."""
    found = examine(profile, rank)
    return next((one for one in found.findings if one.cause.id == name), None) if found else None


def fix_of(profile: Profile, rank: Rank, name: str) -> Callable[[Edit, int], Edit] | None:
    """What simulates its fix."""
    found = finding_of(profile, rank, name)
    return found.fix if found else None
