"""What of the peak of memory grew since another recording (see docs/tables/).

Both sides are tables `memory_peak`, whose rows sum to the peak of their device. So the differences sum to that of the
peaks. Ranks and devices are compared by their names; where each side has one device only, these are compared.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.memory_peak import memory_peak
from stepscope.analyses.memory.memory_timeline import memory_timeline
from stepscope.analyses.memory.snapshot_levels import snapshot_notes
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

CHANGED, SAME, NEW, GONE = "changed", "same", "new", "gone"
_WHERE = ["rank", "device"]
_KEYS = {
    "": ["category", "source", "op"],
    "category": ["category"],
    "operator": ["category", "op"],
    "stack": ["category", "op", "source", "lines"],
    "level": ["level"],
}
_LEVELS = {
    "most allocated": pl.col("allocated_bytes").max(),
    "most reserved": pl.col("reserved_bytes").max(),
    "allocated in the end": pl.col("allocated_bytes").last(),
    "reserved in the end": pl.col("reserved_bytes").last(),
}


def memory_diff(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_diff``, by rank and device, the largest difference first.

    Args:
        by: "" for categories and lines, ``category``, ``operator``, ``stack``, or ``level`` for the levels themselves.
    """
    grouping = TABLES["memory_diff"].grouping(by)
    schema = {column.name: column.dtype for column in grouping.columns} | TABLES["memory_diff"].schema
    sides = _sides(profile, by)
    if sides is None:
        return pl.DataFrame(schema=schema)
    key = [*_WHERE, *_KEYS[by]]
    rows = sides[1].join(sides[0], key, "full", nulls_equal=True, coalesce=True, suffix="_before")
    rows = rows.rename({"bytes": "new_bytes", "blocks": "new_blocks"})
    rows = rows.rename({"bytes_before": "base_bytes", "blocks_before": "base_blocks"})
    delta = pl.col("new_bytes").fill_null(0) - pl.col("base_bytes").fill_null(0)
    rows = rows.with_columns(delta.alias("delta_bytes"), _status().alias("status"))
    missing = (pl.lit(None, dtype).alias(name) for name, dtype in schema.items() if name not in rows.columns)
    rows = rows.with_columns(*missing).select(pl.col(name).cast(dtype) for name, dtype in schema.items())
    order = [] if by == "level" else [-pl.col("delta_bytes").abs()]
    return rows.sort(*_WHERE, *order, *_KEYS[by], maintain_order=True)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """The peaks of both sides, and what only one of them has."""
    sides = _sides(profile, "level")
    if sides is None:
        return [Message("note-memory-diff-no-base")]
    found = []
    levels = sides[1].join(sides[0], [*_WHERE, "level"], "full", coalesce=True, suffix="_before").sort(_WHERE)
    several = levels["rank"].n_unique() > 1
    for row in levels.filter(pl.col("level") == next(iter(_LEVELS))).iter_rows(named=True):
        name = row["device"]
        of = Message("note-memory-device-of-rank", rank=row["rank"], device=name) if several else name
        before, after = row["bytes_before"], row["bytes"]
        if before is None or after is None:
            found.append(Message("note-memory-diff-alone", device=of, side="after" if before is None else "before"))
        else:
            found.append(Message("note-memory-diff-peaks", device=of, base_bytes=before, new_bytes=after))
    own, other = snapshot_notes(profile), snapshot_notes(profile.base) if profile.base is not None else []
    return found + own + [note for note in other if note not in own]


def _sides(profile: Profile, by: str) -> tuple[pl.DataFrame, pl.DataFrame] | None:
    """Rows of the other recording and of this one: rank, device, the grouping's key, bytes, blocks."""
    if profile.base is None:
        return None
    chosen = next((rank.chosen for rank in profile.ranks if rank.chosen is not None), None)
    before, after = (_side(one, by) for one in (profile.base.select(None, chosen), profile))
    numbers = after["rank"].unique().to_list()
    if all(len(side.select(_WHERE).unique()) == 1 for side in (before, after)):
        before = before.with_columns(pl.lit(after[name][0]).alias(name) for name in _WHERE)
    elif len(profile.ranks) < len(profile.everyone.ranks):
        before = before.filter(pl.col("rank").is_in(numbers))
    return before, after


def _side(profile: Profile, by: str) -> pl.DataFrame:
    if by == "level":
        return _levels(profile)
    peak = memory_peak(profile, "stack" if by == "stack" else "")
    if by == "":
        peak = peak.with_columns(pl.when(pl.col("source").is_null()).then("op").alias("op"))
    sums = (pl.col("alive_bytes").sum().alias("bytes"), pl.col("blocks").sum().alias("blocks"))
    return peak.group_by(*_WHERE, *_KEYS[by]).agg(sums)


def _levels(profile: Profile) -> pl.DataFrame:
    """Levels of each device, one row each."""
    levels = memory_timeline(profile).group_by(_WHERE, maintain_order=True)
    wide = levels.agg(value.alias(name) for name, value in _LEVELS.items())
    long = wide.unpivot(list(_LEVELS), index=_WHERE, variable_name="level", value_name="bytes")
    return long.drop_nulls("bytes").with_columns(pl.lit(None, pl.Int64).alias("blocks"))


def _status() -> pl.Expr:
    before, after = pl.col("base_bytes"), pl.col("new_bytes")
    return (
        pl.when(before.is_null())
        .then(pl.lit(NEW))
        .when(after.is_null())
        .then(pl.lit(GONE))
        .when(before == after)
        .then(pl.lit(SAME))
        .otherwise(pl.lit(CHANGED))
    )
