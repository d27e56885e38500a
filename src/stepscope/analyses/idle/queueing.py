"""Launches and the queues of work they fill: how long each waited, and how many waited with it.

A queue belongs to a stream. A launch is in it from the start of its call to the start of its first activity; a graph is
one launch, however many kernels it has. Work that was launched before the recording began is in the queue from the
start: activity without a launch that comes before the first with one on its stream.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl

from stepscope.analyses.host.threads import runtime_calls
from stepscope.numeric.intervals import Ints, in_order
from stepscope.numeric.paired import paired
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank
from stepscope.store.sorting import by_numbers
from stepscope.store.ties import with_places

FULL = 1000
"""Launches waiting in a queue from which on it counts as full. Recordings show 1019 to 1022 at every call that blocked
(H200, CUDA 13); HolisticTraceAnalysis takes 1024."""

BLOCKED_FACTOR = 3
BLOCKED_NS = 20_000
"""A call that finds its queue full and takes three times the median of its API, and 20 us longer, was blocked by it."""

LANE = ["device", "stream"]


@per_rank
def queued_launches(rank: Rank) -> pl.DataFrame:
    """Every launch of a rank that owns activity, selected or not, and what was carried in, by start of the call.

    Columns: launch (row of table runtime; null for what was carried in), name (code), device, stream (of its first
    activity), call_start_ns, call_end_ns, start_ns (of its first activity), device_ns (sum of its activities),
    activities, free_ns (end of the work before it on its stream, or null), depth (launches that waited in its queue
    when the call began), blocked_ns (how much longer than usual the call took on a full queue), selected.
    """
    owned = _owned(rank)
    call = {"name": "name", "start_ns": "call_start_ns", "end_ns": "call_end_ns"}
    calls = runtime_calls(rank).select(pl.col(name).gather(owned["launch"]).alias(to) for name, to in call.items())
    launches = by_numbers(pl.concat([owned, calls], how="horizontal"), "call_start_ns", "call_end_ns", "start_ns")
    return _with_blocked(launches.with_columns(pl.Series("depth", _depths_before(launches))))


def _depths_before(launches: pl.DataFrame) -> Ints:
    """Launches that waited in the queue of each one when its call began: counted in all queues at once."""
    if len(launches) == 0:
        return np.empty(0, np.int64)
    recorded = launches["call_start_ns"].is_not_null().to_numpy()
    # Clocks of host and GPU may differ by a little: nothing leaves before it has entered.
    left = launches.select(pl.max_horizontal("start_ns", "call_start_ns")).to_series().to_numpy()
    earliest = launches.select(pl.min_horizontal(pl.col("start_ns", "call_start_ns").min())).item() - 1
    begin = launches["call_start_ns"].fill_null(earliest).to_numpy()
    lane = launches.select(pl.struct(LANE).rank("dense")).to_series().cast(pl.Int64).to_numpy()
    # Queue and time in one number to search for: of the beginning of each queue, of its calls, of its activity.
    times = np.concatenate([np.full(len(lane), earliest), begin, left])
    lane, asked, left = np.split(paired(np.tile(lane, 3), times), 3)
    entering, leaving, carried = in_order(asked[recorded]), in_order(left), in_order(lane[~recorded])
    depth: Ints = _between(entering, lane, asked, "left") - _between(leaving, lane, asked, "right")
    depth = np.maximum(depth + _between(carried, lane, lane, "right"), 0)
    return depth


def _between(of: Ints, first: Ints, last: Ints, side: Literal["left", "right"]) -> Ints:
    """How many sorted numbers lie from each first up to each last one, which counts with side ``right``."""
    found: Ints = np.searchsorted(of, last, side=side) - np.searchsorted(of, first, side="left")
    return found


def _owned(rank: Rank) -> pl.DataFrame:
    """One row per launch or piece of carried work: its first activity and their sum."""
    columns = ["row", "start_ns", "end_ns", "duration_ns", *LANE, "launch"]
    activity = with_places(rank.trace, "activity", rank.whole.activity.select(columns))
    activity = by_numbers(activity, "start_ns", "end_ns", "place")
    numbers = rank.trace.frame("activity", ["correlation"])["correlation"]
    before = pl.col("end_ns").cum_max().shift(1).over(LANE)
    linked = pl.col("launch").is_not_null()
    activity = activity.with_columns(
        before.alias("free_ns"),
        numbers.gather(activity["row"]),
        linked.cum_sum().over(LANE).alias("linked_before"),
        pl.col("row").is_in(rank.activity["row"].implode()).alias("selected"),
    )
    carried = activity.filter(~linked & (pl.col("linked_before") == 0))
    # What was carried in and has one number came from one launch, as the kernels of a graph do.
    own = pl.when(pl.col("correlation").fill_null(0).eq(0)).then("row")
    return pl.concat(
        [_summed(activity.filter(linked), "launch"), _summed(carried.with_columns(own), "launch", "correlation", "row")]
    )


def _summed(activity: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """One row for each launch."""
    return (
        activity.group_by(keys, maintain_order=True)
        .agg(
            pl.col(*LANE, "start_ns", "free_ns").first(),
            pl.col("duration_ns").sum().alias("device_ns"),
            pl.len().cast(pl.Int64).alias("activities"),
            pl.col("selected").any(),
        )
        .select("launch", *LANE, "start_ns", "free_ns", "device_ns", "activities", "selected")
    )


def _with_blocked(launches: pl.DataFrame) -> pl.DataFrame:
    host = pl.col("call_end_ns") - pl.col("call_start_ns")
    usual = pl.coalesce(host.filter(pl.col("depth") < FULL).median().over("name"), host.median().over("name"))
    longer = host - usual.round(0, mode="half_to_even").cast(pl.Int64)
    blocked = (pl.col("depth") >= FULL) & (host > BLOCKED_FACTOR * usual) & (longer >= BLOCKED_NS)
    return launches.with_columns(pl.when(blocked).then(longer).otherwise(0).alias("blocked_ns"))


class Queue:
    """How many launches wait in one queue over time.

    Attributes:
        carried: launches in it before the first recorded call.
        entered, left: sorted moments at which launches enter and leave it.
    """

    def __init__(self, carried: int, entered: Ints, left: Ints) -> None:
        self.carried = carried
        self.entered = np.sort(entered)
        self.left = np.sort(left)

    @classmethod
    def of(cls, launches: pl.DataFrame) -> Queue:
        """The queue of some rows of `queued_launches`."""
        recorded = launches["call_start_ns"].is_not_null()
        # Clocks of host and GPU may differ by a little: nothing leaves before it has entered.
        left = launches.select(pl.max_horizontal("start_ns", "call_start_ns")).to_series()
        return cls(int((~recorded).sum()), launches["call_start_ns"].drop_nulls().to_numpy(), left.to_numpy())

    def depth_at(self, times: Ints) -> Ints:
        """Launches that wait at some moments, those included that enter at them."""
        entered = np.searchsorted(self.entered, times, side="right")
        depth: Ints = self.carried + entered - np.searchsorted(self.left, times, side="right")
        return depth
