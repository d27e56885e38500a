"""Each step of each rank divided: what the table ``rank_matrix`` shows, without lateness."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.ranks.exposure import both, parts_of, rank_uncovered, rank_windows
from stepscope.analyses.ranks.matching import matched_calls
from stepscope.analyses.ranks.step_numbering import step_offsets
from stepscope.analyses.ranks.waiting import shared_calls
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import PROFILER

UNTOLD_PCT = 5.0
"""Communication that could not be matched: with more of a step's time than this its own time is not known."""

_EXPOSED = ("exposed_wait_ns", "exposed_transfer_ns")


@per_profile
def step_parts(profile: Profile) -> pl.DataFrame:
    """A row per rank and step of the whole profile.

    Columns: rank, step, job_step (see `_job_steps`), cut, duration_ns, the parts that add up to it (compute_ns,
    exposed_wait_ns, exposed_transfer_ns, exposed_unmatched_ns, exposed_memory_ns, idle_ns), communication_ns, and
    own_ns, the duration without exposed waiting; null where too much could not be told apart (`UNTOLD_PCT`).
    """
    shared = shared_calls(profile).partition_by("rank", as_dict=True)
    rows = pl.concat([_rank_parts(rank, shared.get((rank.number,))) for rank in profile.ranks])
    return rows.join(_job_steps(profile), on=["rank", "step"], how="left", maintain_order="left")


def _job_steps(profile: Profile) -> pl.DataFrame:
    """The number under which most ranks know a rank's step (``job_step``): rank, step, job_step.

    Where the profiler marked steps on some ranks, those of the others, guessed from elsewhere, are no steps of the job.
    """
    offsets = step_offsets(matched_calls(profile))
    marked = [rank for rank in profile.ranks if rank.all_steps.source == PROFILER] or list(profile.ranks)
    frames = [
        rank.all_steps.ranges.select(
            pl.lit(rank.number, pl.Int64).alias("rank"),
            "step",
            (pl.col("step") + offsets.get(rank.number, 0)).alias("job_step"),
        )
        for rank in marked
    ]
    return pl.concat(frames).unique(["rank", "step"], keep="first")


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
