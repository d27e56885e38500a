"""The host's side of the timed steps: what each thread does between its moments of launching and waiting."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import gpu_queue
from stepscope.analyses.critical_path.threads import host_threads, switches
from stepscope.analyses.critical_path.waits import Waits, host_waits
from stepscope.analyses.simulation.buffer_requests import with_requests
from stepscope.analyses.simulation.gpu_side import GpuSide
from stepscope.analyses.simulation.host_clock import HostClock, host_clock
from stepscope.numeric.intervals import Ints, length, union
from stepscope.numeric.nested import NOBODY
from stepscope.numeric.replay import HAND_OVER, LAUNCH, MARK, WAIT, WAIT_ALL, WAIT_STREAM
from stepscope.store.profile import Rank

_OWN_NS = 5_000
"""What a call that waits costs without the wait, at most."""

_OF_ALL_STREAMS = r"(?i)Device|Ctx|Free|Unregister"
"""Synchronising calls that wait for every stream."""

_ITEM = ("at", "place", "kind", "thread", "own", "target", "tail", "first", "last", "call")


@dataclass(frozen=True)
class HostSide:
    """Items of the host in recorded order, see `numeric.replay.Items`.

    Attributes:
        clocks: of the threads that are timed: the main one first, then those of the autograd engine.
        items: columns at (recorded moment, ns), kind, thread (number among the clocks), own (work of the item itself
            that is in no interval, ns), target, tail, first, last, and call: row in the table runtime, or -1.
        held_ns: how long the threads waited for work from before the window.
    """

    clocks: tuple[HostClock, ...]
    items: pl.DataFrame
    held_ns: int


def host_side(rank: Rank, window: tuple[int, int], gpu: GpuSide) -> HostSide:
    """The items of a window.

    Threads other than the main one and the autograd engine's have no clock of their own: what they launch is launched
    when the main thread has come as far as it had in the recording, and nothing is blocked by their waits.
    """
    threads = host_threads(rank)
    timed = np.array([threads.main, *threads.engine])
    waits = _timed_waits(rank, window, timed)
    turn = switches(rank)
    known = (turn.at > window[0]) & (turn.at <= window[1]) & np.isin(turn.thread, timed) & np.isin(turn.target, timed)
    at, thread, target = turn.at[known], turn.thread[known], turn.target[known]
    clocks = tuple(
        host_clock(
            rank,
            number,
            window,
            (waits.start[waits.thread == number], waits.end[waits.thread == number]),
            at[thread == number],
            at[target == number],
        )
        for number in timed.tolist()
    )
    place = {number: slot for slot, number in enumerate(timed.tolist())}
    slots = np.array([place.get(number, 0) for number in range(max(place, default=0) + 1)], np.int64)
    frames = [_launches(rank, gpu, slots), _waiting(rank, waits, gpu, slots)]
    if len(at):
        frames += [_items(1, MARK, at, slots[target]), _items(2, HAND_OVER, at, slots[thread], target=slots[target])]
    every = np.arange(len(timed))
    frames += [
        _items(place, MARK, np.full(len(timed), edge), every) for place, edge in ((0, window[0]), (4, window[1]))
    ]
    earlier = gpu.number[waits.activity] == NOBODY
    held = length(union(waits.start[earlier], waits.end[earlier]))
    # What stands in one frame at one moment is in order already; calls are numbered as the file has them.
    return HostSide(
        with_requests(rank, clocks), pl.concat(frames).sort("at", "place", "first", "thread", maintain_order=True), held
    )


def _items(place: int, kind: int | Ints, at: Ints, thread: Ints, **more: Ints) -> pl.DataFrame:
    """Items as a frame; ``place`` orders those of one moment: what ends comes before what begins."""
    values: dict[str, Ints | int] = {"at": at, "place": place, "kind": kind, "thread": thread}
    values.update({"own": 0, "target": NOBODY, "tail": 0, "first": 0, "last": 0, "call": NOBODY})
    values.update(more)
    return pl.DataFrame({name: np.broadcast_to(values[name], len(at)).astype(np.int64) for name in _ITEM})


def _launches(rank: Rank, gpu: GpuSide, slots: Ints) -> pl.DataFrame:
    """An item for each call that launched something."""
    queue = gpu_queue(rank)
    calls = queue.call[gpu.rows]
    first = np.flatnonzero(np.append(True, calls[1:] != calls[:-1])) if len(calls) else np.empty(0, np.int64)
    last = np.append(first[1:], len(calls)) if len(calls) else first
    at = queue.call_start[gpu.rows][first]
    return _items(3, LAUNCH, at, _slot(slots, gpu.thread[first]), first=first, last=last, call=calls[first])


def _slot(slots: Ints, thread: Ints) -> Ints:
    """Clock by which each thread is timed."""
    known = (thread >= 0) & (thread < len(slots))
    return np.where(known, slots[np.where(known, thread, 0)], 0)


def _timed_waits(rank: Rank, window: tuple[int, int], timed: Ints) -> Waits:
    """Calls of the timed threads that waited inside the window."""
    waits = host_waits(rank, gpu_queue(rank))
    mine = (waits.start >= window[0]) & (waits.end <= window[1]) & np.isin(waits.thread, timed)
    return Waits(*(getattr(waits, part.name)[mine] for part in fields(Waits)))


def _waiting(rank: Rank, waits: Waits, gpu: GpuSide, slots: Ints) -> pl.DataFrame:
    """An item for each call that waited for the GPU, at its end."""
    mine = ~waits.room  # the replay has that queue itself
    call, activity, end = waits.call[mine], waits.activity[mine], waits.end[mine]
    queue = gpu_queue(rank)
    of_all = rank.trace.codes(lambda text: text.str.contains(_OF_ALL_STREAMS))
    for_all = rank.trace.frame("runtime", ["name"])["name"][call].is_in(of_all.implode()).fill_null(False).to_numpy()
    target = gpu.number[activity]
    kind = np.where(for_all, WAIT_ALL, np.where(target >= 0, WAIT, WAIT_STREAM))
    return _items(
        0,
        kind,
        end,
        slots[waits.thread[mine]],
        own=np.minimum(_OWN_NS, end - waits.start[mine]),
        target=np.where(kind == WAIT, target, np.where(kind == WAIT_STREAM, queue.stream[activity], NOBODY)),
        tail=end - queue.end[activity],
        call=call,
    )
