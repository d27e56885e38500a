"""The typical step of a recording as lanes of events, to be drawn above that of the other side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.comparison.names import nameless_places
from stepscope.comparison.recorded import compared_steps
from stepscope.schema import UNATTRIBUTED
from stepscope.store.profile import Rank

HOST_LANE, GPU_LANE = "host", "gpu"

_MOST_LANES = 4
"""Of the host, and of the GPU: those with most time."""

_MOST_EVENTS = 1200
"""Of a lane: the longest ones."""


@dataclass(frozen=True)
class Lane:
    """A thread or a stream in a step.

    Attributes:
        kind: `HOST_LANE` or `GPU_LANE`.
        name: of the thread or stream.
        events: columns name, start_ns (from the beginning of the step), duration_ns, in order.
        left_out: how many shorter events are not among them.
    """

    kind: str
    name: str
    events: pl.DataFrame
    left_out: int


@dataclass(frozen=True)
class TypicalStep:
    """A step of median length.

    Attributes:
        step: its number.
        length_ns: from the beginning of its range on the host to the end of its last work.
        lanes: outermost operators of the host by thread, then work of the GPU by stream.
    """

    step: int
    length_ns: int
    lanes: tuple[Lane, ...]


def typical_step(rank: Rank) -> TypicalStep:
    """The compared step whose time is the median, of an even number the shorter one in the middle."""
    steps = compared_steps(rank)
    at = int(np.argsort(steps.length, kind="stable")[(len(steps) - 1) // 2])
    begin, end = int(steps.begin[at]), int(max(steps.stop[at], steps.end[at]))
    lanes = (*_host_lanes(rank, begin, end), *_gpu_lanes(rank, begin, end))
    return TypicalStep(int(steps.number[at]), end - begin, lanes)


def _host_lanes(rank: Rank, begin: int, end: int) -> list[Lane]:
    columns = ["name", "process", "thread", "start_ns", "duration_ns"]
    frame = rank.trace.frame("operator", columns)
    outermost = rank.nesting("operator").nesting.parent < 0
    threads = frame.filter(pl.Series(outermost)).with_columns(
        rank.trace.text(frame["thread"].cast(pl.UInt32)).filter(pl.Series(outermost)).alias("lane")
    )
    return _lanes(rank, HOST_LANE, threads, begin, end)


def _gpu_lanes(rank: Rank, begin: int, end: int) -> list[Lane]:
    activity = rank.whole.activity
    lane = activity["stream"].cast(pl.String) if len(activity) else pl.Series([], dtype=pl.String)
    frame = activity.select("name", "start_ns", "duration_ns").with_columns(lane.alias("lane"))
    return _lanes(rank, GPU_LANE, frame, begin, end)


def _lanes(rank: Rank, kind: str, frame: pl.DataFrame, begin: int, end: int) -> list[Lane]:
    """Events of a step by lane, cut at its ends."""
    start, stop = pl.col("start_ns"), pl.col("start_ns") + pl.col("duration_ns")
    inside = frame.filter((start < end) & (stop > begin)).with_columns(
        pl.max_horizontal(start, begin).alias("start_ns"),
        (pl.min_horizontal(stop, end) - pl.max_horizontal(start, begin)).alias("duration_ns"),
        pl.col("lane").fill_null(""),
    )
    order = (
        inside.group_by("lane").agg(pl.col("duration_ns").sum()).sort("duration_ns", "lane", descending=[True, False])
    )
    found = []
    for lane in order["lane"].head(_MOST_LANES).sort():
        events = inside.filter(lane=lane)
        drawn = events.sort("duration_ns", descending=True, maintain_order=True).head(_MOST_EVENTS).sort("start_ns")
        names = rank.trace.text(drawn["name"].cast(pl.UInt32)).fill_null(UNATTRIBUTED).alias("name")
        drawn = pl.DataFrame([names, drawn["start_ns"] - begin, drawn["duration_ns"]])
        drawn = drawn.with_columns(nameless_places(pl.col("name")))
        found.append(Lane(kind, lane, drawn, len(events) - len(drawn)))
    return found
