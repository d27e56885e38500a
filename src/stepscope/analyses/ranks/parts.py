"""Each step of each rank divided: what the table ``rank_matrix`` shows, without lateness."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.ranks.exposure import both, parts_of, rank_uncovered, rank_windows
from stepscope.analyses.ranks.matching import matched_calls
from stepscope.analyses.ranks.waiting import shared_calls
from stepscope.store.profile import Profile, Rank

UNTOLD_PCT = 5.0
"""Communication that could not be matched: with more of a step's time than this its own time is not known."""

_EXPOSED = ("exposed_wait_ns", "exposed_transfer_ns")


def step_parts(profile: Profile) -> pl.DataFrame:
    """A row per rank and step of the whole profile.

    Columns: rank, step, job_step (see `_job_steps`), cut, duration_ns, the parts that add up to it (compute_ns,
    exposed_wait_ns, exposed_transfer_ns, exposed_unmatched_ns, exposed_memory_ns, idle_ns), communication_ns, and
    own_ns, the duration without exposed waiting; null where too much could not be told apart (`UNTOLD_PCT`).
    """
    return profile.remember("step parts", lambda: _parts(profile.everyone))


def _parts(profile: Profile) -> pl.DataFrame:
    shared = shared_calls(profile).partition_by("rank", as_dict=True)
    rows = pl.concat([_rank_parts(rank, shared.get((rank.number,))) for rank in profile.ranks])
    rows = rows.join(_job_steps(profile), on=["rank", "step"], how="left", maintain_order="left")
    return rows.with_columns(pl.col("job_step").fill_null(pl.col("step")))


def _job_steps(profile: Profile) -> pl.DataFrame:
    """Number under which most ranks know a rank's step (``job_step``): that of most of its collectives.

    A rank whose steps were counted from another moment has other numbers for them.
    """
    calls = matched_calls(profile).filter(pl.col("collective").is_not_null() & pl.col("step").is_not_null())
    counted = calls.group_by("rank", "step", "job_step").len().sort("len", "job_step", descending=True)
    found = counted.unique(["rank", "step"], keep="first", maintain_order=True)
    return found.unique(["rank", "job_step"], keep="first", maintain_order=True).drop("len")


def _rank_parts(rank: Rank, calls: pl.DataFrame | None) -> pl.DataFrame:
    windows = rank_windows(rank.whole)
    if rank.trace.rows("activity") == 0:
        windows = windows.clear()
    start, end = windows["start_ns"].to_numpy(), windows["end_ns"].to_numpy()
    exposed = [pl.lit(0, pl.Int64).alias(name) for name in _EXPOSED]
    if calls is not None and len(windows):
        uncovered = rank_uncovered(rank)
        lengths = [both(uncovered, part, start, end) for part in parts_of(calls)]
        windows = windows.with_columns(pl.Series(name, of) for name, of in zip(_EXPOSED, lengths, strict=True))
        exposed = []
    windows = windows.with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        (pl.col("end_ns") - pl.col("start_ns")).alias("duration_ns"),
        *exposed,
    )
    told = pl.col("exposed_wait_ns") + pl.col("exposed_transfer_ns")
    # What was not matched may be waiting: with much of it nobody knows the rank's own time.
    known = 100 * (pl.col("exposed_communication_ns") - told) <= UNTOLD_PCT * pl.col("duration_ns")
    return windows.select(
        *("rank", "step", "cut", "duration_ns", "compute_ns", *_EXPOSED),
        (pl.col("exposed_communication_ns") - told).alias("exposed_unmatched_ns"),
        *("exposed_memory_ns", "idle_ns", "communication_ns"),
        pl.when(known).then(pl.col("duration_ns") - pl.col("exposed_wait_ns")).alias("own_ns"),
    )


def uncut(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows of steps that were recorded whole, or all where none was."""
    whole = rows.filter(pl.col("cut") == 0)
    return whole if len(whole) else rows
