"""The few ranks of a job that are examined in detail: the verdict on each of hundreds is not worth reading."""

from __future__ import annotations

import polars as pl

from stepscope import analyses
from stepscope.analyses.ranks.stragglers import STRAGGLER
from stepscope.messages import Message
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile, as_ranges

MANY = 8
"""Of more ranks than this, tables that compare ranks have all, and details are of a few only."""

_MOST_LATE = 2


def few_ranks(profile: Profile) -> Profile:
    """The ranks that are examined in detail: all of few; of many the latest, the quickest and the first."""
    if len(profile.ranks) <= MANY:
        return profile
    return _few_of(profile, profile)


@per_profile
def _few_of(everyone: Profile, selected: Profile) -> Profile:
    late = analyses.make_table(selected, "stragglers").filter(pl.col("verdict") == STRAGGLER)
    best = analyses.make_table(selected, "job")["best_rank"].head(1).to_list()
    first = [rank.number for rank in selected.ranks[:1]]
    return selected.select(sorted({*late["rank"].head(_MOST_LATE).to_list(), *best, *first}))


def selection_note(profile: Profile) -> list[Message]:
    """Which ranks these are, where they are not all."""
    few = few_ranks(profile)
    if few is profile:
        return []
    chosen = as_ranges([rank.number for rank in few.ranks])
    return [Message("finding-selected-ranks", ranks=len(profile.ranks), chosen=chosen)]
