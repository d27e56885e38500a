"""Every collective and message of the logs, and the same call on all ranks together.

The time of a collective on a rank holds its waiting for the rank that arrives last. So the shortest time of a call
is that without waiting, and the rank that has it arrived last.
"""

from __future__ import annotations

import polars as pl

from stepscope.readers.formats import COMMUNICATION_LOG
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile, Rank

CALL = ["communicator", "op", "link", "sequence"]

_TEXTS = ("communicator", "communicator_name", "operation", "timing")
_NUMBERS = ("p2p", "sequence", "place", "ranks", "nodes", "peer", "bytes", "duration_ns", "busbw", "dumped_ns")


def is_communication_log(rank: Rank) -> bool:
    """Whether nothing but a log of NCCL Inspector was recorded of a rank."""
    return rank.trace.kind == COMMUNICATION_LOG


@per_profile
def samples(profile: Profile) -> pl.DataFrame:
    """Every line of all logs.

    Columns: rank, file, communicator, name, op, link (of messages), p2p, sequence, place, ranks, nodes, bytes,
    duration_ns, busbw, timing, dumped_ns.
    """
    parts = []
    for rank in profile.ranks:
        for one in rank.recordings:
            if one.kind == COMMUNICATION_LOG and one.stored is not None:
                frame = one.stored.frame("collective_time", [*_TEXTS, *_NUMBERS])
                texts = [one.stored.text(frame[name]).alias(name) for name in _TEXTS]
                of = (pl.lit(rank.number, pl.Int64).alias("rank"), pl.lit(one.name).alias("file"))
                parts.append(frame.with_columns(*texts, *of))
    if not parts:
        return pl.DataFrame()
    sends = pl.col("operation") == "Send"
    ends = pl.when(sends).then(pl.format("{}->{}", "place", "peer")).otherwise(pl.format("{}->{}", "peer", "place"))
    return pl.concat(parts).with_columns(
        pl.col("operation").alias("op"),
        pl.col("communicator_name").replace(["", "unknown"], None).alias("name"),
        pl.when("p2p").then(ends).alias("link"),
    )


@per_profile
def calls(profile: Profile) -> pl.DataFrame:
    """Each call once: what names it (`CALL`), name, ranks, nodes, bytes, here (ranks with a line of it), complete,
    transfer_ns (the shortest time), wait_ns (what the others' are longer), busbw (the highest), dumped_ns (when the
    first line of it was written).

    A message is a call of its own on either side.
    """
    found = samples(profile)
    if len(found) == 0:
        return found
    grouped = found.group_by(CALL, maintain_order=True).agg(
        *(pl.col(name).first() for name in ("name", "ranks", "nodes", "p2p")),
        pl.col("bytes").max(),
        pl.col("place").n_unique().alias("here"),
        pl.col("duration_ns").min().alias("transfer_ns"),
        (pl.col("duration_ns") - pl.col("duration_ns").min()).sum().alias("wait_ns"),
        pl.col("busbw").max(),
        pl.col("dumped_ns").min(),
    )
    return grouped.with_columns((pl.col("p2p") | (pl.col("here") == pl.col("ranks"))).alias("complete"))
