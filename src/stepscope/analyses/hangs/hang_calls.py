"""What became of the calls around the one that a process group hangs in (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.hangs.calls import calls_of
from stepscope.analyses.hangs.hang import DIFFERENT, Hang
from stepscope.analyses.hangs.hangs import utc
from stepscope.analyses.hangs.hangs_of import hangs_of
from stepscope.analyses.hangs.records import SCHEDULED, dumps_of, records
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, as_ranges

BEFORE, AFTER = 12, 6
"""So many calls of the group are shown before the one that hangs and after it."""

ENTERED, DONE, MISSING, OVERWRITTEN, NO_DUMP = "entered", "completed", "missing", "overwritten", "no_dump"

_ALIKE = ("sequence", "collective", "state", "differs", "sizes", "dtypes", "last_call", "source", "stack")
"""Ranks in which all of this is the same are one row."""


def hang_calls(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``hang_calls``: hangs in their order, calls in that of the group, the fewest ranks
    first."""
    schema, found, hangs = TABLES["hang_calls"].schema, records(profile), hangs_of(profile)
    # In a run without any there are no records to look into.
    numbered = [(place, one, one.number) for place, one in enumerate(hangs) if one.number is not None]
    if not numbered:
        return pl.DataFrame(schema=schema)
    parts = calls_of(found).partition_by("group", "members", as_dict=True)
    moved = set(found.filter(pl.col("state") != SCHEDULED)["backend"].unique())
    dumped = [one.rank for one in dumps_of(profile)]
    rows = []
    for place, one, number in numbered:
        own = parts.get((one.group, ",".join(map(str, one.members))))
        if own is not None:
            rows.append(_of_hang(one, number, own, moved, dumped).with_columns(pl.lit(place).alias("hang")))
    if not rows:
        return pl.DataFrame(schema=schema)
    return pl.concat(rows).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _of_hang(hang: Hang, number: int, calls: pl.DataFrame, moved: set[str], dumped: list[int]) -> pl.DataFrame:
    """The rows of one hang, at the call of some number, without its place."""
    near = calls.filter(pl.col("number").is_between(number - BEFORE, number + AFTER))
    cells = near.select("number").unique().join(pl.DataFrame({"rank": hang.members}), how="cross")
    own = [*("state", "done", "backend", "collective", "sizes", "dtypes"), *("created_ns", "source", "stack")]
    cells = cells.join(near.select("rank", "number", *own), ["rank", "number"], "left")
    cells = cells.join(_last_calls(calls), "rank", "left").with_columns(
        pl.col("rank").is_in(dumped).alias("dumped"),
        pl.col("rank").is_in(hang.unknown).alias("lost") & (pl.col("number") <= number),
        _differs(hang).alias("differs"),
    )
    cells = cells.with_columns(_state(moved).alias("state"))
    missing = pl.col("state") == MISSING
    names = near.group_by("number").agg(pl.col("collective").mode().sort().first().alias("usual"))
    cells = cells.join(names, "number", "left").with_columns(
        pl.coalesce("collective", "usual").alias("collective"),
        *(pl.when(missing).then(f"last_{name}").otherwise(name).alias(name) for name in ("source", "stack")),
        pl.when(missing).then("last_call").alias("last_call"),
        pl.col("number").alias("sequence"),
    )
    return _together(cells.sort("rank"), hang)


def _together(cells: pl.DataFrame, hang: Hang) -> pl.DataFrame:
    """Ranks that are alike as one row each."""
    last = pl.col("rank").sort_by("created_ns", nulls_last=False).last()
    rows = cells.group_by(_ALIKE, maintain_order=True).agg(
        pl.col("rank").alias("ranks"),
        pl.len().alias("count"),
        pl.col("created_ns").min().alias("first"),
        pl.col("created_ns").max().alias("last"),
        pl.when(pl.col("created_ns").n_unique() > 1).then(last).first().alias("last_rank"),
    )
    texts = [
        pl.Series("ranks", [as_ranges(one) for one in rows["ranks"].to_list()], pl.String),
        *(pl.Series(name, [utc(one) for one in rows[name].to_list()], pl.String) for name in ("first", "last")),
    ]
    about = {"group": hang.group, "description": hang.description or None}
    first = rows.with_columns(pl.col("ranks").list.first().alias("lowest"))
    return (
        first.with_columns(*texts, *(pl.lit(value, pl.String).alias(name) for name, value in about.items()))
        .with_columns((pl.col("sequence") == hang.number).alias("hangs"))
        .sort("sequence", "count", "lowest")
        .drop("lowest")
    )


def _last_calls(calls: pl.DataFrame) -> pl.DataFrame:
    """Of each rank the number of its last call of the group, and what and where that was."""
    return (
        calls.sort("number")
        .group_by("rank")
        .agg(
            pl.col("number").last().alias("last_number"),
            pl.format("{} {}", pl.col("collective").last(), pl.col("number").last()).alias("last_call"),
            pl.col("source").last().alias("last_source"),
            pl.col("stack").last().alias("last_stack"),
        )
    )


def _state(moved: set[str]) -> pl.Expr:
    """What became of a call on a rank. A rank with later calls entered this one, whether its dump holds it or not."""
    scheduled = pl.when(pl.col("backend").is_in(list(moved))).then(pl.lit(SCHEDULED)).otherwise(pl.lit(ENTERED))
    recorded = pl.when("done").then(pl.lit(DONE)).when(pl.col("state") == SCHEDULED).then(scheduled).otherwise("state")
    later = (pl.col("last_number") > pl.col("number")).fill_null(False)
    return (
        pl.when(pl.col("state").is_not_null())
        .then(recorded)
        .when(~pl.col("dumped"))
        .then(pl.lit(NO_DUMP))
        .when(later | pl.col("lost"))
        .then(pl.lit(OVERWRITTEN))
        .otherwise(pl.lit(MISSING))
    )


def _differs(hang: Hang) -> pl.Expr:
    """What the ranks that are not like the others have of their own; of equal sides it is all that differ."""
    if hang.cause not in DIFFERENT:
        return pl.lit(None, pl.String)
    odd = hang.suspects or tuple(rank for one in hang.values for rank in one.ranks)
    here = (pl.col("number") == hang.number) & pl.col("rank").is_in(odd) & pl.col("state").is_not_null()
    return pl.when(here).then(pl.lit(hang.cause.removeprefix("different_")))
