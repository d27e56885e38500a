"""How long each rank delays each step by its own work.

At each collective a rank may be late (`waiting`). Where computing runs beside communication, a rank that is behind is
late at one collective after the other for the same work, and their sum would count it several times. So a rank delays
a step by at most what its step is longer, waiting left out, than the median of the ranks that it shares the collectives
with; where the others' own time is not known, by at most its largest lateness at one of them.
"""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from stepscope.analyses.ranks.matching import matched_calls
from stepscope.analyses.ranks.operations import JUDGED, TOGETHER
from stepscope.analyses.ranks.parts import step_parts, uncut
from stepscope.analyses.ranks.waiting import above_others, shared_calls
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile

_SMALL = {2: 1.48, 3: 1.2, 4: 1.13, 5: 1.09}
"""Standard deviation / median of that of so many normal variables."""

_LARGEST_OF_ONE = 1.48
"""Standard deviation / median absolute deviation of a normal variable."""


@per_profile
def step_lateness(profile: Profile) -> pl.DataFrame:
    """A row per rank and step whose collectives could all be judged, of the whole profile.

    The first collective of a recording cannot: it is unknown since when its ranks worked. Where no step has all of them
    judged, those with some count.

    Columns: rank, step, job_step, lateness_ns, votes (collectives that it was late at), collectives (judged), chance_ns
    (of a vote), duration_ns (of the job's step).
    """
    judged = _judged(profile)
    steps = step_parts(profile)
    lengths = uncut(steps).group_by("job_step").agg(pl.col("duration_ns").max())
    late = pl.col("late_ns")
    rows = judged.group_by("rank", "job_step").agg(
        late.sum(),
        late.max().alias("largest_ns"),
        (late > 0).sum().cast(pl.Int64).alias("votes"),
        pl.len().cast(pl.Int64).alias("collectives"),
        pl.col("chance_ns").max(),
    )
    voted = judged.filter(late > 0).select("key", "rank", "job_step").unique()
    most = voted.join(_longer(profile, judged), on=["key", "rank", "job_step"], how="left")
    most = most.group_by("rank", "job_step").agg(pl.col("longer_ns").max())
    rows = rows.join(most, on=["rank", "job_step"], how="left").join(lengths, on="job_step")
    rows = rows.join(steps.select("rank", "job_step", "step"), on=["rank", "job_step"], how="left")
    own_number = pl.col("step").fill_null(pl.col("job_step"))
    at_most = pl.coalesce(pl.col("longer_ns").clip(0), "largest_ns")
    bounded = pl.min_horizontal("late_ns", at_most).alias("lateness_ns")
    return rows.with_columns(bounded, own_number).drop("late_ns", "largest_ns", "longer_ns").sort("rank", "step")


def _judged(profile: Profile) -> pl.DataFrame:
    """Calls that could be judged, of the ranks and steps that have no other: none without partner either."""
    needed = shared_calls(profile).filter(pl.col("op").is_in(list(JUDGED)) & (pl.col("seen") > 1))
    lone = matched_calls(profile).filter(pl.col("op").is_in(list(TOGETHER)) & pl.col("collective").is_null())
    whole = needed.filter(pl.col("judged").all().over("rank", "job_step"))
    whole = whole.join(lone.select("rank", "job_step").unique(), on=["rank", "job_step"], how="anti")
    return whole if len(whole) else needed.filter("judged")


def _longer(profile: Profile, judged: pl.DataFrame) -> pl.DataFrame:
    """By how much each rank's own step is longer than the median of its group's others; nothing where none is known.

    Columns: key, rank, job_step, longer_ns.
    """
    members = judged.select("key", "rank", "job_step").unique()
    own = members.join(_own(profile), on=["rank", "job_step"]).filter(pl.len().over("key", "job_step") > 1)
    own = own.with_columns(pl.struct("key", "job_step").rank("dense").cast(pl.Int64).alias("group"))
    longer = above_others(own["group"].to_numpy(), own["own_ns"].to_numpy())
    return own.select("key", "rank", "job_step", pl.Series("longer_ns", longer, dtype=pl.Int64))


def _own(profile: Profile) -> pl.DataFrame:
    return step_parts(profile).select("rank", "job_step", "own_ns").drop_nulls()


def own_noise(profile: Profile) -> float:
    """How much later than the others the latest of equal ranks is by chance, in ns a step, on the mean over steps.

    Each rank's own time differs from step to step around what is usual for it. With ``s`` the median over ranks of that
    standard deviation, the mean of ``k`` steps of the latest of ``n`` such ranks lies about ``s sqrt(2 ln n / k)``
    above the others (the largest of n normal variables), and now and then one deviation more.
    """
    judged = step_lateness(profile).select("rank", "job_step")
    own = judged.join(_own(profile), on=["rank", "job_step"])
    usual = pl.col("own_ns") - pl.col("own_ns").median().over("job_step")
    spread = own.with_columns(usual.alias("apart")).group_by("rank").agg(pl.col("apart").std(), pl.len().alias("steps"))
    ranks = len(spread)
    if ranks < 2:
        return 0.0
    steps = int(np.median(spread["steps"].to_numpy()))
    if steps < 2:
        first = own.select(usual.abs().median()).item()
        return _LARGEST_OF_ONE * float(first or 0.0) * (math.sqrt(2 * math.log(ranks)) + 1)
    typical = float(np.median(spread["apart"].fill_null(0.0).to_numpy())) * _SMALL.get(steps, 1.05)
    return typical * (math.sqrt(2 * math.log(ranks)) + 1) / math.sqrt(steps)


def peers(profile: Profile, rank: int) -> list[int]:
    """The ranks that a rank shares those collectives with that it is late at."""
    judged = shared_calls(profile).filter("judged")
    keys = judged.filter((pl.col("rank") == rank) & (pl.col("late_ns") > 0)).select("key").unique()
    members = judged.join(keys, on="key", how="semi")["rank"].unique().sort()
    return [number for number in members.to_list() if number != rank]
