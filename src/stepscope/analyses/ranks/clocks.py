"""How far each rank's clock is from the job's (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.ranks.alignment import APART, rank_clocks
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, as_ranges


def clocks(profile: Profile) -> pl.DataFrame:
    """One row per rank, columns of `schema.TABLES` ``clocks``."""
    found = rank_clocks(profile)
    rows = [
        {
            "rank": rank.number,
            "host": clock.host or None,
            "offset_ns": clock.offset_ns,
            "drift_ppm": 1e6 * clock.drift if clock.drift is not None else None,
            "uncertainty_ns": clock.uncertainty_ns,
            "collectives": clock.collectives,
            "method": clock.method,
        }
        for rank in profile.ranks
        for clock in [found[rank.number]]
    ]
    return pl.DataFrame(rows, schema=TABLES["clocks"].schema)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Which ranks no collective joins to the others."""
    if len(profile.everyone.ranks) < 2:
        return [Message("note-clocks-one-rank")]
    apart = frame.filter(pl.col("method") == APART)["rank"].to_list()
    if not apart:
        return []
    return [Message("note-clocks-apart", ranks=as_ranges(apart), count=len(apart))]
