"""How far each rank came in each process group (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.hangs.calls import calls_of
from stepscope.analyses.hangs.hangs import utc
from stepscope.analyses.hangs.hangs_of import hangs_of
from stepscope.analyses.hangs.records import records
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

WAITS, COMPLETED, BEHIND = "waits", "completed", "behind"


def hang_ranks(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``hang_ranks``, by rank and group; what a rank waits in is the first of its calls that
    it has not completed, a message only where it waits in no collective."""
    schema, found = TABLES["hang_ranks"].schema, records(profile)
    if len(found) == 0:
        return pl.DataFrame(schema=schema)
    key = ["rank", "group", "members"]
    calls = calls_of(found)
    open_ = pl.col("done") == False  # noqa: E712 - null is not open
    waits = pl.concat(
        [_shown(calls.filter(open_), key, first=True), _shown(found.filter(open_ & pl.col("p2p")), key, first=True)]
    ).unique(key, keep="first", maintain_order=True)
    last = pl.concat([_shown(calls, key, first=False), _shown(found.filter("p2p"), key, first=False)])
    shown = pl.concat([waits, last]).unique(key, keep="first", maintain_order=True)
    numbers = calls.group_by(key).agg(
        pl.col("number").max().alias("last_entered"),
        pl.col("number").filter("done").max().alias("last_completed"),
    )
    pending = found.filter(open_).group_by(key).len("pending")
    frame = shown.join(numbers, key, "left").join(pending, key, "left").with_columns(pl.col("pending").fill_null(0))
    frame = frame.with_columns(
        pl.col("number").alias("sequence"),
        pl.col("description").replace("", None),
        pl.col("created_ns").map_elements(utc, pl.String).alias("since"),
        _state(profile, frame).alias("state"),
    )
    return frame.sort("rank", "group", "members").select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _shown(calls: pl.DataFrame, key: list[str], first: bool) -> pl.DataFrame:
    """Of each rank and group its first call, or its last."""
    columns = ["description", "collective", "number", "created_ns", "source", "stack", "done"]
    ordered = calls.sort("event", maintain_order=True).select(*key, *columns)
    return ordered.unique(key, keep="first" if first else "last", maintain_order=True)


def _state(profile: Profile, frame: pl.DataFrame) -> pl.Series:
    missing = {
        (rank, one.group, one.members) for one in hangs_of(profile) for rank in one.missing if one.number is not None
    }
    found = []
    for row in frame.iter_rows(named=True):
        place = row["rank"], row["group"], tuple(map(int, row["members"].split(",")))
        found.append(BEHIND if place in missing else COMPLETED if row["done"] else WAITS)
    return pl.Series(found, dtype=pl.String)
