"""Which activities waited for an event of another stream.

``cudaStreamWaitEvent`` makes a stream wait until another one has come as far as where the event was recorded. With CUDA
sync events in the recording the two streams may be known. Else they are told from times: if a stream was told to wait
between two of its activities, the later one may have waited for the activity that ended last before it on another
stream of the device, provided that one was launched before the wait.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.event_records import with_record_streams
from stepscope.analyses.critical_path.graph_edges import node_waits
from stepscope.analyses.critical_path.queue import NEVER, Flags, Queue
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.profile import Rank

WAIT_EVENT = "Stream Wait Event"
_WAIT_CALL = r"(?i)StreamWaitEvent"
_LOOK_BACK = 8
"""Activities that ended last before a start, of which one may be the one it waited for."""


@dataclass(frozen=True)
class EventWaits:
    """What each activity may have waited for beside its stream and its launch.

    Attributes:
        target: row of the activity of another stream, or of its graph, or `NOBODY`.
        inferred: whether that was told from times.
        in_graph: whether it is recorded as an edge of its graph.
    """

    target: Ints
    inferred: Flags
    in_graph: Flags


def event_waits(rank: Rank, queue: Queue) -> EventWaits:
    """Waits of the whole trace."""
    target = np.full(len(queue.start), NOBODY, np.int64)
    waits = told_waits(rank)
    _add_recorded(target, waits.filter(pl.col("wait_stream").is_not_null()), queue)
    inferred = np.zeros(len(target), np.bool_)
    edges = node_waits(rank, queue)
    if len(queue.streams) > 1:
        told = waits.filter(pl.col("wait_stream").is_null()).select("device", "stream", "at")
        guess = _inferred(queue, told)
        inferred = (guess >= 0) & ((target < 0) | (queue.end[guess] > queue.end[target]))
        # Of a graph whose edges are recorded nothing is guessed.
        inferred &= ~np.isin(queue.call, np.unique(queue.call[(edges >= 0) & (queue.call >= 0)]))
        target[inferred] = guess[inferred]
    in_graph = (edges >= 0) & ((target < 0) | (queue.end[edges] >= queue.end[target]))
    return EventWaits(np.where(in_graph, edges, target), inferred & ~in_graph, in_graph)


def told_waits(rank: Rank) -> pl.DataFrame:
    """Waits of streams: columns device, stream, wait_stream, at (when told to wait), until (when the event was
    recorded). What is not known is null: the profiler cannot name the other stream for every way to record an event,
    and without CUDA sync events nothing but the calls are known.
    """
    codes = rank.trace.codes(lambda text: text == WAIT_EVENT)
    columns = ["name", "device", "stream", "wait_stream", "wait_correlation", "correlation", "start_ns"]
    frame = rank.trace.frame("sync", columns).filter(pl.col("name").is_in(codes.implode()))
    calls = rank.trace.frame("runtime", ["correlation", "start_ns"])
    if len(frame) == 0:
        names = rank.trace.codes(lambda text: text.str.contains(_WAIT_CALL))
        nothing = [pl.lit(None, pl.Int64).alias(name) for name in ("device", "stream", "wait_stream", "until")]
        told = calls[rank.trace.rows_with("runtime", names)]
        return told.select(*nothing, pl.col("start_ns").alias("at"))
    calls = calls.filter(pl.col("correlation") > 0).sort("start_ns")
    calls = calls.unique("correlation", keep="last", maintain_order=True)
    for key, name in (("correlation", "at"), ("wait_correlation", "until")):
        found = calls.select(pl.col("correlation").alias(key), pl.col("start_ns").alias(name))
        frame = frame.join(found, key, "left", maintain_order="left")
    known = pl.col("wait_stream") >= 0
    frame = with_record_streams(rank, frame)
    return frame.with_columns(pl.col("at").fill_null(pl.col("start_ns"))).select(
        "device",
        "stream",
        pl.when(known).then("wait_stream").alias("wait_stream"),
        pl.col("until").fill_null(pl.col("at")),
        "at",
    )


def _add_recorded(target: Ints, waits: pl.DataFrame, queue: Queue) -> None:
    """Give the first activity launched after each wait the one that the event stands for; of several the last."""
    numbers = queue.streams.select("device", "stream", pl.col("number").cast(pl.Int64))
    waits = waits.join(numbers, ["device", "stream"], "inner")
    waits = waits.join(numbers.rename({"stream": "wait_stream", "number": "other"}), ["device", "wait_stream"], "inner")
    for number in waits["number"].unique().to_list():
        mine = queue.of_stream(number)
        for other in waits.filter(number=number)["other"].unique().to_list():
            told = waits.filter(number=number, other=other)
            index = np.searchsorted(queue.launched[mine], told["at"].to_numpy(), side="left")
            event = last_launched(queue, other, told["until"].to_numpy())
            known = (index < len(mine)) & (event >= 0)
            for activity, before in zip(mine[index[known]].tolist(), event[known].tolist(), strict=True):
                if target[activity] < 0 or _ends_later(queue, before, int(target[activity])):
                    target[activity] = before


def _ends_later(queue: Queue, one: int, other: int) -> bool:
    """Whether an activity ends later than another one, or at once with it and is behind it in the order of time."""
    return bool((queue.end[one], queue.place[one]) > (queue.end[other], queue.place[other]))


def last_launched(queue: Queue, stream: int, at: Ints) -> Ints:
    """Row of the activity of a stream that ends last among those launched before each moment, or `NOBODY`."""
    mine = queue.of_stream(stream)
    if len(mine) == 0:
        return np.full(len(at), NOBODY, np.int64)
    end = queue.end[mine]
    reach = np.maximum.accumulate(end)
    # The row at which the running maximum was reached.
    rows = mine[np.maximum.accumulate(np.where(end == reach, np.arange(len(mine)), 0))]
    index = np.searchsorted(queue.launched[mine], at, side="left") - 1
    return np.where(index >= 0, rows[np.maximum(index, 0)], NOBODY)


def _inferred(queue: Queue, told: pl.DataFrame) -> Ints:
    """The activity of another stream that ended last before each start, where a wait lies between."""
    until = _last_told(queue, told)
    linked = queue.call >= 0

    def fits(row: Ints, other: Ints) -> Flags:
        # Inside a graph and before the recording nobody saw the waits.
        same_graph = linked[row] & (queue.call[other] == queue.call[row])
        unseen = ~linked[row] & ~linked[other]
        seen: Flags = (queue.launched[other] < until[row]) | same_graph | unseen
        return seen

    return ended_before(queue, np.arange(len(queue.start)), fits)


def ended_before(queue: Queue, rows: Ints, fits: Callable[[Ints, Ints], Flags]) -> Ints:
    """The activity of another stream of the device that ended last before the start of each of some activities.

    Args:
        rows: the activities.
        fits: tells of pairs (activity, other one) whether the other one is acceptable.

    Returns:
        By activity of the trace, `NOBODY` where none of the last few is acceptable, and for all but ``rows``.
    """
    devices = queue.streams["device"].fill_null(-1).to_numpy()[queue.stream]
    by_end = np.lexsort((queue.place, queue.end))
    last = np.searchsorted(queue.end[by_end], queue.start[rows], side="right") - 1
    target = np.full(len(queue.start), NOBODY, np.int64)
    for back in range(_LOOK_BACK):
        index = last - back
        other = by_end[np.maximum(index, 0)]
        right = (index >= 0) & (queue.stream[other] != queue.stream[rows]) & (devices[other] == devices[rows])
        right &= (other != rows) & fits(rows, other)
        target[rows[right]] = other[right]
        rows, last = rows[~right], last[~right]
    return target


def _last_told(queue: Queue, told: pl.DataFrame) -> Ints:
    """When each activity's stream was last told to wait between the launch of the activity before and its own."""
    before = np.maximum(queue.before, 0)
    since = np.where(queue.before >= 0, queue.launched[before], NEVER)
    everywhere = told.filter(pl.col("stream").is_null())["at"].sort().to_numpy()
    at = _latest(everywhere, queue.launched)
    numbers = queue.streams.select("number", "device", "stream")
    own = told.drop_nulls("stream").join(numbers, ["device", "stream"], "inner", nulls_equal=True).sort("number", "at")
    if len(own):
        for waits in own.partition_by("number", maintain_order=True):
            mine = queue.of_stream(int(waits["number"][0]))
            at[mine] = np.maximum(at[mine], _latest(waits["at"].to_numpy(), queue.launched[mine]))
    return np.where((at > since) & (queue.call >= 0), at, NEVER)


def _latest(times: Ints, until: Ints) -> Ints:
    """The latest of some sorted times up to each moment, or `NEVER`."""
    if len(times) == 0:
        return np.full(len(until), NEVER, np.int64)
    index = np.searchsorted(times, until, side="right") - 1
    return np.where(index >= 0, times[np.maximum(index, 0)], NEVER)
