"""Memsets by kind of memory, which stands in the activity's name: ``Memset (Device)`` (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.gpu.memcpy import by_size
from stepscope.schema import MEMSET
from stepscope.store.profile import Profile, Rank


def memset(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memset``, most time first."""
    return by_size(pl.concat([_rank_memsets(rank) for rank in profile.ranks]), "memset", ["memory"])


def _rank_memsets(rank: Rank) -> pl.DataFrame:
    memsets = rank.activity.filter(pl.col("activity") == MEMSET)
    bytes_set = rank.trace.frame("activity", ["bytes"])["bytes"][memsets["row"]]
    memory = rank.trace.text(memsets["name"]).fill_null("").str.extract(r"\(([^)]*)\)").fill_null("")
    return pl.DataFrame([memory.alias("memory"), bytes_set, memsets["duration_ns"]])
