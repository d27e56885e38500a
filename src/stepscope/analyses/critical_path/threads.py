"""The host threads of a rank: numbers that hold across tables, and who works while whom waits.

In a training step the thread that calls ``backward()`` waits while the autograd engine's threads work, and goes on
when they are done. The trace holds no arrow for this. It is told from the events: nothing begins or ends on the waiting
thread while the engine works through its operators.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.numeric.intervals import Ints
from stepscope.numeric.nearby import NONE, neighbours
from stepscope.store.autograd import backward_names
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE, lanes_of, rows_of_places
from stepscope.store.profile import Rank

HOST_TABLES = ("operator", "runtime", "annotation", "python")
_WORKING = ("operator", "runtime")
"""Tables whose first events tell when a thread came alive."""

_STEP = r"^ProfilerStep#"
_TIMES = ["start_ns", "duration_ns"]


@dataclass(frozen=True)
class Switches:
    """Moments at which one thread took over from another, walked back: from ``thread`` to ``target`` at ``at``."""

    thread: Ints
    at: Ints
    target: Ints


@dataclass(frozen=True)
class Threads:
    """Host threads of a rank.

    Attributes:
        places: columns process, thread (codes) and number, which is that of the row.
        alive: time of the first operator or call of each, in ns; of one without any a time after everything.
        main: number of the thread that runs the training loop, or -1.
        engine: numbers of the threads of the autograd engine.
    """

    places: pl.DataFrame
    alive: Ints
    main: int
    engine: list[int]

    def numbers(self, places: pl.DataFrame) -> Ints:
        """Number of each (process, thread) of a frame, `NOBODY` for one that is none of these."""
        return rows_of_places(self.places, places)

    def numbered(self, rank: Rank, table: str) -> tuple[Ints, pl.DataFrame]:
        """Thread number of each row of a host table, and its columns start_ns, duration_ns."""
        return _numbered(rank, table), rank.trace.frame(table, _TIMES)


@per_rank(whole=True)
def host_threads(rank: Rank) -> Threads:
    """Threads of the host, selected or not."""
    counts = {table: _counts(rank, table) for table in HOST_TABLES}
    places = pl.concat([frame.select(PLACE) for frame in counts.values()]).unique(maintain_order=True)
    # By name, so that the order of events in the file decides nothing.
    places = places.sort(rank.trace.text(places["process"]), rank.trace.text(places["thread"]))
    places = places.with_columns(pl.int_range(pl.len()).alias("number"))
    for table, frame in counts.items():
        places = places.join(
            frame.rename({"events": table, "first": f"first {table}"}), PLACE, "left", nulls_equal=True
        )
    places = places.sort("number").with_columns(pl.col(HOST_TABLES).fill_null(0))
    engine = _engine_threads(rank, places)
    main = _main_thread(rank, places, engine)
    never = (1 << 62) - 1
    alive = places.select(pl.min_horizontal([f"first {table}" for table in _WORKING]).fill_null(never)).to_series()
    return Threads(places.select(*PLACE, "number"), alive.to_numpy(), main, [n for n in engine if n != main])


@per_rank(whole=True)
def _numbered(rank: Rank, table: str) -> Ints:
    """Thread number of each row of a host table: asked for dozens of times."""
    lanes, lane = lanes_of(rank.trace, table)
    return host_threads(rank).numbers(lanes)[lane]


def _counts(rank: Rank, table: str) -> pl.DataFrame:
    """Events of each thread of a host table: columns process, thread, events, first (ns; only where they are work)."""
    (lanes, lane), start = lanes_of(rank.trace, table), rank.trace.frame(table, ["start_ns"])["start_ns"].to_numpy()
    if table == "annotation":
        copies = rank.trace.rows_with(table, rank.trace.codes(lambda text: text == "gpu_user_annotation"), "category")
        lane, start = np.delete(lane, copies), np.delete(start, copies)
    events = np.bincount(lane, minlength=len(lanes))
    first = np.full(len(lanes), np.iinfo(np.int64).max)
    if table in _WORKING:  # the others, millions of Python calls among them, do not need it
        np.minimum.at(first, lane, start)
    counts = lanes.select(*PLACE, pl.Series("events", events, pl.Int64), pl.Series("first", first))
    return counts.filter(pl.col("events") > 0)


def _threads_with(rank: Rank, table: str, names: pl.Series, places: pl.DataFrame) -> pl.DataFrame:
    """Threads with events of some names (codes): columns number, events."""
    lanes, lane = lanes_of(rank.trace, table)
    events = np.bincount(lane[rank.trace.rows_with(table, names)], minlength=len(lanes))
    frame = lanes.select(*PLACE, pl.Series("events", events, pl.Int64)).filter(pl.col("events") > 0)
    return frame.join(places.select(*PLACE, "number"), PLACE, "inner", nulls_equal=True).sort("number")


def _engine_threads(rank: Rank, places: pl.DataFrame) -> list[int]:
    return _threads_with(rank, "operator", backward_names(rank.trace), places)["number"].to_list()


def _main_thread(rank: Rank, places: pl.DataFrame, engine: list[int]) -> int:
    """The thread of the steps if it does anything, else the busiest thread that is not the engine's, or the first one
    where only calls were recorded."""
    if len(places) == 0:
        return -1
    work = places.with_columns((pl.col("operator") + pl.col("runtime")).alias("work"))
    marks = rank.trace.codes(lambda text: text.str.contains(_STEP))
    steps = _threads_with(rank, "annotation", marks, places).sort("events", "number", descending=[True, False])
    for number in steps["number"].to_list()[:1]:
        row = work.row(number, named=True)
        if row["work"] or row["python"] or work["work"].sum() == 0:
            return int(number)
    others = work.filter(~pl.col("number").is_in(engine))
    calling = others.filter(pl.col("runtime") > 0)
    if len(calling) and others["operator"].sum() == 0:
        # Nothing tells the engine's thread from the one that calls it, but that one is first.
        return int(calling.sort("first runtime", "number")["number"][0])
    ranked = (others if len(others) else work).sort(
        "work", "python", "annotation", "number", descending=[True, True, True, False]
    )
    return int(ranked["number"][0])


def switches(rank: Rank) -> Switches:
    """Where the engine's threads took over from the main thread, and the other way round."""
    threads = host_threads(rank)
    nothing = np.empty(0, np.int64)
    if threads.main < 0 or not threads.engine:
        return Switches(nothing, nothing, nothing)
    number, times = threads.numbered(rank, "operator")
    start, length = times["start_ns"].to_numpy(), times["duration_ns"].to_numpy()
    of_engine = np.zeros(len(threads.places) + 1, np.bool_)
    of_engine[threads.engine] = True
    outermost = np.flatnonzero(of_engine[number] & (rank.nesting("operator").nesting.depth == 0))
    thread, first, last = number[outermost], start[outermost], start[outermost] + length[outermost]
    order = np.lexsort((last, first, thread))
    thread, first, last = thread[order], first[order], last[order]
    latest, following = neighbours(first, *_boundaries(rank, threads))
    back = _back_to_main(threads.main, latest, thread, first, last)
    over = _over_to_engine(threads.main, latest, following, thread, first, last)
    among = _among_engine(latest, thread, first, last) if len(threads.engine) > 1 else Switches(*[nothing] * 3)
    parts = (back, over, among)
    return Switches(
        np.concatenate([part.thread for part in parts]),
        np.concatenate([part.at for part in parts]),
        np.concatenate([part.target for part in parts]),
    )


def _boundaries(rank: Rank, threads: Threads) -> Iterator[Ints]:
    """Moments at which an operator or call of the main thread begins or ends."""
    for table in _WORKING:
        number, times = threads.numbered(rank, table)
        mine = np.flatnonzero(number == threads.main)
        start = times["start_ns"].to_numpy()[mine]
        yield start
        yield start + times["duration_ns"].to_numpy()[mine]


def _before(thread: Ints, last: Ints) -> Ints:
    """End of the outermost operator before each on its thread, or a time before everything."""
    before = np.full(len(last), -NONE)
    same = thread[1:] == thread[:-1]
    before[1:][same] = last[:-1][same]
    return before


def _back_to_main(main: int, latest: Ints, thread: Ints, first: Ints, last: Ints) -> Switches:
    """An engine's thread that begins after a pause in which the main thread did something was started by it."""
    waited = latest > _before(thread, last)
    return Switches(thread[waited], first[waited], np.full(int(waited.sum()), main, np.int64))


def _over_to_engine(main: int, latest: Ints, following: Ints, thread: Ints, first: Ints, last: Ints) -> Switches:
    """The main thread waited for the last operator of the engine in each stretch in which it did nothing itself."""
    inside = (latest > -NONE) & (following >= last) & (last > first)
    stretch, thread, last = latest[inside], thread[inside], last[inside]
    order = np.lexsort((last, stretch))
    final = np.append(stretch[order][1:] != stretch[order][:-1], True) if len(order) else np.empty(0, np.bool_)
    chosen = order[final]
    return Switches(np.full(len(chosen), main, np.int64), last[chosen], thread[chosen])


def _among_engine(main_did: Ints, thread: Ints, first: Ints, last: Ints) -> Switches:
    """An engine's thread that begins after a pause in which another of them ended something was waiting for it."""
    order = np.argsort(last, kind="stable")
    index = np.searchsorted(last[order], first, side="right") - 1
    latest = order[np.maximum(index, 0)]
    ended = last[latest]
    waited = (index >= 0) & (ended > _before(thread, last)) & (thread[latest] != thread)
    waited &= ended > main_did
    return Switches(thread[waited], ended[waited], thread[latest][waited])
