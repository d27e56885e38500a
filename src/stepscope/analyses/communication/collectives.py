"""Each collective or message, with the kernels of all its ranks (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.ranks.exposure import selected_calls
from stepscope.analyses.ranks.matching import matched_calls
from stepscope.analyses.ranks.operations import MESSAGES, bus_factor
from stepscope.analyses.ranks.waiting import coverage
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


def collectives(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``collectives``, by first arrival; those with a call in what is selected."""
    calls = selected_calls(profile).filter(pl.col("collective").is_not_null())
    op = pl.when(pl.col("op").is_in(list(MESSAGES))).then(pl.lit("send_recv")).otherwise("op")
    latest = pl.col("rank") == pl.col("last_rank")
    judged = pl.col("judged").all() & (pl.len() > 1)
    table = (
        calls.sort("collective", "at_ns", "rank")
        .group_by("collective", maintain_order=True)
        .agg(
            pl.col("job_step").first().alias("step"),
            op.first().alias("op"),
            pl.col("group", "dtype").drop_nulls().first(),
            pl.col("bytes").max().alias("call_bytes"),
            pl.col("ranks").max(),
            pl.len().alias("matched"),
            pl.col("at_ns").min().alias("start_ns"),
            pl.col("until_ns").max().alias("end_ns"),
            pl.col("rank").first().alias("first_rank"),
            pl.col("last_rank").first(),
            (pl.col("at_ns").max() - pl.col("at_ns").min()).alias("skew_ns"),
            pl.col("transfer_ns").filter(latest).first(),
            pl.col("wait_ns").sum(),
            pl.when(judged).then(pl.col("late_ns").max()).alias("lateness_ns"),
            pl.col("end_spread_ns").first(),
        )
    )
    table = table.with_columns(
        pl.when(pl.col("transfer_ns") > 0).then(pl.col("call_bytes") / pl.col("transfer_ns")).alias("algbw")
    )
    factor = bus_factor(pl.col("op"), pl.col("ranks"))
    table = table.with_columns((pl.col("algbw") * factor).alias("busbw"))
    return table.select(pl.col(name).cast(dtype) for name, dtype in TABLES["collectives"].schema.items())


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How many calls have no partner, and on which clock the times are."""
    return unmatched_notes(profile)


def unmatched_notes(profile: Profile) -> list[Message]:
    """Why nothing, or how much, was not matched."""
    if len(profile.everyone.ranks) < 2:
        return [Message("note-ranks-one-open")]
    share = coverage(profile)
    if share.calls == 0:
        return [Message("note-ranks-no-communication")]
    found = []
    if share.matched < share.calls:
        lost = share.calls - share.matched
        found.append(Message("note-unmatched-alone", lost=lost, calls=share.calls))
    if share.complete < share.matched:
        part = share.matched - share.complete
        found.append(Message("note-unmatched-partly", part=part, matched=share.matched))
    if not matched_calls(profile)["known"].all():
        found.append(Message("note-unmatched-by-order"))
    return found
