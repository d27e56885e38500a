"""How far each rank's clock is from the job's (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.ranks.alignment import APART, rank_clocks
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


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


def notes(profile: Profile, frame: pl.DataFrame) -> list[str]:
    """Which ranks no collective joins to the others."""
    if len(profile.everyone.ranks) < 2:
        return ["one rank is open: there is no other clock to compare with"]
    apart = frame.filter(pl.col("method") == APART)["rank"].to_list()
    if not apart:
        return []
    return [f"ranks {', '.join(map(str, apart[:10]))}: no collective joins their clock to the job's; taken as it is"]
