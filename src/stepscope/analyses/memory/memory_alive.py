"""What is alive over time (see docs/tables/)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from stepscope.analyses.memory.allocations import MemoryDevice
from stepscope.analyses.memory.block_categories import CATEGORIES, UNKNOWN_CATEGORY, categorised
from stepscope.analyses.memory.lifetimes import LOST
from stepscope.analyses.memory.memory_peak import BEFORE, UNEXPLAINED
from stepscope.analyses.memory.memory_timeline import points_of_device
from stepscope.analyses.memory.snapshot import has_snapshot
from stepscope.analyses.memory.snapshot_levels import snapshot_devices, snapshot_notes
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

SMALLER = "(smaller ones)"
_LARGEST = 16
_EMPTY = np.zeros((4, 0), np.int64)
_GROUP = ("category", "op", "source", "lines")


def memory_alive(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_alive``, by rank, device and point, most bytes first."""
    schema = TABLES["memory_alive"].schema
    ranks = [rank for rank in profile.ranks if has_snapshot(rank)]
    frames = [_device_rows(rank, device) for rank in ranks for device in snapshot_devices(rank)]
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    return pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns) for frame in frames)])


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How many stacks a point names, and what the snapshot lacks."""
    rest = [Message("note-snapshot-alive", largest=_LARGEST)] if (frame["op"] == SMALLER).any() else []
    return rest + snapshot_notes(profile)


def _device_rows(rank: Rank, device: MemoryDevice) -> pl.DataFrame:
    points = points_of_device(rank, device).filter("coarse")
    known = categorised(rank).filter((pl.col("device") == device.number) & (pl.col("fate") != LOST))
    nameless = pl.col("born").is_null() & pl.col("stack").is_null()
    known = known.with_columns(pl.when(nameless).then(pl.lit(BEFORE)).otherwise(pl.col("op")).alias("op"))
    rows = _alive(known, points["row"].to_numpy())
    rows = pl.concat([rows, _unexplained(points, rows)], how="diagonal_relaxed")
    rows = rows.join(points.select("row", "point", "at_ns", "allocated_bytes"), "row")
    whole = pl.col("allocated_bytes")
    return rows.sort("point", "bytes", *_GROUP, descending=[False, True] + [False] * len(_GROUP)).with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        pl.lit(device.name).alias("device"),
        pl.when(whole != 0).then(100.0 * pl.col("bytes") / whole).alias("share_pct"),
    )


def _unexplained(points: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """What of the level of a point no allocation explains."""
    sums = rows.group_by("row").agg(pl.col("bytes").sum())
    rest = points.select("row", "allocated_bytes").join(sums, "row", "left")
    rest = rest.select("row", (pl.col("allocated_bytes") - pl.col("bytes").fill_null(0)).alias("bytes"))
    return rest.filter(pl.col("bytes") != 0).with_columns(
        pl.lit(UNKNOWN_CATEGORY).alias("category"), pl.lit(UNEXPLAINED).alias("op")
    )


def _alive(known: pl.DataFrame, points: Ints) -> pl.DataFrame:
    """The largest stacks alive behind each of some rows of the history, and the others by category.

    Columns: row, bytes, blocks and those of a stack. Stacks that are alike in these are one.
    """
    groups = known.select(_GROUP).unique().sort(_GROUP).with_row_index("group")
    code = known.select(_GROUP).join(groups, _GROUP, "left", nulls_equal=True, maintain_order="left")["group"]
    category = np.array([CATEGORIES.index(name) for name in groups["category"].to_list()], np.int64)
    largest, others = [_EMPTY], [_EMPTY]
    for at, size, count in _levels(known, code.to_numpy().astype(np.int64), points, len(groups)):
        alive = np.flatnonzero(count)
        shown = _largest(alive, size)
        rest = np.setdiff1d(alive, shown, assume_unique=True)
        largest.append(np.stack([np.full(len(shown), points[at]), shown, size[shown], count[shown]]))
        kinds = np.unique(category[rest])
        sums = [[of[rest][category[rest] == kind].sum() for kind in kinds] for of in (size, count)]
        others.append(np.array([[points[at]] * len(kinds), kinds, *sums], np.int64).reshape(4, -1))
    named = _rows(largest).with_columns(pl.col("code").cast(pl.UInt32).alias("group")).join(groups, "group", "left")
    rest_names = pl.col("code").replace_strict(dict(enumerate(CATEGORIES)), return_dtype=pl.String)
    rest_rows = _rows(others).with_columns(rest_names.alias("category"), pl.lit(SMALLER).alias("op"))
    return pl.concat([named.drop("group"), rest_rows], how="diagonal").drop("code")


def _rows(parts: list[Ints]) -> pl.DataFrame:
    row, code, size, count = np.concatenate(parts, axis=1)
    return pl.DataFrame({"row": row, "code": code, "bytes": size, "blocks": count})


def _levels(known: pl.DataFrame, code: Ints, points: Ints, groups: int) -> Iterator[tuple[int, Ints, Ints]]:
    """Of each point its number, and bytes and blocks alive of every group; the same arrays each time."""
    never = np.iinfo(np.int64).max
    begin = np.searchsorted(points, known["born"].fill_null(-1).to_numpy())
    end = np.searchsorted(points, known["end"].fill_null(never).to_numpy())
    seen = np.flatnonzero(begin < end)
    at, who = np.concatenate([begin[seen], end[seen]]), np.concatenate([code[seen], code[seen]])
    sizes = known["bytes"].to_numpy()[seen]
    change, ones = np.concatenate([sizes, -sizes]), np.repeat(np.array([1, -1]), len(seen))
    order = np.argsort(at, kind="stable")
    bounds = np.searchsorted(at[order], np.arange(len(points) + 1))
    size, count = np.zeros(groups, np.int64), np.zeros(groups, np.int64)
    for point, (first, last) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)):
        part = order[first:last]
        np.add.at(size, who[part], change[part])
        np.add.at(count, who[part], ones[part])
        yield point, size, count


def _largest(alive: Ints, size: Ints) -> Ints:
    """The groups with most bytes, of equal ones the first."""
    if len(alive) > _LARGEST:
        least = np.partition(size[alive], -_LARGEST)[-_LARGEST]
        alive = alive[size[alive] >= least]
    return alive[np.argsort(-size[alive], kind="stable")][:_LARGEST]
