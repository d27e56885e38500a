"""What the operating system says of threads, as events: blocking calls, samples of the CPUs, time on a CPU and off it.

All of it begins and ends as it was recorded, outside the calls and ranges of a program too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.host.thread_scheduling import switches_in_order
from stepscope.numeric.depths import Laid
from stepscope.numeric.nested import Ints
from stepscope.schema import UNATTRIBUTED
from stepscope.store.nesting import PLACE, number_lanes
from stepscope.store.profile import Rank
from stepscope.store.trace import Trace
from stepscope.timeline import kinds
from stepscope.timeline.events import EventReader, Group, annotation_rows
from stepscope.timeline.names import Names
from stepscope.timeline.sharing import busy_threads, thread_tracks
from stepscope.timeline.stored_events import offsets
from stepscope.timeline.tracks import OS_CALLS, SAMPLES, SCHEDULING

OFF_CPU, UNKNOWN = "off CPU", "unknown"
"""Names of the time in which a thread was on no CPU, and of that in which a switch is missing."""

_TABLES = ("os_call", "cpu_sample", "thread_switch")


def system_groups(rank: Rank, names: Names) -> list[Group]:
    """Events of a rank's threads that the operating system was asked for: calls, samples, time on a CPU."""
    trace = rank.trace
    if not any(trace.rows(table) for table in _TABLES):
        return []
    reader = EventReader(rank, names, busy_threads(trace, annotation_rows(trace)[0]))
    makers: dict[str, Callable[[EventReader], Group]] = dict(zip(_TABLES, (_calls, _samples, _scheduling), strict=True))
    return [make(reader) for table, make in makers.items() if trace.rows(table)]


def sampled_names(trace: Trace) -> pl.Series:
    """Codes of the functions that ran when CPUs were sampled."""
    return _innermost(trace)["name"]


def _innermost(trace: Trace) -> pl.DataFrame:
    """The function of each stack that ran: columns stack, name."""
    frames = trace.frame("sample_frame", ["stack", "depth", "name"])
    return frames.sort("stack", "depth", "name").unique("stack", keep="first", maintain_order=True).drop("depth")


def _calls(reader: EventReader) -> Group:
    places = reader.places("os_call")
    events = reader.laid("os_call", kinds.OS_CALL)
    return _group(reader, OS_CALLS, places, events)


def _samples(reader: EventReader) -> Group:
    """Samples, each a moment with the name of the function that ran."""
    trace, names = reader.rank.trace, reader.names
    frame = trace.frame("cpu_sample", [*PLACE, "start_ns", "stack"])
    ran = frame.join(_innermost(trace), "stack", "left", maintain_order="left")["name"]
    name = np.where(ran.is_null(), names.of_word(UNATTRIBUTED), names.of(ran)).astype(np.uint32)
    start = frame["start_ns"].to_numpy(writable=True)
    source = (offsets(trace)["cpu_sample"] + np.arange(len(start))).astype(np.uint32)
    events = Laid(start, start.copy(), name, np.full(len(start), kinds.SAMPLE, np.uint8), source)
    return _group(reader, SAMPLES, frame.select(PLACE), events)


def _scheduling(reader: EventReader) -> Group:
    """Time on a CPU, off it, and unknown: from each switch of a thread to its next one; the last one is a moment."""
    trace, names = reader.rank.trace, reader.names
    frame = switches_in_order(trace)
    comes, next_comes = pl.col("running") == 1, pl.col("next_running") == 1
    # A switch that is missing between two of one kind leaves it open what the thread did.
    open_ = (comes == next_comes).fill_null(False) | comes.is_null()
    state = frame.select(pl.when(open_).then(2).when(comes).then(0).otherwise(1)).to_series().to_numpy()
    words = [0, names.of_word(OFF_CPU), names.of_word(UNKNOWN)]
    name = np.where(state == 0, _cpu_names(frame["cpu"], names), np.array(words)[state]).astype(np.uint32)
    kind = np.array([kinds.ON_CPU, kinds.OFF_CPU, kinds.OTHER], np.uint8)[state]
    source = (frame["row"].to_numpy() + offsets(trace)["thread_switch"]).astype(np.uint32)
    start, end = (frame[column].to_numpy(writable=True) for column in ("start_ns", "end_ns"))
    return _group(reader, SCHEDULING, frame.select(PLACE), Laid(start, end, name, kind, source))


def _cpu_names(cpus: pl.Series, names: Names) -> npt.NDArray[np.int64]:
    """Numbers of the names of CPUs."""
    known = cpus.unique(maintain_order=True)
    numbers = [names.of_word("CPU" if cpu is None else f"CPU {cpu}") for cpu in known]
    table = pl.DataFrame([known.alias("cpu"), pl.Series("number", numbers, pl.Int64)])
    return cpus.to_frame("cpu").join(table, "cpu", "left", maintain_order="left", nulls_equal=True)["number"].to_numpy()


def _group(reader: EventReader, kind: str, places: pl.DataFrame, events: Laid) -> Group:
    threads, line = number_lanes(places)
    tracks = thread_tracks(reader.rank.trace, threads.select(PLACE), kind, reader.busy)
    tie: Ints = np.zeros(len(line), np.int64)
    return Group.of_lines(tracks, line, tie, events)
