"""What leads the recorded critical path, beside what the verdict says that the steps wait for.

The verdict is about steps without profiler overhead that follow one another; the critical path is that of each step as
recorded. Where they name different things the verdict says why, so that the two do not contradict one another.
"""

from __future__ import annotations

from collections.abc import Mapping

from stepscope.analyses.critical_path.critical_path import path_shares
from stepscope.analyses.needs import is_kineto
from stepscope.analyses.simulation.bottleneck_sides import (
    COMMUNICATION,
    COMPUTE,
    COPIES,
    DATA_LOADING,
    HOST,
    binding_shares,
)
from stepscope.analyses.simulation.model import step_model
from stepscope.analyses.simulation.representative import examined
from stepscope.messages import Message
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

GPU = "gpu"

CLOSE_POINTS = 10
"""Shares that differ by less are alike."""

_SIDE = {
    "compute": GPU,
    "memcpy": GPU,
    "memset": GPU,
    "communication": "communication",
    "data_loading": "data loading",
    "python": "host",
    "operator": "host",
    "runtime": "host",
    "other": "host",
}
_BOUND = {COMPUTE: GPU, COPIES: GPU, COMMUNICATION: "communication", DATA_LOADING: "data loading", HOST: "host"}


def sides_of(shares: Mapping[str, float]) -> dict[str, float]:
    """Shares of `binding_shares` by what a verdict names."""
    found = dict.fromkeys(_BOUND.values(), 0.0)
    for side, share in shares.items():
        found[_BOUND[side]] += share
    return found


@per_rank
def path_sides(rank: Rank) -> dict[str, float]:
    """Share of the recorded critical path that lies with each of what a verdict names, in per cent."""
    found = dict.fromkeys(_SIDE.values(), 0.0)
    for kind, share in path_shares(rank).items():
        if kind in _SIDE:
            found[_SIDE[kind]] += share
    return found


def largest_side(shares: Mapping[str, float], path: Mapping[str, float]) -> str:
    """The side with the largest share. Of CPU work and the loader, if they are alike, the one that has more of the
    path: profiler overhead makes both longer."""
    largest = max(shares, key=lambda side: shares[side])
    both = ("host", "data loading")
    if largest not in both or abs(shares["host"] - shares["data loading"]) >= CLOSE_POINTS:
        return largest
    return max(both, key=lambda side: path[side])


def alike(shares: Mapping[str, float]) -> tuple[Message, ...]:
    """The two largest sides by name where neither leads; CPU work and the loader, both of the host, count as one."""
    host = max(("host", "data loading"), key=lambda side: shares[side])
    of_each = {side: shares[side] for side in (GPU, "communication")}
    of_each[host] = shares["host"] + shares["data loading"]
    first, second = sorted(of_each, key=lambda side: -of_each[side])[:2]
    close = of_each[second] > 0 and of_each[first] - of_each[second] < CLOSE_POINTS
    return (_NAMED[first], _NAMED[second]) if close else ()


def differs(rank: Rank, bound: str) -> list[Message]:
    """Why something else leads the recorded critical path, where it does."""
    path = path_sides(rank)
    lead = max(path, key=lambda side: path[side])
    if bound not in path or path[lead] - path[bound] < CLOSE_POINTS:
        return []
    rank = examined(rank)
    model = step_model(rank)
    recorded = sides_of(binding_shares(rank, model, model.unchanged())) if model is not None else {}
    by_profiler = is_kineto(rank) and bool(recorded) and recorded[lead] > recorded[bound]
    name = "verdict-path-profiled" if by_profiler else "verdict-path-overlap"
    return [Message(name, lead=_NAMED[lead], bound=_NAMED[bound], share_pct=path[lead])]


_NAMED = {
    GPU: Message("verdict-lead-gpu"),
    "communication": Message("verdict-lead-communication"),
    "data loading": Message("verdict-lead-loader"),
    "host": Message("verdict-lead-host"),
}
