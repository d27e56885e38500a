"""Calls in which the host waited for the GPU, and the activity each waited for.

A synchronising call waited for the last activity launched before it that ended while it ran: of the stream it names
where CUDA sync events were recorded, else of the stream whose end lies closest before the call's. A copy from or to
pageable memory, or one whose name does not say Async, waits for itself. A launch that finds the queue full waits until
an earlier activity has ended. A launch waits for its own work where nearly all of its function's do. A call during
which nothing ended did not wait. Where the host reads what a kernel writes (`counter_waits`), it waits after the call
that launched it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.counter_waits import counter_waits
from stepscope.analyses.critical_path.event_records import with_record_streams
from stepscope.analyses.critical_path.events import WAIT_EVENT, last_launched
from stepscope.analyses.critical_path.queue import Flags, Queue, launch_times
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.schema import MEMCPY
from stepscope.store.profile import Rank
from stepscope.store.ties import places

_SYNCHRONISING = (
    r"(?i)Synchronize|^(?:cuda|hip)(?:Free|HostFree|FreeHost|HostUnregister)$|^cuMemFree"
    r"|^(?:cuda|hip|aclrt)Memcpy(?:WithStream|2D|3D|Peer)?$|^aclrtFree(?:Host|Physical)?$"
)
_PAGEABLE = r"(?i)pageable"
_ASYNC = r"(?i)async"
SKEW_NS = 10_000
"""How far the GPU's clock may run ahead: an activity may seem to end after the call that waited for it, by 8 us on
MI300X."""

_LAST_CHUNK_NS = 100_000
"""How long the GPU may fetch the last chunk of a copy from pageable memory: 3 to 19 us were seen, 80 are 4 MB."""

_DEVICE_SKEW_NS = 50_000
"""How far the clock of a device other than a GPU may run ahead, of an activity twice as long: 22 us on MTIA."""

_NEARLY_ALL, _ENOUGH_LAUNCHES, _WORTH_WAITING_NS = 0.9, 20, 20_000
"""Share of a function's launches whose work lies inside the call, and how many of these take longer than any call does,
from which the function waits for its work."""

FULL_QUEUE = 1_000
"""Launches a GPU takes before the next one has to wait: 1019 to 1021 were pending at every blocked launch seen."""

_BLOCKED_NS = 20_000
"""A launch shorter than this did not wait for room in the queue."""


@dataclass(frozen=True)
class Waits:
    """Calls that waited, by thread and end; what ends at once in an order that does not depend on the file's.

    Attributes:
        call: row of the call in the table runtime.
        thread: of the call.
        start, end: of the wait: those of the call, except where the host reads counts.
        activity: row of the activity it waited for.
        known: whether the trace says which stream it waited for.
        room: whether it is a launch that waited for room in the queue.
    """

    call: Ints
    thread: Ints
    start: Ints
    end: Ints
    activity: Ints
    known: Flags
    room: Flags


def host_waits(rank: Rank, queue: Queue) -> Waits:
    """Waits of the whole trace."""
    calls = rank.trace.frame("runtime", ["start_ns", "duration_ns", "correlation"])
    start = calls["start_ns"].to_numpy()
    end = start + calls["duration_ns"].to_numpy()
    activity = np.full(len(calls), NOBODY, np.int64)
    known, room = np.zeros(len(calls), np.bool_), np.zeros(len(calls), np.bool_)
    if len(queue.start):
        _blocking_copies(rank, queue, start, end, activity)
        _blocking_launches(rank, queue, start, end, activity)
        blocked, until = _full_queue(queue, start, end)
        activity[blocked], room[blocked] = until, True
        names = rank.trace.codes(lambda text: text.str.contains(_SYNCHRONISING))
        rows = rank.trace.rows_with("runtime", names)
        found, told = _waited_for(rank, queue, calls[rows], start[rows], end[rows])
        activity[rows], known[rows], room[rows] = found, told & (found >= 0), False
    rows = np.flatnonzero(activity >= 0)
    call, until, kernel = counter_waits(rank, queue, SKEW_NS)
    begun, ended = np.append(start[rows], end[call]), np.append(end[rows], until)
    activity = np.append(activity[rows], kernel)
    flags = [np.append(flag[rows], np.zeros(len(call), np.bool_)) for flag in (known, room)]
    rows = np.append(rows, call)
    thread = host_threads(rank).numbered(rank, "runtime")[0][rows]
    order = np.lexsort((places(rank.trace, "runtime")[rows], begun, ended, thread))
    known, room = (flag[order] for flag in flags)
    return Waits(rows[order], thread[order], begun[order], ended[order], activity[order], known, room)


def _waited_for(rank: Rank, queue: Queue, calls: pl.DataFrame, start: Ints, end: Ints) -> tuple[Ints, Flags]:
    """Activity that each synchronising call waited for, and whether the stream was recorded."""
    streams, until = _recorded(rank, calls)
    best = np.full(len(calls), NOBODY, np.int64)
    best_end = start.copy()
    late = np.full(len(calls), NOBODY, np.int64)
    late_end = end + SKEW_NS + 1
    names = queue.streams["stream"].fill_null(-1).to_list() if len(calls) else []
    for number, name in enumerate(names):
        last = last_launched(queue, number, np.minimum(until, start))
        finish = np.where(last >= 0, queue.end[last], start)
        mine = ((streams == name) | (streams < 0)) & (last >= 0) & (finish > start)
        better = mine & (finish <= end) & (finish > best_end)
        best[better], best_end[better] = last[better], finish[better]
        later = mine & (finish > end) & (finish < late_end)
        late[later], late_end[later] = last[later], finish[later]
    return np.where(best >= 0, best, late), streams >= 0


def _recorded(rank: Rank, calls: pl.DataFrame) -> tuple[Ints, Ints]:
    """Stream that each call waited for as recorded, -1 for all or unknown; and the moment up to which it was."""
    codes = rank.trace.codes(lambda text: text == WAIT_EVENT)
    columns = ["name", "correlation", "stream", "wait_stream", "wait_correlation"]
    sync = rank.trace.frame("sync", columns).filter(
        ~pl.col("name").is_in(codes.implode()).fill_null(False) & (pl.col("correlation") > 0)
    )
    if len(sync) == 0:  # as in most traces
        return np.full(len(calls), -1, np.int64), np.full(len(calls), (1 << 62) - 1)
    sync = sync.sort("stream", "wait_stream", "wait_correlation")
    sync = sync.unique("correlation", keep="last", maintain_order=True)
    sync = with_record_streams(rank, sync)
    asked = pl.col("correlation").is_in(sync["wait_correlation"].implode())
    records = rank.trace.frame("runtime", ["correlation", "start_ns"]).filter((pl.col("correlation") > 0) & asked)
    records = records.sort("start_ns").unique("correlation", keep="last", maintain_order=True)
    records = records.rename({"correlation": "wait_correlation", "start_ns": "until"})
    found = calls.select("correlation").join(sync, "correlation", "left", maintain_order="left")
    found = found.join(records, "wait_correlation", "left", maintain_order="left")
    # A context's sync has 2^32 - 1 for "no stream".
    stream = pl.when(pl.col("wait_stream") >= 0).then("wait_stream").otherwise("stream")
    stream = pl.when((stream >= 0) & (stream < (1 << 32) - 1)).then(stream).otherwise(-1)
    row = found.select(stream.alias("stream"), pl.col("until").fill_null((1 << 62) - 1))
    return row["stream"].cast(pl.Int64).to_numpy(), row["until"].to_numpy()


def _blocking_copies(rank: Rank, queue: Queue, start: Ints, end: Ints, activity: Ints) -> None:
    """Copies whose call ends after them because it waits for them."""
    activities = rank.trace.frame("activity", ["activity", "name"])
    pageable = rank.trace.codes(lambda text: text.str.contains(_PAGEABLE))
    asynchronous = rank.trace.codes(lambda text: text.str.contains(_ASYNC))
    rows = np.flatnonzero((activities["activity"] == MEMCPY).to_numpy() & (queue.call >= 0))
    rows = rows[np.lexsort((queue.place[rows], queue.end[rows]))]
    staged = activities["name"].gather(rows).is_in(pageable.implode()).fill_null(False).to_numpy()
    blocks = staged | ~pl.Series(queue.api[rows]).is_in(asynchronous.implode()).to_numpy()
    rows, staged = rows[blocks], staged[blocks]
    call = queue.call[rows]
    # From pageable memory the call returns when the last chunk is staged: the GPU still has to fetch that.
    behind = np.where(staged & (queue.start[rows] < end[call]), _LAST_CHUNK_NS, SKEW_NS)
    waited = (queue.end[rows] > start[call]) & (queue.end[rows] <= end[call] + behind)
    activity[call[waited]] = rows[waited]


def _blocking_launches(rank: Rank, queue: Queue, start: Ints, end: Ints, activity: Ints) -> None:
    """Launches that return when their work is done: all of a function's, as on MTIA and with CUDA_LAUNCH_BLOCKING."""
    kernel = (rank.trace.frame("activity", ["activity"])["activity"] != MEMCPY).to_numpy()
    rows = np.flatnonzero(kernel & (queue.call >= 0))
    call, api = queue.call[rows], queue.api[rows]
    length = queue.end[rows] - queue.start[rows]
    skew = np.minimum(length // 2, _DEVICE_SKEW_NS)
    inside = (queue.start[rows] >= start[call]) & (queue.end[rows] <= end[call] + skew)
    launches, waiting, long = (
        np.bincount(api[which], minlength=len(rank.trace.texts))
        for which in (slice(None), inside, inside & (length >= _WORTH_WAITING_NS))
    )
    blocking = (waiting >= _NEARLY_ALL * launches) & (long >= _ENOUGH_LAUNCHES)
    rows = rows[inside & blocking[api]]
    rows = rows[np.lexsort((queue.place[rows], queue.end[rows]))]
    activity[queue.call[rows]] = rows


def _full_queue(queue: Queue, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Launches that waited because the GPU had as many pending as it takes, and the activity each waited for."""
    began, finished = launch_times(queue)
    if len(began) < FULL_QUEUE:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    launched = np.zeros(len(start), np.bool_)
    launched[queue.call[queue.call >= 0]] = True
    long = np.flatnonzero(launched & (end - start >= _BLOCKED_NS))
    pending = np.searchsorted(began, start[long]) - np.searchsorted(finished, start[long], side="right")
    blocked = long[pending >= FULL_QUEUE]
    by_end = np.lexsort((queue.place, queue.end))
    last = by_end[np.maximum(np.searchsorted(queue.end[by_end], end[blocked], side="right") - 1, 0)]
    waited = (queue.end[last] > start[blocked]) & (queue.end[last] <= end[blocked])
    return blocked[waited], last[waited]
