"""Host and GPU time by stack, as a tree of frames (see docs/tables/).

Host self is the time in which a frame is its thread's innermost; over all frames it adds up to the time in which any of
them is open, thread by thread. An activity belongs to the frame that is innermost where its launch starts, and what a
backward function launches to the frame of its forward operator. What belongs to no frame is the row
`schema.UNATTRIBUTED`: self over all rows is all activity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from stepscope.analyses.host.enclosing import rows_at
from stepscope.analyses.host.frame_trees import frame_tree, merged_trees
from stepscope.analyses.host.host_stacks import KINDS, HostStacks, host_stacks
from stepscope.analyses.host.module_calls import MODULE
from stepscope.analyses.needs import NEEDS, option_for
from stepscope.analyses.steps.totals import sum_by
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints, Union, common, covered_within, union
from stepscope.numeric.nested import NOBODY
from stepscope.schema import TABLES, UNATTRIBUTED
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

if TYPE_CHECKING:
    from stepscope.numeric.stack_paths import Paths

_SHOWN = {"": KINDS, "python": ("python",), "operator": ("annotation", "operator"), "module": ("python",)}
"""Which events are frames, by grouping; of modules only calls of modules."""

_SUMS = ("calls", "host_self_ns", "device_self_ns")


def flame_graph(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``flame_graph``, the frame with the largest share first.

    No frame comes before the one around it: the first rows are a tree of the heaviest frames.

    Args:
        by: "" for ranges, Python functions and operators together; ``python`` for Python functions, ``operator`` for
            operators and ranges, ``module`` for calls of modules.
    """
    trees = [tree for rank in profile.ranks for tree in _rank_trees(rank, by)]
    device = sum(int(_device_time(rank).sum()) for rank in profile.ranks)
    frames = _totals(merged_trees(trees, _SUMS))
    frames = pl.concat([frames, _unattributed(frames, device)], how="diagonal")
    host = int(frames["host_self_ns"].sum())
    frames = frames.with_columns(
        (100.0 * pl.col("host_total_ns") / max(host, 1)).alias("host_pct"),
        (100.0 * pl.col("device_total_ns") / max(device, 1)).alias("device_pct"),
    )
    frames = frames.sort(pl.max_horizontal("host_pct", "device_pct"), "frame", descending=[True, False])
    return frames.select(pl.col(name).cast(dtype) for name, dtype in TABLES["flame_graph"].schema.items())


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What the frames are where stacks were not recorded, and how much of the GPU time has none."""
    found = []
    if len(frame) and not any(NEEDS["stacks"].present(rank) for rank in profile.ranks):
        found.append(Message("note-flame-graph-no-stacks", option=option_for(profile, "stacks")))
    lost = int(frame.filter(pl.col("parent").is_null() & (pl.col("name") == UNATTRIBUTED))["device_self_ns"].sum())
    whole = int(frame["device_self_ns"].sum())
    if lost:
        found.append(Message("note-flame-graph-outside", outside_pct=100 * lost / whole))
    return found


def _windows(rank: Rank) -> Union | None:
    """When the host counts: in the selected steps and moments, or always."""
    if not rank.is_limited:
        return None
    found = None if rank.chosen is None else union(rank.steps["start_ns"].to_numpy(), rank.steps["end_ns"].to_numpy())
    if rank.moments is None:
        return found
    area = (np.array(rank.moments[:1]), np.array(rank.moments[1:]))
    return area if found is None else common(found, area)


def _device_time(rank: Rank) -> Ints:
    """Time of each selected activity, as far as it lies in the selected moments."""
    activity = rank.activity
    if rank.moments is None:
        return activity["duration_ns"].to_numpy()
    area = (np.array(rank.moments[:1]), np.array(rank.moments[1:]))
    return covered_within(area, activity["start_ns"].to_numpy(), activity["end_ns"].to_numpy())


def _rank_trees(rank: Rank, by: str) -> list[pl.DataFrame]:
    """The frames of a rank, as of `frame_tree`: by what ran on the host, and by what launched work on the GPU.

    They differ in the backward pass, whose host time stays where it ran.
    """
    stacks = host_stacks(rank)
    if len(stacks.name) == 0:
        return []
    host, calls = _host_time(rank, stacks)
    on_host, launching = _paths(rank, by)
    is_frame = _codes(rank, stacks, by) >= 0
    return [
        frame_tree(rank, on_host, {"calls": np.where(is_frame, calls, 0), "host_self_ns": host}),
        frame_tree(rank, launching, {"device_self_ns": _launched_time(rank, stacks)}),
    ]


@per_rank(unlimited=True)
def _paths(rank: Rank, by: str) -> tuple[Paths, Paths]:
    """Paths of a rank's events as they are nested, and with the backward pass in its forward operators."""
    from stepscope.numeric.stack_paths import number_paths

    stacks = host_stacks(rank)
    codes = _codes(rank, stacks, by)
    return number_paths(stacks.host.nesting.parent, codes), number_paths(stacks.backward, codes)


def _host_time(rank: Rank, stacks: HostStacks) -> tuple[Ints, Ints]:
    """Self time of each event where the host counts, and whether it is open there, as 1 or 0."""
    from stepscope.numeric.stack_paths import self_within

    host, windows = stacks.host, _windows(rank)
    if windows is None:
        return host.nesting.self_ns, np.ones(len(host.start), np.int64)
    # In whole microseconds an event may take no time; it counts at its start all the same.
    is_open = covered_within(windows, host.start, np.maximum(host.end, host.start + 1)) > 0
    return self_within(host.nesting.order, host.thread, host.start, host.end, windows), is_open.astype(np.int64)


def _launched_time(rank: Rank, stacks: HostStacks) -> Ints:
    """GPU time that each event launched itself."""
    launched = rank.activity["launch"].is_not_null().to_numpy()
    activity = rank.activity.filter(pl.Series(launched))
    if len(activity) == 0:
        return np.zeros(len(stacks.name), np.int64)
    calls = rank.trace.frame("runtime", ["process", "thread"])
    process, thread = (calls[name].gather(activity["launch"]) for name in ("process", "thread"))
    row = rows_at(stacks.host, process, thread, activity["launch_start_ns"].to_numpy())
    known = row >= 0
    return sum_by(row[known], _device_time(rank)[launched][known], len(stacks.name))


def _codes(rank: Rank, stacks: HostStacks, by: str) -> Ints:
    """What each event is called as a frame, as a number of name and kind; negative for an event that is no frame."""
    shown = np.isin(stacks.kind, [KINDS.index(kind) for kind in _SHOWN[by]]) & (stacks.name >= 0)
    if by == "module":
        is_module = np.zeros(len(rank.trace.texts), np.bool_)
        is_module[rank.trace.codes(lambda text: text.str.starts_with(MODULE)).to_numpy()] = True
        shown &= is_module[np.maximum(stacks.name, 0)] if len(is_module) else False
    return np.where(shown, stacks.codes, NOBODY)


def _totals(frames: pl.DataFrame) -> pl.DataFrame:
    """Frames with their totals, numbered depth first, of siblings the one with most host time first.

    Columns frame, parent, depth, frames, name, kind, calls and four times.
    """
    from stepscope.numeric.stack_paths import depth_first, sums_inside

    outer = frames["outer"].to_numpy()
    totals = {
        "host_total_ns": sums_inside(outer, frames["host_self_ns"].to_numpy()),
        "device_total_ns": sums_inside(outer, frames["device_self_ns"].to_numpy()),
        "frames": sums_inside(outer, np.ones(len(outer), np.int64)),
    }
    frames = frames.with_columns(*(pl.Series(name, total) for name, total in totals.items())).with_row_index("path")
    order = ["outer", "host_total_ns", "device_total_ns", "name", "kind"]
    beside = frames.sort(order, descending=[False, True, True, False, False])
    before = beside.select("path", (pl.col("frames").cum_sum() - pl.col("frames")).over("outer").alias("before"))
    number, depth = depth_first(outer, before.sort("path")["before"].to_numpy())
    parent = np.where(outer < 0, NOBODY, number[outer]) if len(outer) else outer
    return frames.with_columns(
        pl.Series("frame", number), pl.Series("parent", parent).replace(NOBODY, None), pl.Series("depth", depth)
    ).drop("path", "outer")


def _unattributed(frames: pl.DataFrame, device: int) -> pl.DataFrame:
    """The row of activity that belongs to no frame, if there is any."""
    rest = device - int(frames["device_self_ns"].sum())
    if rest == 0:
        return frames.clear()
    own = {"device_self_ns": rest, "device_total_ns": rest, "calls": 0, "host_self_ns": 0, "host_total_ns": 0}
    row = {"frame": len(frames), "depth": 0, "frames": 1, "name": UNATTRIBUTED, **own}
    return pl.DataFrame([row], schema_overrides=frames.schema)
