"""What samples of Python stacks say by themselves, in sentences."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.host.host_samples import host_samples
from stepscope.messages import Message
from stepscope.schema import UNATTRIBUTED
from stepscope.store.profile import Profile, Rank


def sample_sentences(rank: Rank) -> tuple[Message, ...]:
    """In which function most samples are, and how many there are."""
    found = host_samples(Profile((rank.source,), (rank,)))
    count = int(found["samples"].sum())
    named = found.filter((pl.col("name") != UNATTRIBUTED) & (pl.col("samples") > 0))
    if len(named) == 0:
        return (Message("samples-none", count=count),)
    first = named.row(0, named=True)
    file = first["file"].replace("\\", "/").rpartition("/")[2] if first["file"] else None
    most = Message("samples-most", function=first["name"], file=file, share_pct=first["share_pct"])
    return (most, Message("samples-count", count=count))
