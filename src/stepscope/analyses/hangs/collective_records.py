"""Every record of the flight recorder (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.hangs.records import records
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


def collective_records(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``collective_records``, by rank in the order of its dump."""
    schema, found = TABLES["collective_records"].schema, records(profile)
    if len(found) == 0:
        return pl.DataFrame(schema=schema)
    peers = pl.format("{} {}->{}", "collective", "from_place", "to_place")
    seconds = pl.from_epoch("created_ns", "ns").dt.to_string("%Y-%m-%d %H:%M:%S%.3f")
    frame = found.with_columns(
        pl.col("event").cast(pl.Int64).alias("record"),
        pl.col("description").replace("", None),
        pl.when(pl.col("from_place").is_not_null()).then(peers).otherwise("collective").alias("collective"),
        pl.col("number").alias("sequence"),
        seconds.alias("created"),
    )
    return frame.sort("rank", "record").select(pl.col(name).cast(dtype) for name, dtype in schema.items())
