"""Which rank waits how long for which other (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication.collectives import unmatched_notes
from stepscope.analyses.ranks.exposure import selected_calls
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


def rank_waits(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``rank_waits``, longest first."""
    calls = selected_calls(profile).filter(pl.col("wait_ns") > 0)
    table = calls.group_by("rank", pl.col("last_rank").alias("for_rank")).agg(
        pl.len().alias("collectives"), pl.col("wait_ns", "exposed_wait_ns").sum()
    )
    table = table.select(pl.col(name).cast(dtype) for name, dtype in TABLES["rank_waits"].schema.items())
    return table.sort("wait_ns", "rank", "for_rank", descending=[True, False, False])


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What was not matched."""
    return unmatched_notes(profile) or ([Message("note-waits-none")] if len(frame) == 0 else [])
