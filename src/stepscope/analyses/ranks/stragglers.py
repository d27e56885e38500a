"""Which rank is a straggler, how often, by how much, and why (see docs/tables/).

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
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, as_ranges

STRAGGLER = "straggler"

LEAST_PCT = 2.0
"""A lateness below this share of the job's step is not reported."""

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
    """Whether a rank delays a step by more than chance, and enough to be reported."""
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
        pl.lit(None, pl.String).alias("detail"),
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
    """Why each straggler is late; other ranks are not examined."""
    found = [
        cause_of(profile, rank) if verdict else Found("", None, None)
        for rank, verdict in table.select("rank", "verdict").iter_rows()
    ]
    return [
        pl.Series("cause", [one.cause for one in found], dtype=pl.String),
        pl.Series("cause_pct", [one.share_pct for one in found], dtype=pl.Float64),
        pl.Series("detail", [one.detail and one.detail.encoded() for one in found], dtype=pl.String),
    ]


def innocence(latest: Mapping[str, Any]) -> Message:
    """Why even the latest rank is no straggler.

    Args:
        latest: its row of the table.
    """
    late = {"rank": latest["rank"], "late_ns": latest["lateness_ns"], "late_pct": latest["lateness_pct"]}
    if latest["lateness_pct"] < LEAST_PCT and not latest["lateness_ns"]:
        return Message("cause-no-rank-late", least_pct=LEAST_PCT)
    if latest["lateness_pct"] < LEAST_PCT:
        return Message("cause-no-rank-late-enough", least_pct=LEAST_PCT, **late)
    if latest["lateness_ns"] < OVER_CHANCE * latest["uncertainty_ns"]:
        return Message("cause-late-by-chance", chance_ns=latest["uncertainty_ns"], **late)
    return Message("cause-late-in-some-steps", late_steps=latest["late_steps"], steps=latest["steps"], **late)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Which rank is a straggler that is not selected, or why none is; and what was not matched."""
    unmatched = unmatched_notes(profile)
    if len(frame) == 0:
        return unmatched or [Message("cause-nothing-judged")]
    if "step" in frame.columns or (frame["verdict"] == STRAGGLER).any():
        return unmatched
    late = stragglers(profile.everyone).filter(pl.col("verdict") == STRAGGLER)["rank"].to_list()
    if late:
        return [Message("cause-straggler-not-selected", count=len(late), ranks=as_ranges(sorted(late))), *unmatched]
    return [innocence(frame.row(0, named=True)), *unmatched]
