"""What each pair of ranks moved, as HCCL was measured (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

_KEY = ("source", "destination", "transport", "op", "group")
_TEXTS = {"op": "operation", "group": "group", "transport": "transport", "slowest_call": "slowest_call"}
_NUMBERS = ("step", "source", "destination", "bytes", "transit_ns", "fastest", "slowest")


def npu_pairs(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``npu_pairs``, most time first in each rank."""
    schema = TABLES["npu_pairs"].schema
    ranks = [(rank, _stored(rank)) for rank in profile.ranks]
    members = _members(pl.concat([_own(rank, frame) for rank, frame in ranks])) if ranks else pl.DataFrame()
    found = (_pairs_of(rank, frame, members) for rank, frame in ranks if len(frame))
    return pl.concat([pl.DataFrame(schema=schema), *found])


def _stored(rank: Rank) -> pl.DataFrame:
    trace = rank.trace
    frame = trace.frame("npu_pair", list(dict.fromkeys((*_TEXTS.values(), *_NUMBERS))))
    return frame.with_columns(trace.text(frame[stored]).alias(name) for name, stored in _TEXTS.items())


def _own(rank: Rank, frame: pl.DataFrame) -> pl.DataFrame:
    """Which number a rank has in its groups: the one that it copies from and to itself by."""
    own = frame.filter(pl.col("source") == pl.col("destination")).select("group", pl.col("source").alias("member"))
    return own.unique().with_columns(pl.lit(rank.number, pl.Int64).alias("of_rank"))


def _members(own: pl.DataFrame) -> pl.DataFrame:
    """Ranks by group and number in it, without those that two ranks claim."""
    return own.unique(["group", "member"], keep="none")


def _pairs_of(rank: Rank, frame: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    if rank.chosen is not None:
        frame = frame.filter(pl.col("step").is_between(*rank.chosen))
    slowest = pl.col("slowest_call").sort_by("slowest", nulls_last=True, maintain_order=True).first()
    # The analysis sums up each step; what is not known of any of them stays unknown: the sum of nothing would be 0.
    summed = frame.group_by(_KEY, maintain_order=True).agg(
        *(pl.when(pl.col(name).count() > 0).then(pl.col(name).sum()).alias(name) for name in ("bytes", "transit_ns")),
        pl.col("fastest").max(),
        slowest.alias("slowest_call"),
        pl.col("slowest").min(),
    )
    made = summed.with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        pl.when(pl.col("transit_ns") > 0).then(pl.col("bytes") / pl.col("transit_ns")).alias("bandwidth"),
    ).sort("transit_ns", *_KEY, descending=[True, *(False for _ in _KEY)], nulls_last=True)
    for end in ("source", "destination"):
        known = members.rename({"member": end, "of_rank": f"{end}_rank"})
        made = made.join(known, ["group", end], "left", nulls_equal=True, maintain_order="left")
    return made.select(pl.col(name).cast(kind) for name, kind in TABLES["npu_pairs"].schema.items())
