"""The idle time of each GPU as a lane: its gaps, each divided among its causes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from stepscope.analyses.idle.gap_causes import gap_parts
from stepscope.analyses.idle.gap_parts import CAUSES
from stepscope.analyses.idle.gaps import find_gaps
from stepscope.messages import Message
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank
from stepscope.timeline import kinds
from stepscope.timeline.stored_events import gpu_numbers
from stepscope.timeline.tracks import GPU, Track

if TYPE_CHECKING:
    from stepscope.timeline.events import Group
    from stepscope.timeline.lanes import LaneSet


@per_rank
def idle_parts(rank: Rank) -> pl.DataFrame:
    """Parts of the gaps of each GPU in order of time; an idle event's source is a row of it.

    Columns of `gap_parts`, and gpu, start_ns, end_ns. A gap's parts stand in the order in which they happened: what
    kept the host until the launch, then what kept the GPU.
    """
    gaps = find_gaps(rank, "device")
    parts = gap_parts(rank, "device")
    gap = parts["gap"].to_numpy()
    length = parts["part_ns"].to_numpy()
    until = np.cumsum(length)
    before = np.zeros(len(gaps) + 1, np.int64)
    before[gap[::-1]] = (until - length)[::-1]  # of a gap's parts the first is written last
    start = gaps["start_ns"].to_numpy()[gap] + until - length - before[gap]
    return parts.with_columns(
        gaps["device"].gather(parts["gap"]).alias("device"),
        pl.Series("start_ns", start),
        pl.Series("end_ns", start + length),
    )


def make_idle_lanes(rank: Rank, path: Path) -> LaneSet:
    """A lane for each GPU of a rank, kept in a file."""
    from stepscope.timeline.lane_layout import laid_lanes

    groups = _groups(rank)
    return laid_lanes(path, groups, list(CAUSES), sum(len(group.track) for group in groups), 0)


def _groups(rank: Rank) -> list[Group]:
    from stepscope.numeric.depths import Laid
    from stepscope.timeline.events import Group

    if rank.trace.rows("activity") == 0:
        return []
    parts = idle_parts(rank)
    if len(parts) == 0:
        return []
    causes = {cause: number for number, cause in enumerate(CAUSES)}
    name = parts["cause"].replace_strict(causes, return_dtype=pl.UInt32).to_numpy(writable=True)
    kind = np.full(len(parts), kinds.IDLE, np.uint8)
    source = np.arange(len(parts), dtype=np.uint32)
    events = Laid(parts["start_ns"].to_numpy(), parts["end_ns"].to_numpy(), name, kind, source)
    devices = parts["device"].unique(maintain_order=True)
    numbers = pl.DataFrame({"device": devices, "number": range(len(devices))}, schema_overrides={"number": pl.Int32})
    track = parts.select("device").join(numbers, "device", "left", maintain_order="left", nulls_equal=True)["number"]
    tracks = [Track(GPU, "idle", Message("lane-idle"), device=gpu) for gpu in _gpus(rank, devices)]
    return [Group(tracks, track.to_numpy(writable=True), np.zeros(len(parts), np.int64), events)]


def _gpus(rank: Rank, devices: pl.Series) -> list[int | None]:
    """Numbers of GPUs, as those of the streams; where activity names no device, by its process."""
    frame = rank.trace.frame("activity", ["device", "process"])
    unnamed = gpu_numbers(rank.trace, frame.filter(pl.col("device").is_null())).drop_nulls()
    return [unnamed[0] if device is None and len(unnamed) else device for device in devices.to_list()]
