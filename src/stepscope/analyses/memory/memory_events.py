"""Each allocation with its release (see docs/tables/).

The release of an allocation is the next event of its device at the same address, if that releases. Addresses are used
again, so an allocation that follows another at its address means that the release between them was not recorded.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.allocations import allocating_operators, memory_changes, memory_devices, sources
from stepscope.analyses.memory.block_categories import categorised
from stepscope.analyses.memory.lifetimes import BEFORE, KEPT, LOST, RELEASED
from stepscope.analyses.memory.snapshot import device_name, devices, has_snapshot, in_part, selected
from stepscope.analyses.memory.snapshot_levels import snapshot_notes
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank


def memory_events(profile: Profile, source: bool = False) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_events``, largest first, then by time.

    With steps selected: what was allocated or released in them.

    Args:
        source: add a column with the source line of the allocation.
    """
    schema = dict(TABLES["memory_events"].schema)
    if source:
        names = list(schema)
        schema = {name: schema.get(name, pl.String) for name in [*names[:3], "source", *names[3:]]}
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    frames = [_events_of(rank, source).select(columns) for rank in profile.ranks]
    rows = pl.concat([pl.DataFrame(schema=schema), *frames])
    moment = pl.coalesce("start_ns", "end_ns")
    return rows.sort(pl.col("bytes"), moment, "rank", "device", "address", "event", descending=[True] + [False] * 5)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Events that cannot be paired."""
    found = snapshot_notes(profile)
    if len(frame) and frame["address"].is_null().any():
        found.append(Message("note-memory-no-addresses"))
    return found


def _events_of(rank: Rank, source: bool) -> pl.DataFrame:
    """Those of the rank's memory snapshot where one was taken, else those of its trace."""
    return _snapshot_events(rank) if has_snapshot(rank) else _rank_events(rank, source)


def _snapshot_events(rank: Rank) -> pl.DataFrame:
    names = {number: device_name(number) for number in devices(rank)}
    found = categorised(rank)
    chosen = selected(rank, found["born_ns"]) | selected(rank, found["end_ns"])
    over = pl.col("end").is_not_null() & (pl.col("fate") != LOST)
    return (
        found.filter(chosen)
        .filter(in_part(rank, "born_ns", "end_ns"))
        .with_columns(
            pl.lit(rank.number, pl.Int64).alias("rank"),
            pl.col("device").replace_strict(names, default=None, return_dtype=pl.String),
            pl.col("born_ns").alias("start_ns"),
            pl.when(over).then("end_ns").alias("end_ns"),
            pl.when(over).then(pl.col("end_ns") - pl.col("born_ns")).alias("duration_ns"),
            pl.lit(None, pl.String).alias("release_op"),
        )
    )


def _rank_events(rank: Rank, source: bool) -> pl.DataFrame:
    changes = memory_changes(rank).with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    names = rank.trace.frame("operator", ["name"])["name"]
    innermost = rank.trace.text(names.gather(changes["operator"]))
    changes = changes.with_columns(allocating_operators(rank, changes), innermost.alias("innermost"))
    ends = changes.select(
        pl.col("row").alias("partner"),
        pl.col("at_ns").alias("end_ns"),
        pl.col("innermost").alias("release_op"),
        pl.col("selected").alias("end_selected"),
    )
    blocks = changes.filter(pl.col("change_bytes") > 0).join(ends, "partner", "left", maintain_order="left")
    if source:
        blocks = blocks.with_columns(sources(rank, blocks))
    blocks = blocks.with_columns(
        pl.col("at_ns").alias("start_ns"),
        (pl.col("end_ns") - pl.col("at_ns")).alias("duration_ns"),
        (pl.col("selected") | pl.col("end_selected").fill_null(False)).alias("selected"),
        _fate(),
    )
    older = changes.filter((pl.col("change_bytes") < 0) & pl.col("partner").is_null()).with_columns(
        -pl.col("change_bytes"),
        pl.lit(None, pl.String).alias("op"),
        pl.col("innermost").alias("release_op"),
        pl.col("at_ns").alias("end_ns"),
        pl.when(pl.col("address").is_not_null()).then(pl.lit(BEFORE)).alias("fate"),
    )
    rows = pl.concat([blocks, older], how="diagonal").filter("selected")
    devices = memory_devices(rank)
    labels = pl.DataFrame(
        {"device": [device.number for device in devices], "label": [device.name for device in devices]},
        schema={"device": rows.schema["device"], "label": pl.String},
    )
    rows = rows.join(labels, "device", "left", maintain_order="left").drop("device").rename({"label": "device"})
    return rows.rename({"change_bytes": "bytes"}).with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        *(pl.lit(None, pl.Int64).alias(name) for name in ("stream", "event")),
        *(pl.lit(None, pl.String).alias(name) for name in ("category", "pool")),
    )


def _fate() -> pl.Expr:
    """What became of an allocation; null where the events carry no address."""
    return (
        pl.when(pl.col("address").is_null())
        .then(pl.lit(None, pl.String))
        .when(pl.col("partner").is_not_null())
        .then(pl.lit(RELEASED))
        .when(pl.col("reused").is_not_null())
        .then(pl.lit(LOST))
        .otherwise(pl.lit(KEPT))
        .alias("fate")
    )
