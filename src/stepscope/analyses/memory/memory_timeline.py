"""Allocated and reserved memory over time (see docs/tables/).

A row for each allocation and release, after one for the level that the device starts with. The peak is the first row
with the device's largest total. Where a memory snapshot was taken of a rank, it tells.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.memory.allocations import MemoryDevice, memory_changes, memory_devices
from stepscope.analyses.memory.points import points_of
from stepscope.analyses.memory.snapshot import has_snapshot
from stepscope.analyses.memory.snapshot_levels import selected_levels, snapshot_devices, snapshot_notes
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

_SLICES = 100

Ints = npt.NDArray[np.int64]


def memory_timeline(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_timeline``, by rank, device and time.

    Args:
        by: "" for every change; ``step`` or ``slice`` for one row per step, or per hundredth of the time from the
            first change to the last, in a column of that name: at the moment with the most allocated, with the most
            reserved and all changes of that stretch; ``point`` for the changes that are `points.points_of`.
    """
    schema = dict(TABLES["memory_timeline"].schema)
    frames = [_device_rows(rank, device, by) for rank in profile.ranks for device in devices_of(rank)]
    if by:
        schema = {"rank": schema["rank"], "device": schema["device"], by: pl.Int64} | schema
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    return pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns) for frame in frames)])


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What totals were not recorded, and how to see less of a long table."""
    found = totals_notes(profile) + snapshot_notes(profile)
    if len(frame) > 1000 and not {"step", "slice", "point"} & set(frame.columns):
        found.append(Message("note-memory-long", changes=len(frame)))
    return found


def devices_of(rank: Rank) -> list[MemoryDevice]:
    """Devices of a rank: those of its memory snapshot where one was taken, else those of its trace."""
    return snapshot_devices(rank) if has_snapshot(rank) else memory_devices(rank)


def totals_notes(profile: Profile) -> list[Message]:
    """Devices whose totals are counted from the events because the allocator's were not recorded."""
    names = {device.name for rank in profile.ranks for device in devices_of(rank) if not device.totals}
    return [Message("note-memory-no-totals", device=name) for name in sorted(names)]


def levels_of(rank: Rank, device: MemoryDevice) -> pl.DataFrame:
    """Levels of one of `devices_of` in the selected time, see `device_timeline`."""
    return selected_levels(rank, device.number) if has_snapshot(rank) else device_timeline(rank, device)


@per_rank
def points_of_device(rank: Rank, device: MemoryDevice) -> pl.DataFrame:
    """`points.points_of` the levels of a device, with a column peak: several tables are drawn along them."""
    return points_of(_with_peak(levels_of(rank, device)))


def _with_peak(levels: pl.DataFrame) -> pl.DataFrame:
    return levels.with_columns((pl.int_range(pl.len()) == levels["allocated_bytes"].arg_max()).alias("peak"))


def device_timeline(rank: Rank, device: MemoryDevice) -> pl.DataFrame:
    """Levels of one device of a trace in the selected time.

    Columns: row (of `memory_changes`, or of `snapshot.history`; -1 for the level before the first), event, at_ns,
    change_bytes, allocated_bytes, active_bytes, reserved_bytes.
    """
    changes = memory_changes(rank).with_row_index("row").filter(pl.col("device") == device.number)
    changes = changes.select(
        pl.col("row").cast(pl.Int64),
        pl.lit(None, pl.Int64).alias("event"),
        *("at_ns", "change_bytes", "allocated_bytes"),
        pl.lit(None, pl.Int64).alias("active_bytes"),
        "reserved_bytes",
    )
    begin, end = _window(rank, changes)
    inside = changes.filter(pl.col("at_ns").is_between(begin, end, closed="left"))
    before = changes.filter(pl.col("at_ns") < begin).tail(1)
    start = {
        "row": before["row"].to_list() or [-1],
        "event": [None],
        "at_ns": [begin],
        "change_bytes": [0],
        "allocated_bytes": before["allocated_bytes"].to_list() or [device.before_bytes],
        "active_bytes": [None],
        "reserved_bytes": before["reserved_bytes"].to_list() or [None],
    }
    return pl.concat([pl.DataFrame(start, schema=inside.schema), inside])


def _window(rank: Rank, changes: pl.DataFrame) -> tuple[int, int]:
    """The selected time; everything from the first change on without a selection."""
    steps = rank.steps
    if rank.chosen is not None and len(steps):
        return int(steps["start_ns"].min()), int(steps["end_ns"].max())  # type: ignore[arg-type]
    first, last = changes.select(pl.col("at_ns").min().alias("a"), pl.col("at_ns").max().alias("b")).row(0)
    return (int(first), int(last) + 1) if rank.chosen is None else (int(first), int(first))


def _device_rows(rank: Rank, device: MemoryDevice, by: str) -> pl.DataFrame:
    levels = points_of_device(rank, device) if by == "point" else _with_peak(levels_of(rank, device))
    if by in ("step", "slice"):
        levels = summed_up(levels, stretches(rank, levels, by)).rename({"stretch": by})
    capacity = pl.lit(device.capacity_bytes, dtype=pl.Int64)
    return levels.with_columns(
        pl.lit(rank.number, dtype=pl.Int64).alias("rank"),
        pl.lit(device.name).alias("device"),
        (100.0 * pl.col("allocated_bytes") / capacity).alias("capacity_pct"),
    )


def stretches(rank: Rank, levels: pl.DataFrame, by: str) -> pl.DataFrame:
    """Stretches of time, ``step`` or ``slice``; of levels without times there are none."""
    if levels["at_ns"].null_count():
        return pl.DataFrame(schema={"stretch": pl.Int64, "start_ns": pl.Int64, "end_ns": pl.Int64})
    return _steps(rank) if by == "step" else _slices(levels)


def _steps(rank: Rank) -> pl.DataFrame:
    return rank.steps.select(pl.col("step").alias("stretch"), "start_ns", "end_ns")


def _slices(levels: pl.DataFrame) -> pl.DataFrame:
    """Equal stretches of the time from the first row to the last."""
    first, last = int(levels["at_ns"][0]), int(levels["at_ns"][-1]) + 1
    edges = [first + (last - first) * i // _SLICES for i in range(_SLICES + 1)]
    frame = pl.DataFrame({"stretch": range(_SLICES), "start_ns": edges[:-1], "end_ns": edges[1:]})
    return frame.filter(pl.col("end_ns") > pl.col("start_ns"))


def summed_up(levels: pl.DataFrame, stretches: pl.DataFrame) -> pl.DataFrame:
    """One row for each stretch of time; its level at the start counts for the largest too.

    Column row: that of the largest level among ``levels``.
    """
    at = levels["at_ns"].to_numpy()
    firsts = np.searchsorted(at, stretches["start_ns"].to_numpy(), side="left").tolist()
    lasts = np.searchsorted(at, stretches["end_ns"].to_numpy(), side="left").tolist()
    rows = []
    for stretch, start, first, last in zip(stretches["stretch"], stretches["start_ns"], firsts, lasts, strict=True):
        lowest = max(first - 1, 0)
        part = levels[lowest:last]
        if len(part) == 0:
            continue
        most = part["allocated_bytes"].arg_max() or 0
        rows.append(
            {
                "stretch": stretch,
                "at_ns": max(part["at_ns"][most], start),
                "change_bytes": int(levels["change_bytes"][first:last].sum()),
                "event": part["event"][most],
                "allocated_bytes": part["allocated_bytes"][most],
                "active_bytes": part["active_bytes"][most],
                "row": part["row"][most],
                "reserved_bytes": part["reserved_bytes"].max(),
                "peak": bool(levels["peak"][first:last].any()),
            }
        )
    schema = {"stretch": pl.Int64} | dict(levels.schema)
    return pl.DataFrame(rows, schema=schema)
