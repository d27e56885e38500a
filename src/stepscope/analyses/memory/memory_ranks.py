"""Who peaks, and with what: the peaks of all ranks side by side (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.block_categories import CATEGORIES
from stepscope.analyses.memory.memory_peak import memory_peak
from stepscope.analyses.memory.memory_timeline import devices_of, levels_of
from stepscope.analyses.memory.snapshot_levels import snapshot_notes
from stepscope.analyses.per_rank import is_by_rank, joined_table
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

_KEY = ["rank", "device"]


def memory_ranks(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_ranks``, the highest peak first."""
    schema = TABLES["memory_ranks"].schema
    by_rank = is_by_rank(profile, "memory_peak")
    peak = joined_table(profile, "memory_peak") if by_rank else memory_peak(profile)
    if len(peak) == 0:
        return pl.DataFrame(schema=schema)
    rows = _with_medians(_rows(peak))
    for more in (_steps(profile, rows), _reserved(profile)):
        rows = rows.join(more, _KEY, "left", maintain_order="left")
    rows = rows.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
    return rows.sort("peak_bytes", *_KEY, descending=[True, False, False])


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Which rank has the highest peak, by how much, and what most of that is."""
    found = []
    if len(frame) > 1:
        first = frame.row(0, named=True)
        found.append(
            Message(
                "note-memory-ranks",
                rank=str(first["rank"]),
                device=first["device"],
                peak_bytes=first["peak_bytes"],
                above_bytes=first["above_median_bytes"],
                category=first["above_category"],
                category_bytes=first["above_category_bytes"],
                ranks=len(frame),
            )
        )
    return found + snapshot_notes(profile)


def _rows(peak: pl.DataFrame) -> pl.DataFrame:
    """A row for each rank and device: its peak, what of it each category is, and the line that holds most."""
    size, category = pl.col("alive_bytes"), pl.col("category")
    known = category.is_not_null().any()
    of_category = (
        pl.when(known).then(size.filter(category == name).sum()).alias(column_of(name)) for name in CATEGORIES
    )
    largest = pl.struct("op", "source", "alive_bytes").get(size.arg_max())
    return (
        peak.group_by(_KEY)
        .agg(
            size.sum().alias("peak_bytes"),
            pl.col("at_ns").first(),
            pl.col("capacity_pct").sum().alias("capacity_pct"),
            pl.col("capacity_pct").null_count().alias("unknown"),
            *of_category,
            largest.struct.field("op").alias("op"),
            largest.struct.field("source").alias("source"),
            largest.struct.field("alive_bytes").alias("source_bytes"),
        )
        .with_columns(pl.when(pl.col("unknown") == 0).then("capacity_pct").alias("capacity_pct"))
    )


def column_of(category: str) -> str:
    """The column with the bytes of a category.

    >>> column_of("optimizer state")
    'optimizer_state_bytes'
    """
    return f"{category.replace(' ', '_')}_bytes"


def _with_medians(rows: pl.DataFrame) -> pl.DataFrame:
    """By how much each peak is above the median of all, and which category most of that is; null of one alone."""
    several = pl.lit(len(rows) > 1)
    columns = [column_of(name) for name in CATEGORIES]
    rows = rows.with_columns(
        pl.when(several).then(pl.col("peak_bytes") - _median("peak_bytes")).alias("above_median_bytes"),
        *((pl.col(name) - _median(name)).alias(f"above_{name}") for name in columns),
    )
    above = pl.concat_list(f"above_{name}" for name in columns)
    most = pl.when(several & pl.col(columns[0]).is_not_null())
    names = pl.lit(list(CATEGORIES), pl.List(pl.String))
    return rows.with_columns(
        most.then(above.list.max()).alias("above_category_bytes"),
        most.then(names.list.get(above.list.arg_max())).alias("above_category"),
    )


def _median(name: str) -> pl.Expr:
    """The lower of the middle ones, which is a value of some rank: whole bytes stay whole."""
    return pl.col(name).quantile(0.5, "lower").cast(pl.Int64)


def _steps(profile: Profile, rows: pl.DataFrame) -> pl.DataFrame:
    """The step of each peak; null where it lies in none."""
    ranks = {rank.number: rank for rank in profile.ranks}
    found = [(*row[:2], _step(ranks[row[0]], row[2])) for row in rows.select(*_KEY, "at_ns").rows()]
    return pl.DataFrame(found, {"rank": pl.Int64, "device": pl.String, "step": pl.Int64}, orient="row")


def _reserved(profile: Profile) -> pl.DataFrame:
    """Most that was reserved on each rank and device, which need not be at the peak of what was allocated."""
    found = [
        (rank.number, device.name, levels_of(rank, device)["reserved_bytes"].max())
        for rank in profile.ranks
        for device in devices_of(rank)
    ]
    return pl.DataFrame(found, {"rank": pl.Int64, "device": pl.String, "reserved_bytes": pl.Int64}, orient="row")


def _step(rank: Rank, at_ns: int | None) -> int | None:
    if at_ns is None or len(rank.all_steps.ranges) < 2:
        return None
    steps = rank.steps.filter((pl.col("start_ns") <= at_ns) & (pl.col("end_ns") > at_ns))["step"]
    return int(steps[0]) if len(steps) else None
