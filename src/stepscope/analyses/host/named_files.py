"""The source files that a recording names in its stacks."""

from __future__ import annotations

import polars as pl

from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_FILE = r"^(.+\.py)\(\d+\)"


@per_rank(whole=True)
def named_files(rank: Rank) -> frozenset[str]:
    """Files of every Python frame and of every ``Call stack``, as the recording writes them, with ``/``."""
    trace = rank.trace
    names = trace.text(trace.frame("python", ["name"])["name"].drop_nulls().unique())
    stacks = trace.text(trace.frame("operator", ["call_stack"])["call_stack"].drop_nulls().unique())
    frames = pl.concat([names.alias("text"), stacks.str.split(";").explode().drop_nulls().alias("text")])
    return frozenset(frames.str.strip_chars().str.extract(_FILE).drop_nulls().str.replace_all("\\", "/", literal=True))
