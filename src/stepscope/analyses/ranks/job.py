"""The job's step against its best rank, and what its communication waits for (see docs/tables/)."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.communication.collectives import unmatched_notes
from stepscope.analyses.ranks.exposure import selected_calls
from stepscope.analyses.ranks.parts import step_parts, uncut
from stepscope.analyses.ranks.rank_matrix import selected
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_MEANS = (
    "duration_ns",
    "best_ns",
    "slowest_ns",
    "exposed_communication_ns",
    "exposed_wait_ns",
    "exposed_transfer_ns",
    "exposed_unmatched_ns",
)


def job(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``job``: the mean over steps first, then each of them.

    They are the steps that the recording did not cut and that most ranks have.
    """
    schema = TABLES["job"].schema
    chosen = uncut(selected(profile, step_parts(profile)))
    rows = _shared_steps(chosen.with_columns(pl.col("job_step").alias("step")).drop_nulls("step"))
    if len(rows) == 0:
        return pl.DataFrame(schema=schema)
    steps = _steps(rows).join(
        _waited(selected_calls(profile), ["job_step"]), left_on="step", right_on="job_step", how="left"
    )
    mean = rows.group_by("rank").agg(pl.col("duration_ns", "own_ns", *_parts()).mean()).sort("rank")
    mean = _steps(mean.with_columns(pl.lit(None, pl.Int64).alias("step")))
    longest = pl.lit(float(np.mean(steps["duration_ns"].to_numpy()))).alias("duration_ns")
    inside = selected_calls(profile).filter(pl.col("job_step").is_in(steps["step"].implode()))
    whole = _waited(inside.with_columns(pl.lit(0).alias("all")), ["all"])
    mean = mean.with_columns(longest, pl.lit(0).alias("all")).join(whole, on="all", how="left")
    rounded = [pl.col(name).round().cast(pl.Int64) for name in _MEANS]
    table = pl.concat([mean.with_columns(rounded), steps.sort("step").with_columns(rounded)], how="diagonal_relaxed")
    return table.with_columns(_exact()).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _shared_steps(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows of the steps that most ranks have: others were recorded of some ranks only."""
    ranks = pl.col("rank").n_unique().over("step")
    return rows.filter(ranks == ranks.max())


def _parts() -> list[str]:
    return ["exposed_wait_ns", "exposed_transfer_ns", "exposed_unmatched_ns"]


def _exact() -> pl.Expr:
    """Rounded parts add up."""
    return pl.sum_horizontal(*_parts()).alias("exposed_communication_ns")


def _steps(rows: pl.DataFrame) -> pl.DataFrame:
    """A row per step of rows of `rank_matrix`."""
    own = pl.col("own_ns")
    known = own.is_not_null().any()
    return (
        rows.sort("step", "rank")
        .group_by("step")
        .agg(
            pl.len().alias("ranks"),
            pl.col("duration_ns").max(),
            pl.when(known).then(pl.col("rank").sort_by(own, "rank", nulls_last=True).first()).alias("best_rank"),
            own.min().alias("best_ns"),
            pl.when(known).then(pl.col("rank").sort_by(own, "rank").last()).alias("slowest_rank"),
            own.max().alias("slowest_ns"),
            *(pl.col(name).mean() for name in _parts()),
            pl.sum_horizontal(*_parts()).mean().alias("exposed_communication_ns"),
        )
    )


def _waited(calls: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    """Who is waited for longest while nothing computes, and its share of such waiting."""
    waits = calls.filter(pl.col("wait_ns") > 0).group_by(*by, "last_rank").agg(pl.col("exposed_wait_ns").sum())
    waits = waits.sort("exposed_wait_ns", "last_rank", descending=[True, False])
    total = pl.col("exposed_wait_ns").sum()
    return waits.group_by(by, maintain_order=True).agg(
        pl.when(total > 0).then(pl.col("last_rank").first()).alias("waited_for"),
        pl.when(total > 0).then(100.0 * pl.col("exposed_wait_ns").first() / total).alias("waited_for_pct"),
    )


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What was not matched, and how to read the best rank."""
    found = unmatched_notes(profile)
    if len(frame) and len(profile.ranks) > 1:
        found.append(Message("note-job-own-time"))
    return found
