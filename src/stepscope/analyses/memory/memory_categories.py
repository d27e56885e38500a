"""What allocated memory is for, over time (see docs/tables/)."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.memory.allocations import MemoryDevice
from stepscope.analyses.memory.block_categories import CATEGORIES, UNKNOWN_CATEGORY, categorised
from stepscope.analyses.memory.lifetimes import LOST
from stepscope.analyses.memory.memory_timeline import levels_of, points_of_device, stretches, summed_up
from stepscope.analyses.memory.snapshot import has_snapshot
from stepscope.analyses.memory.snapshot_levels import snapshot_devices, snapshot_notes
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.schema import TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank


def memory_categories(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_categories``, by rank, device, time and category.

    Args:
        by: "" for a hundredth of the time from the first entry to the last, ``step`` for steps, ``point`` for
            `points.points_of`.
    """
    schema = dict(TABLES["memory_categories"].schema)
    if by:
        schema |= {by: pl.Int64()}
    if by == "point":
        schema |= {"event": pl.Int64()}
    ranks = [rank for rank in profile.ranks if has_snapshot(rank)]
    frames = [_device_rows(rank, device, by or "slice") for rank in ranks for device in snapshot_devices(rank)]
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    return pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns) for frame in frames)])


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How much of the memory over time has no known category, and what the snapshot lacks."""
    found = snapshot_notes(profile)
    whole = int(frame["bytes"].sum())
    unknown = int(frame.filter(pl.col("category") == UNKNOWN_CATEGORY)["bytes"].sum())
    if unknown:
        found.append(Message("note-snapshot-unknown", unknown_pct=100 * unknown / whole))
    return found


def _device_rows(rank: Rank, device: MemoryDevice, by: str) -> pl.DataFrame:
    if by == "point":
        times = points_of_device(rank, device)
    else:
        levels = levels_of(rank, device).with_columns(pl.lit(False).alias("peak"))
        times = summed_up(levels, stretches(rank, levels, by)).rename({"stretch": by})
    by_category = bytes_at(rank, device.number, times["row"].to_numpy())
    explained = sum(by_category.values(), np.zeros(len(times), np.int64))
    by_category[UNKNOWN_CATEGORY] = by_category[UNKNOWN_CATEGORY] + times["allocated_bytes"].to_numpy() - explained
    frames = [
        times.select(
            by, "at_ns", "event", "allocated_bytes", pl.lit(name).alias("category"), pl.Series("bytes", values)
        )
        for name, values in by_category.items()
    ]
    unknown = [] if by == "slice" else [pl.lit(None, pl.Int64).alias("slice")]
    rows = pl.concat(frames).with_columns(unknown).filter(pl.col("bytes") != 0)
    order = pl.col("category").replace_strict({name: at for at, name in enumerate(CATEGORIES)}, return_dtype=pl.Int64)
    whole = pl.col("allocated_bytes")
    return rows.sort(by, order).with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        pl.lit(device.name).alias("device"),
        pl.when(whole != 0).then(100.0 * pl.col("bytes") / whole).alias("share_pct"),
    )


def bytes_at(rank: Rank, device: int, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Bytes of each category that are allocated behind some rows of `snapshot.history`."""
    return {
        name: total[np.searchsorted(at, rows, side="right")].astype(np.int64)
        for name, (at, total) in _levels_by_category(rank, device).items()
    }


@per_rank(unlimited=True)
def _levels_by_category(rank: Rank, device: int) -> dict[str, tuple[Ints, Ints]]:
    """Of each category the rows of the history that change it, and its bytes before all of them and behind each."""
    known = categorised(rank).filter((pl.col("device") == device) & (pl.col("fate") != LOST))
    found = {}
    for name in CATEGORIES:
        own = known.filter(pl.col("category") == name).select("bytes", pl.col("born").fill_null(-1), "end")
        gone = own.filter(pl.col("end").is_not_null())
        at = np.concatenate([own["born"].to_numpy(), gone["end"].to_numpy()])
        change = np.concatenate([own["bytes"].to_numpy(), -gone["bytes"].to_numpy()])
        order = np.argsort(at, kind="stable")
        found[name] = at[order], np.concatenate([[0], np.cumsum(change[order])])
    return found
