"""Checks of logs of NCCL Inspector: how its times were measured, and which calls it lacks."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.recording.check import OK, WARNING, Check, counted
from stepscope.messages import Message
from stepscope.store.profile import Rank

_BY_GPU = "kernel_gpu"


def timing(rank: Rank) -> Check:
    """Whether the GPU measured the times; the host's include how late it noticed."""
    frame = rank.trace.frame("collective_time", ["timing"])
    other = int((rank.trace.text(frame["timing"]).fill_null("") != _BY_GPU).sum())
    if other == 0:
        return Check("timed_by_gpu", OK, counted(len(frame)), Message("check-log-by-gpu"))
    return Check("timed_by_gpu", WARNING, counted(other), Message("check-log-by-host"))


def complete(rank: Rank) -> Check | None:
    """Calls that the log passed over: numbers that lack between the first and the last of a communicator."""
    frame = rank.trace.frame("collective_time", ["communicator", "operation", "p2p", "sequence"])
    if len(frame) == 0:
        return None
    own = (
        frame.filter(~frame["p2p"])
        .group_by("communicator", "operation")
        .agg(
            (pl.col("sequence").max() - pl.col("sequence").min() + 1).alias("span"),
            pl.col("sequence").n_unique().alias("seen"),
        )
    )
    lacking = int((own["span"] - own["seen"]).clip(0).sum()) if len(own) else 0
    return Check("calls_left_out", OK, counted(lacking), Message("check-log-left-out")) if lacking else None
