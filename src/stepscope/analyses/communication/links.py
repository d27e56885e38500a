"""Bandwidth from rank to rank, where two ranks alone talk to each other (see docs/tables/links.md).

Messages are told by sender and receiver. A collective of a group of two ranks moves as much in both directions, so it
is one link, from the first to the second. Larger groups do not tell which of their links is slow.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication.collectives import unmatched_notes
from stepscope.analyses.ranks.alignment import rank_clocks
from stepscope.analyses.ranks.exposure import selected_calls
from stepscope.analyses.ranks.operations import MESSAGES, bus_factor
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

SLOW_PCT = 80.0
"""A link with less than this share of the median bandwidth is slow."""

LEAST_LINKS, LEAST_CALLS = 3, 5
"""With fewer links there is no usual one; fewer calls are chance."""

_LINK = ["src", "dst", "kind"]


def links(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``links``, by kind, then the slowest first."""
    schema = TABLES["links"].schema
    calls = _pairs(profile)
    table = calls.group_by(*_LINK, "machines").agg(
        pl.len().alias("calls"),
        pl.when(pl.col("bytes").is_not_null().any()).then(pl.col("bytes").sum()).alias("bytes"),
        pl.col("transfer_ns").sum(),
        (pl.col("moved").sum() / pl.col("transfer_ns").filter(pl.col("moved").is_not_null()).sum()).alias("bandwidth"),
    )
    table = table.with_columns(pl.when(pl.col("bandwidth").is_finite() & (pl.col("bandwidth") > 0)).then("bandwidth"))
    table = table.join(_compared(calls), on=_LINK, how="left").with_columns(pl.col("compared_links").fill_null(0))
    slow = (pl.col("of_median_pct") < SLOW_PCT) & (pl.col("compared_calls") >= LEAST_CALLS)
    table = table.with_columns(pl.when(slow).then(pl.lit("slow")).otherwise(pl.lit("")).alias("verdict"))
    table = table.sort("kind", "of_median_pct", "bandwidth", "src", "dst", nulls_last=True)
    return table.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _pairs(profile: Profile) -> pl.DataFrame:
    """A row per message or collective of two ranks: src, dst, kind, machines, bytes, transfer_ns, moved (bytes)."""
    calls = selected_calls(profile).filter(pl.col("collective").is_not_null())
    message = pl.col("op").is_in(list(MESSAGES)) & pl.col("sender").is_not_null() & pl.col("receiver").is_not_null()
    hosts = {rank: clock.host for rank, clock in rank_clocks(profile).items()}
    pairs = (
        calls.filter(message | ((pl.col("ranks") == 2) & (pl.col("op") != "barrier")))
        .with_columns(message.alias("message"))
        .group_by("collective")
        .agg(
            pl.when(pl.col("message").first())
            .then(pl.col("sender").first())
            .otherwise(pl.col("rank").min())
            .alias("src"),
            pl.when(pl.col("message").first())
            .then(pl.col("receiver").first())
            .otherwise(pl.col("rank").max())
            .alias("dst"),
            pl.when(pl.col("message").first()).then(pl.lit("send_recv")).otherwise(pl.col("op").first()).alias("kind"),
            pl.col("bytes").max(),
            pl.col("transfer_ns").min(),
            pl.col("rank").n_unique().alias("seen"),
        )
        .filter((pl.col("src") != pl.col("dst")) & (pl.col("transfer_ns") > 0))
    )
    ends = [pl.col(end).replace_strict(hosts, default="", return_dtype=pl.String) for end in ("src", "dst")]
    known = (ends[0] != "") & (ends[1] != "")
    machines = pl.when(known & (ends[0] == ends[1])).then(pl.lit("same")).when(known).then(pl.lit("different"))
    moved = pl.col("bytes") * bus_factor(pl.col("kind"), pl.lit(2))
    return pairs.with_columns(machines.otherwise(pl.lit("")).alias("machines"), moved.alias("moved"))


def _compared(calls: pl.DataFrame) -> pl.DataFrame:
    """Each link against the median link, over the sizes that at least `LEAST_LINKS` links have.

    Calls of one size are compared with each other, because small ones have less bandwidth on any link. Of a size a
    link's time is the median of its calls, and the usual time the median of the links.
    """
    sizes = ["kind", "machines", "bytes"]
    typical = (
        calls.filter(pl.col("bytes") > 0)
        .group_by(*_LINK, "machines", "bytes")
        .agg(pl.len().alias("count"), pl.col("transfer_ns").median().alias("typical"))
        .with_columns(
            pl.len().over(sizes).alias("compared_links"), pl.col("typical").median().over(sizes).alias("usual")
        )
        .filter(pl.col("compared_links") >= LEAST_LINKS)
    )
    count = pl.col("count")
    return typical.group_by(_LINK).agg(
        pl.col("compared_links").max(),
        count.sum().alias("compared_calls"),
        (100.0 * (count * pl.col("usual")).sum() / (count * pl.col("typical")).sum()).alias("of_median_pct"),
    )


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Why there are no rows, and what was not compared."""
    if len(frame) == 0:
        if len(profile.everyone.ranks) < 2:
            return unmatched_notes(profile)
        return [Message("note-links-none")]
    found = []
    slow = frame.filter(pl.col("verdict") == "slow")
    if len(slow):
        named = [f"{src}-{dst}" for src, dst in slow.select("src", "dst").head(5).iter_rows()]
        found.append(Message("note-links-slow", slow=len(slow), links=len(frame), named=named))
    alone = frame.filter(pl.col("of_median_pct").is_null())
    if len(alone):
        found.append(Message("note-links-alone", alone=len(alone), links=len(frame), least=LEAST_LINKS))
    return [*found, *unmatched_notes(profile)]
