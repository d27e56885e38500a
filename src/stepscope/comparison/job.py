"""Profiles of two sides compared: which rank of a job, and what the steps of all ranks did.

Ranks that synchronize in every step all take as long as the slowest of them, so the step of a job says nothing of the
rank that made it longer. What a rank does apart from exposed communication does: the rank is compared whose own time
differs most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from stepscope.comparison.compare import Comparison, check_comparable, compare
from stepscope.comparison.recorded import SIDE, compared_steps, step_parts
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

Sides = tuple[Sequence[Profile], Sequence[Profile]]

RANKS = {
    "rank": pl.Int64,
    "base_ns": pl.Int64,
    "new_ns": pl.Int64,
    "delta_ns": pl.Int64,
    "base_own_ns": pl.Int64,
    "new_own_ns": pl.Int64,
    "delta_own_ns": pl.Int64,
}

_COMMUNICATION = "communication"
_ALONE = -1
"""Of recordings of one rank each, whatever their numbers."""


def compare_profiles(base: Sequence[Profile], new: Sequence[Profile], number: int | None = None) -> Comparison:
    """Compare the recordings of two sides: of jobs the rank whose own time differs most, unless one is named.

    Args:
        number: a rank that every recording has.

    Raises:
        BadRequest: the sides share no rank, have no such rank, or hold nothing that can be compared.
    """
    sides = base, new
    if number is not None:
        return compare(*_ranks(sides, number))
    common = _common(sides)
    if len(common) == 1:
        return compare(*_ranks(sides, common[0]))
    rows = rank_rows(sides, common)
    return replace(compare(*_ranks(sides, _most_changed(rows))), ranks=rows)


def rank_rows(sides: Sides, common: Sequence[int]) -> pl.DataFrame:
    """Columns `RANKS`: the step of each rank, and its time without exposed communication, in the mean of recordings."""
    rows = []
    for number in common:
        times = [np.mean([_times(rank) for rank in side], axis=0) for side in _ranks(sides, number)]
        (base, base_own), (new, new_own) = np.rint(times).astype(np.int64).tolist()
        rows.append((number, base, new, new - base, base_own, new_own, new_own - base_own))
    return pl.DataFrame(rows, schema=RANKS, orient="row")


def _times(rank: Rank) -> tuple[float, float]:
    """A step of a rank in ns, and what of it is no exposed communication."""
    check_comparable(rank)
    steps, parts = compared_steps(rank), step_parts(rank)
    waits = parts.filter(level=SIDE, key=_COMMUNICATION)["ns"].sum()
    whole = float(steps.length.sum())
    return whole / len(steps), (whole - float(waits)) / len(steps)


def _most_changed(rows: pl.DataFrame) -> int:
    """The rank whose own time differs most; of equal ones the first."""
    return int(rows.sort(-pl.col("delta_own_ns").abs(), "rank")["rank"][0])


def _common(sides: Sides) -> list[int]:
    """Ranks that all recordings have; where there is none, and each has one, that one."""
    numbers = [{rank.number for rank in profile.ranks} for side in sides for profile in side]
    common = set.intersection(*numbers)
    if common:
        return sorted(common)
    if all(len(one) == 1 for one in numbers):
        return [_ALONE]
    tried = Message("diff-cannot-compare", path=sides[0][0].path)
    raise BadRequest(tried, Message("diff-ranks-apart"), Message("error-name-one"))


def _ranks(sides: Sides, number: int) -> tuple[list[Rank], list[Rank]]:
    base, new = ([_rank(profile, number) for profile in side] for side in sides)
    return base, new


def _rank(profile: Profile, number: int) -> Rank:
    return profile.ranks[0] if number == _ALONE else profile.select([number]).ranks[0]
