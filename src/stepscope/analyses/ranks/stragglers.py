"""Which rank is late, how often, by how much, and what it did before (see docs/tables/).

Every collective but a message is a vote: for a rank that comes later than the others, for its own work
(`ranks.waiting`) and by more than chance. A rank is called a straggler only where the votes of a step add up to a
share of the job's step that matters, in most steps, and clearly to more than chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from stepscope.analyses.communication.collectives import unmatched_notes
from stepscope.analyses.ranks.causes import Found, cause_of
from stepscope.analyses.ranks.lateness import own_noise, step_lateness
from stepscope.analyses.ranks.rank_matrix import selected
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, as_ranges

STRAGGLER = "straggler"

LEAST_PCT = 2.0
"""A lateness below this share of the job's step is not worth a word."""

MOST_STEPS = 2 / 3
"""Chance makes another rank late in another step."""

SEVERAL, SOME_STEPS = 3, 1 / 3
"""So many late steps, and such a share of all, are enough for a rank that has more than half of all late steps."""

OVER_CHANCE = 1.5


def stragglers(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``stragglers``, latest first.

    Args:
        by: "" for a row per rank, ``step`` for one per rank and step, with the step's number in ``step``.
    """
    rows = selected(profile, step_lateness(profile))
    return _by_step(rows) if by == "step" else _by_rank(profile, rows, own_noise(profile))


def _late_step() -> pl.Expr:
    """Whether a rank holds a step back by more than chance, worth a word."""
    return (pl.col("lateness_ns") > OVER_CHANCE * pl.col("chance_ns")) & (
        100 * pl.col("lateness_ns") >= LEAST_PCT * pl.col("duration_ns")
    )


def _alone_late() -> pl.Expr:
    """Whether a rank is late now and then, and hardly any other ever is."""
    late = pl.col("late_steps")
    return (late >= SEVERAL) & (late >= SOME_STEPS * pl.col("steps")) & (2 * late > late.sum())


def _by_step(rows: pl.DataFrame) -> pl.DataFrame:
    schema = {
        "rank": pl.Int64,
        "step": pl.Int64,
        **{k: v for k, v in TABLES["stragglers"].schema.items() if k != "rank"},
    }
    late = _late_step()
    table = rows.with_columns(
        (100 * pl.col("lateness_ns") / pl.col("duration_ns")).alias("lateness_pct"),
        pl.lit(1).alias("steps"),
        late.cast(pl.Int64).alias("late_steps"),
        pl.lit("").alias("verdict"),
        pl.lit("").alias("cause"),
        pl.lit(None, pl.Float64).alias("cause_pct"),
        pl.lit("").alias("detail"),
        (pl.col("chance_ns") * pl.max_horizontal("votes", pl.lit(1))).alias("uncertainty_ns"),
    )
    return table.select(pl.col(name).cast(dtype) for name, dtype in schema.items()).sort(
        "lateness_ns", "step", "rank", descending=[True, False, False]
    )


def _by_rank(profile: Profile, rows: pl.DataFrame, noise_ns: float) -> pl.DataFrame:
    schema = TABLES["stragglers"].schema
    late = _late_step()
    votes = pl.max_horizontal(pl.col("votes").sum() / pl.len(), 1.0)
    unsure = pl.max_horizontal(pl.col("chance_ns").max() * votes, pl.lit(noise_ns))
    table = rows.group_by("rank").agg(
        pl.col("lateness_ns").mean().round().cast(pl.Int64),
        (100 * pl.col("lateness_ns").sum() / pl.col("duration_ns").sum()).alias("lateness_pct"),
        pl.col("votes").sum(),
        pl.col("collectives").sum(),
        pl.len().cast(pl.Int64).alias("steps"),
        late.sum().cast(pl.Int64).alias("late_steps"),
        unsure.round().cast(pl.Int64).alias("uncertainty_ns"),
    )
    sure = pl.col("lateness_ns") >= OVER_CHANCE * pl.col("uncertainty_ns")
    often = (pl.col("late_steps") >= MOST_STEPS * pl.col("steps")) | _alone_late()
    accused = sure & often & (pl.col("lateness_pct") >= LEAST_PCT)
    table = table.with_columns(pl.when(accused).then(pl.lit(STRAGGLER)).otherwise(pl.lit("")).alias("verdict"))
    table = table.sort("lateness_ns", "rank", descending=[True, False])
    table = table.with_columns(_causes(profile, table))
    return table.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _causes(profile: Profile, table: pl.DataFrame) -> list[pl.Series]:
    """Why each straggler is late; other ranks' few late moments are not looked into."""
    found = [
        cause_of(profile, rank) if verdict else Found("", None, "")
        for rank, verdict in table.select("rank", "verdict").iter_rows()
    ]
    return [
        pl.Series("cause", [one.cause for one in found], dtype=pl.String),
        pl.Series("cause_pct", [one.share_pct for one in found], dtype=pl.Float64),
        pl.Series("detail", [one.detail for one in found], dtype=pl.String),
    ]


def innocence(latest: Mapping[str, Any]) -> str:
    """Why even the latest rank is no straggler.

    Args:
        latest: its row of the table.
    """
    who, late = f"rank {latest['rank']}", f"{milliseconds(latest['lateness_ns'])} ({latest['lateness_pct']:.1f} %)"
    if latest["lateness_pct"] < LEAST_PCT:
        most = f"the latest, {who}, by {late}" if latest["lateness_ns"] else "none is late by its own work"
        return f"no rank is late by {LEAST_PCT:.0f} % of a step: {most}"
    if latest["lateness_ns"] < OVER_CHANCE * latest["uncertainty_ns"]:
        unsure = milliseconds(latest["uncertainty_ns"])
        return f"{who} may be late, by {late} a step: too near to what chance makes, {unsure}, to say so"
    often = f"in {latest['late_steps']} of {latest['steps']} steps"
    return f"{who} is late {often} only, by {late} a step on average: no straggler, but look at those steps"


def milliseconds(nanoseconds: int) -> str:
    """A time as sentences about ranks tell it."""
    return f"{nanoseconds / 1e6:.3g} ms"


def notes(profile: Profile, frame: pl.DataFrame) -> list[str]:
    """Whether anybody is accused, and what was not matched."""
    told = unmatched_notes(profile)
    if len(frame) == 0:
        return told or ["no rows: no collective that needs all its ranks was found on several ranks, inside a step"]
    if "step" not in frame.columns and not (frame["verdict"] == STRAGGLER).any():
        late = stragglers(profile.everyone).filter(pl.col("verdict") == STRAGGLER)["rank"].to_list()
        other = f"rank {as_ranges(sorted(late))}, which is not selected, is a straggler" if late else ""
        told.insert(0, other or innocence(frame.row(0, named=True)))
    return told
