"""Activities that ran on over later ones of their stream, and how much of their time no table counts."""

from __future__ import annotations

import polars as pl

from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank
from stepscope.store.stream_overlaps import cut_short


def cut_activity(rank: Rank) -> pl.DataFrame:
    """Selected activities that were cut, most lost time first.

    Columns: row, name (code), kept_ns, recorded_ns, cut_ns.
    """
    short = cut_short(rank.trace)
    if len(short) == 0:
        return short.with_columns(pl.lit(0).alias("cut_ns"))
    found = rank.activity.select("row", "name").join(short, "row", "inner", maintain_order="left")
    recorded = rank.trace.frame("activity", ["duration_ns"])["duration_ns"].gather(found["row"])
    found = found.with_columns(recorded.alias("recorded_ns"))
    found = found.with_columns((pl.col("recorded_ns") - pl.col("kept_ns")).alias("cut_ns"))
    names = rank.trace.text(found["name"])
    order = found.with_columns(names.alias("text")).sort("cut_ns", "text", "kept_ns", descending=[True, False, False])
    return order.drop("text")


def cut_notes(profile: Profile) -> list[Message]:
    """What a table of GPU time leaves out, if anything."""
    each = [cut_activity(rank) for rank in profile.ranks]
    activities, time = sum(len(cut) for cut in each), sum(int(cut["cut_ns"].sum()) for cut in each)
    return [Message("note-activity-cut", activities=activities, cut_ns=time)] if activities else []
