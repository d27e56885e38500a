"""Who arrives last at each collective, how long the others wait, and whose own work it is.

A collective moves nothing before its last rank has come. What that rank's kernel lasts is the transfer; what another
rank's kernel lasts longer, it waits. Both parts of a call add up to its duration exactly.

That a rank is late at a collective need not be its doing: it may have been let go late by the collective before, or a
message it needed came late. Its own time is that from the end of the last collective that held it (`TOGETHER`) to this
one's start, without what it waited for messages and the like in between; no clock but its own measures it. A rank is
late by as much as it arrives after the median of the others, and by no more than its own time is longer than the median
of theirs. A lateness below what the ranks' ends differ is chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.ranks.alignment import rank_clocks
from stepscope.analyses.ranks.matching import matched_calls
from stepscope.analyses.ranks.operations import JUDGED, MESSAGES, TOGETHER
from stepscope.numeric.intervals import Ints, covered_within, union
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile


@per_profile
def shared_calls(profile: Profile) -> pl.DataFrame:
    """Calls of collectives that were found on several ranks, by collective and arrival.

    Columns of `matching.matched_calls`, and: at_ns, until_ns (start and end on the job's clock); duration_ns;
    last_rank (of the collective); transfer_ns, wait_ns; end_spread_ns (of the collective: last end - first end);
    own_ns (the rank's own time before it); judged (whether lateness can be told); late_ns (own lateness, 0 where it is
    not more than chance); chance_ns.
    """
    clocks = rank_clocks(profile)
    calls = matched_calls(profile).filter(pl.col("collective").is_not_null())
    parts = []
    for (rank,), part in calls.partition_by("rank", as_dict=True, maintain_order=True).items():
        clock = clocks[rank]
        on_job = (clock.on_job(pl.col("start_ns")).alias("at_ns"), clock.on_job(pl.col("end_ns")).alias("until_ns"))
        parts.append(part.with_columns(*on_job, pl.lit(clock.uncertainty_ns or 0, pl.Int64).alias("unsure_ns")))
    calls = (
        pl.concat(parts)
        if parts
        else calls.with_columns(*(pl.lit(None, pl.Int64).alias(name) for name in ("at_ns", "until_ns", "unsure_ns")))
    )
    calls = calls.with_columns((pl.col("end_ns") - pl.col("start_ns")).alias("duration_ns"))
    calls = _with_own(_split(calls.sort("collective", "at_ns", "rank")), matched_calls(profile))
    return _judged(calls.sort("collective", "at_ns", "rank"))


def _split(calls: pl.DataFrame) -> pl.DataFrame:
    """Transfer and wait of each call, by the rank that arrived last.

    Of ranks whose arrivals are nearer to the last one than the clocks are sure, it is the one whose kernel is the
    shortest.
    """
    over = "collective"
    unsure = pl.when(pl.col("op").is_in(list(TOGETHER))).then(pl.col("unsure_ns").max().over(over)).otherwise(0)
    near = pl.col("at_ns") >= pl.col("at_ns").max().over(over) - unsure
    order = ["near", pl.when("together").then(-pl.col("duration_ns")).otherwise("at_ns"), "rank"]
    calls = calls.with_columns(near.alias("near"), pl.col("op").is_in(list(TOGETHER)).alias("together"))
    calls = calls.with_columns(
        pl.col("rank").sort_by(order).last().over(over).alias("last_rank"),
        pl.col("duration_ns").sort_by(order).last().over(over).alias("last_ns"),
        (pl.col("until_ns").max() - pl.col("until_ns").min()).over(over).alias("end_spread_ns"),
        pl.len().cast(pl.Int64).over(over).alias("seen"),
    )
    transfer = pl.min_horizontal("duration_ns", "last_ns")
    calls = calls.with_columns(transfer.alias("transfer_ns"), (pl.col("duration_ns") - transfer).alias("wait_ns"))
    return calls.drop("near", "together", "last_ns", "unsure_ns")


def _with_own(calls: pl.DataFrame, everything: pl.DataFrame) -> pl.DataFrame:
    """Calls with own_ns, the rank's own time before each; null where nobody knows since when it counts.

    Args:
        everything: calls without partner, too: since those nobody knows what of the time was waiting.
    """
    holds = pl.col("op").is_in(list(TOGETHER))
    ends = everything.filter(holds | pl.col("collective").is_null()).partition_by("rank", as_dict=True)
    parts = [calls.clear().with_columns(pl.lit(None, pl.Int64).alias("own_ns"))]
    for rank, mine in calls.partition_by("rank", as_dict=True, maintain_order=True).items():
        held = np.sort(ends.get(rank, everything.clear())["end_ns"].to_numpy())
        start = mine["start_ns"].to_numpy()
        before: Ints = np.searchsorted(held, start, side="right")
        since = held[np.maximum(before, 1) - 1] if len(held) else start
        others = mine.filter(~holds)
        waits = union(others["start_ns"].to_numpy(), (others["start_ns"] + others["wait_ns"]).to_numpy())
        own = pl.Series("own_ns", start - since - covered_within(waits, since, start), dtype=pl.Int64)
        parts.append(mine.with_columns(pl.when(pl.Series(before > 0)).then(own).alias("own_ns")))
    return pl.concat(parts)


def _judged(calls: pl.DataFrame) -> pl.DataFrame:
    """Calls with judged, late_ns and chance_ns."""
    known = pl.col("own_ns").is_not_null().all().over("collective")
    holds = pl.col("op").is_in(list(TOGETHER))
    judged = known & pl.col("op").is_in(list(JUDGED)) & (pl.col("seen") > 1)
    calls = calls.with_columns(judged.alias("judged"), holds.alias("holds"))
    spread = pl.col("end_spread_ns")
    chance = pl.coalesce(*(spread.filter(part).median().over("key") for part in (pl.col("judged") & holds, "judged")))
    calls = calls.with_columns(chance.fill_null(0).round().cast(pl.Int64).alias("chance_ns"))
    arrived, worked = (
        above_others(calls["collective"].to_numpy(), calls[name].fill_null(0).to_numpy())
        for name in ("at_ns", "own_ns")
    )
    late = pl.Series("late_ns", np.minimum(arrived, worked))
    # A root may leave before the others come: then it held nobody up.
    late_ns = pl.when("holds").then(late).otherwise(pl.min_horizontal(late, pl.col("wait_ns").max().over("collective")))
    counts = pl.col("judged") & (late_ns > pl.col("chance_ns"))
    return calls.with_columns(pl.when(counts).then(late_ns).otherwise(0).alias("late_ns")).drop("holds")


def above_others(group: Ints, values: Ints) -> Ints:
    """By how much each value is above the lower median of the others of its group; 0 for one alone.

    >>> above_others(np.array([0, 0, 0, 0]), np.array([3, 1, 2, 90]))
    array([ 1, -2, -1, 88])
    """
    if len(values) == 0:
        return values
    order = np.lexsort((values, group))
    ordered, of = values[order], group[order]
    first = np.concatenate([[True], of[1:] != of[:-1]])
    begin = np.maximum.accumulate(np.where(first, np.arange(len(of)), 0))
    size = np.diff(np.append(np.flatnonzero(first), len(of)))[np.cumsum(first) - 1]
    place = np.arange(len(of)) - begin
    middle = np.maximum(size - 2, 0) // 2
    other = begin + np.minimum(np.where(place > middle, middle, middle + 1), size - 1)
    found = np.empty(len(values), np.int64)
    found[order] = ordered - ordered[other]
    return found


def exchanges_messages(profile: Profile) -> bool:
    """Whether ranks send each other messages, as the stages of a pipeline do."""
    return bool(shared_calls(profile)["op"].is_in(list(MESSAGES)).any())


@dataclass(frozen=True)
class Coverage:
    """How many communication kernels there are, and of how many the other ranks' were found (some, all)."""

    calls: int
    matched: int
    complete: int


def coverage(profile: Profile) -> Coverage:
    """How far the calls of all ranks were matched."""
    calls = matched_calls(profile)
    matched = calls.filter(pl.col("collective").is_not_null())
    seen = pl.col("rank").n_unique().over("collective")
    size = pl.col("ranks").max().over("collective")
    expected = pl.when(pl.col("sender").is_not_null()).then(2).otherwise(size).fill_null(0)
    complete = matched.filter(seen >= expected)
    return Coverage(len(calls), len(matched), len(complete))
