"""Each instance of a kernel, operator, range or call, and whether it is an outlier (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.durations.timed import LEAST, timed
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


def instances(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``instances``: the longest of each name, then the second of each, and so on.

    The first rows hold the longest instances of every name, however few of them are taken.
    """
    found = timed(profile)
    # Rows equal in all of these differ in nothing.
    rows = found.rows.sort("start_ns", "duration_ns", "rank", "key", "thread", "stream", nulls_last=True)
    rows = rows.with_columns(
        pl.col("start_ns").cum_count().over("key", "rank").alias("number"),
        found.names["median_ns"].gather(rows["key"]),
    ).sort("duration_ns", descending=True, maintain_order=True)
    place = pl.col("duration_ns").cum_count().over("key").alias("place")
    ratio = pl.when(pl.col("median_ns") > 0).then(100.0 * pl.col("duration_ns") / pl.col("median_ns"))
    rows = rows.with_columns(place, ratio.alias("of_median_pct")).sort("place", maintain_order=True)
    return found.named(rows).select(pl.col(name).cast(dtype) for name, dtype in TABLES["instances"].schema.items())


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """That there is nothing of a name; that of few instances none is marked."""
    return said_of(profile, frame.group_by("kind", "name").len()["len"])


def said_of(profile: Profile, calls: pl.Series) -> list[Message]:
    """What is to be known of names with so many instances each."""
    if len(calls) == 0:
        return [Message("note-instances-none")] if profile.named else []
    return [Message("note-instances-few", least=LEAST)] if (calls < LEAST).any() else []
