"""Which stage of a pipeline each rank is, from the messages that ranks send each other.

In every schedule the first message of a step between two neighbours carries activations forward: gradients come back
only after them. A stage is one behind the furthest stage that sends to it.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import polars as pl

from stepscope.analyses.ranks.operations import MESSAGES

Pair = tuple[int, int]


def messages_of(calls: pl.DataFrame) -> pl.DataFrame:
    """Calls of `exposure.told_calls` that are messages whose sender and receiver are known."""
    known = pl.col("sender").is_not_null() & pl.col("receiver").is_not_null()
    return calls.filter(pl.col("op").is_in(list(MESSAGES)) & known & (pl.col("sender") != pl.col("receiver")))


def forward_pairs(messages: pl.DataFrame) -> set[Pair]:
    """Pairs of neighbours in the direction of the forward pass, by most steps."""
    low, high = pl.min_horizontal("sender", "receiver"), pl.max_horizontal("sender", "receiver")
    if messages["step"].is_not_null().any():
        messages = messages.filter(pl.col("step").is_not_null())  # what was launched before may be a step's second half
    first = (
        messages.with_columns(low.alias("low"), high.alias("high"))
        .sort("start_ns", "rank", maintain_order=True)
        .group_by("low", "high", "step", "rank", maintain_order=True)
        .agg(pl.col("sender").first(), pl.col("receiver").first())
    )
    votes = Counter((int(sender), int(receiver)) for sender, receiver in first.select("sender", "receiver").iter_rows())
    return {(a, b) for (a, b), count in votes.items() if (count, a < b) > (votes[b, a], b < a)}


def stages_of(pairs: set[Pair]) -> dict[int, tuple[int, int]]:
    """Stage, and number of stages of its pipeline, of each rank; without those whose pipelines run in a circle.

    >>> sorted(stages_of({(0, 2), (2, 4), (1, 3)}).items())
    [(0, (0, 3)), (1, (0, 2)), (2, (1, 3)), (3, (1, 2)), (4, (2, 3))]
    >>> stages_of({(0, 1), (1, 0)})
    {}
    """
    behind: defaultdict[int, list[int]] = defaultdict(list)
    before: Counter[int] = Counter()
    for a, b in pairs:
        behind[a].append(b)
        before[b] += 1
    stage = {rank: 0 for pair in pairs for rank in pair if not before[rank]}
    ready, done = sorted(stage), dict(stage)
    while ready:
        rank = ready.pop()
        for other in behind[rank]:
            stage[other] = max(stage.get(other, 0), stage[rank] + 1)
            before[other] -= 1
            if not before[other]:
                done[other] = stage[other]
                ready.append(other)
    lengths: dict[int, int] = {}
    for component in _components(pairs):
        if component <= done.keys():
            lengths |= dict.fromkeys(component, max(done[one] for one in component) + 1)
    return {rank: (done[rank], count) for rank, count in lengths.items()}


def _components(pairs: set[Pair]) -> list[set[int]]:
    """Ranks that messages join, directly or by others."""
    near: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in pairs:
        near[a].add(b)
        near[b].add(a)
    left, found = set(near), []
    while left:
        waiting = [left.pop()]
        component = set(waiting)
        while waiting:
            for other in near[waiting.pop()] & left:
                left.remove(other)
                component.add(other)
                waiting.append(other)
        found.append(component)
    return found
