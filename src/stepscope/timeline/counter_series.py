"""Counters of a rank: how busy each GPU is, memory, queues of launches, and what was sampled; as steps over time.

A counter has a value from each of its moments to the next one; it is NaN where nothing is known. Moments that repeat
take no time, but what was reached at them counts for the least and the most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.compilation.compilations import every_compilation
from stepscope.analyses.gpu.counter_samples import SampledCounter, sampled_counters
from stepscope.analyses.idle.queueing import LANE, Queue, queued_launches
from stepscope.analyses.memory.allocations import memory_changes, memory_devices
from stepscope.analyses.memory.snapshot import device_levels, device_name, devices, snapshot_of
from stepscope.analyses.memory.step_functions import Levels
from stepscope.analyses.steps.unions import union_of
from stepscope.messages import Message
from stepscope.numeric.nested import Ints
from stepscope.readers.formats import TRACE
from stepscope.schema import KERNEL
from stepscope.store.profile import Profile, Rank
from stepscope.timeline.counting import BLOCK
from stepscope.timeline.lane_file import Saved, save
from stepscope.timeline.stored_events import gpu_numbers
from stepscope.timeline.tracks import COUNTERS, Track

Floats = npt.NDArray[np.float64]

_SHOWN_QUEUES = 4
_MOST_QUEUES = 64
_SHOWN_SAMPLED = 8
_FARTHEST = 1 << 61
"""Samples farther from the rank's first event are none of its time; lengths between nearer ones fit into int64."""

_LARGEST = 1e37
"""Sampled values beyond it are drawn as it, because what is drawn are float32."""


@dataclass(frozen=True)
class Series:
    """A counter and its values.

    Attributes:
        track: what it is.
        at: moments in ns, ascending; the last one is its end.
        value: from each moment to the next; one fewer than moments.
        rate: whether only its mean over some time means anything, as of a GPU that is busy or not.
    """

    track: Track
    at: Ints
    value: Floats
    rate: bool = False


def make_counters(rank: Rank, path: Path) -> Saved:
    """The counters of a rank, kept in a file; see `columns_of` for its columns."""
    found = [series for series in all_series(rank) if not np.isnan(series.value).all()]
    for series in found:
        series.track.max = float(np.nanmax(series.value))
    return save(path, [series.track for series in found], 0, columns_of(found))


def columns_of(found: list[Series]) -> dict[str, list[npt.NDArray[Any]]]:
    """What is kept of counters.

    Columns: ``bounds`` (where each counter's moments begin, and the end of the last), ``at``, ``value`` (nothing at a
    counter's last moment), ``before`` (integral from the counter's first moment to each) and ``known`` (the time of it
    in which it has a value), ``rate``, and by blocks of `BLOCK` moments ``least`` and ``most``, with ``blocks`` as
    their bounds.
    """
    pieces: dict[str, list[npt.NDArray[Any]]] = {
        name: [np.empty(0, np.float64)] for name in ("value", "before", "least", "most")
    }
    pieces |= {name: [np.empty(0, np.int64)] for name in ("at", "known")}
    for series in found:
        value = np.append(series.value, np.nan)
        pieces["at"].append(series.at)
        pieces["value"].append(value)
        lengths = np.where(np.isnan(series.value), 0, np.diff(series.at))
        pieces["before"].append(np.concatenate([[0.0], np.cumsum(np.nan_to_num(series.value) * lengths)]))
        pieces["known"].append(np.concatenate([[0], np.cumsum(lengths)]))
        starts = np.arange(0, len(value), BLOCK)
        pieces["least"].append(np.fmin.reduceat(value, starts))
        pieces["most"].append(np.fmax.reduceat(value, starts))
    counts_at = [len(series.at) for series in found]
    blocks = [-(-count // BLOCK) for count in counts_at]
    for name, counts in (("bounds", counts_at), ("blocks", blocks)):
        pieces[name] = [np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)]
    pieces["rate"] = [np.array([series.rate for series in found], np.bool_)]
    return pieces


def all_series(rank: Rank) -> list[Series]:
    """Every counter of a rank."""
    return [
        *_gpu_series(rank),
        *_queue_series(rank),
        *_memory_series(rank),
        *_compile_series(rank),
        *_sampled_series(rank),
    ]


def _gpu_series(rank: Rank) -> list[Series]:
    """Of each GPU: whether it is busy, and how much of its SMs the computing kernels fill."""
    activity = rank.activity
    if len(activity) == 0:
        return []
    blocks = rank.trace.frame("activity", ["blocks_per_sm"])["blocks_per_sm"].fill_nan(None)
    process = rank.trace.frame("activity", ["process"])["process"]
    frame = activity.select("start_ns", "end_ns", "activity", "device", "communication")
    frame = frame.with_columns(blocks.gather(activity["row"]), process.gather(activity["row"]))
    frame = frame.with_columns(gpu_numbers(rank.trace, frame))
    found = []
    for (gpu,), mine in sorted(frame.group_by("gpu"), key=lambda pair: (pair[0][0] is None, pair[0][0] or 0)):
        device = None if gpu is None else int(gpu)
        begin, end = union_of(mine)
        at, value = np.stack([begin, end], axis=1).ravel(), np.tile([100.0, 0.0], len(begin))
        track = Track(COUNTERS, "counter", Message("lane-gpu-busy"), device=device, unit="%")
        found.append(_of_gpu(rank, Series(track, at, value, rate=True)))
        kernels = mine.filter((pl.col("activity") == KERNEL) & ~pl.col("communication"))
        if kernels["blocks_per_sm"].is_not_null().any():
            found.append(_sm_efficiency(rank, device, kernels))
    return found


def _sm_efficiency(rank: Rank, device: int | None, kernels: pl.DataFrame) -> Series:
    """As the table ``utilization`` estimates it: blocks per SM of the kernels that run, at most one."""
    filled = kernels["blocks_per_sm"].fill_null(0.0).clip(0.0, 1.0).to_numpy()
    levels = Levels(kernels["start_ns"].to_numpy(), kernels["end_ns"].to_numpy())
    at, value = levels.steps(filled, cap=1.0)
    track = Track(COUNTERS, "counter", Message("lane-sm-efficiency"), device=device, unit="%")
    return _of_gpu(rank, Series(track, at, 100.0 * value, rate=True))


def _of_gpu(rank: Rank, series: Series) -> Series:
    """An idle GPU has none of it; behind the last activity of a file that was cut off nothing is known of a GPU."""
    if rank.trace.truncated is not None:
        last = rank.activity["end_ns"].to_numpy().max()
        series = replace(series, at=np.append(series.at, last), value=np.append(series.value, np.nan))
    return _within(rank, series, 0.0)


def _queue_series(rank: Rank) -> list[Series]:
    """Launches that wait for each stream; those of the streams with most launches come first.

    Nobody reads hundreds of them: a GPU's streams beyond `_MOST_QUEUES` have one together.
    """
    launches = queued_launches(rank) if rank.trace.rows("activity") and rank.trace.rows("runtime") else pl.DataFrame()
    if len(launches) == 0:
        return []
    recorded = launches.filter(pl.col("launch").is_not_null())
    lanes = recorded.group_by(LANE).len().sort("len", *LANE, descending=[True, False, False], nulls_last=True)
    found: list[Series] = []
    for device, stream, _ in lanes.head(_MOST_QUEUES).iter_rows():
        here = pl.col("device").eq_missing(device) & pl.col("stream").eq_missing(stream)
        title = Message("lane-queue") if stream is None else Message("lane-queue-of", stream=str(stream))
        track = Track(COUNTERS, "counter", title, device=device, stream=stream, unit="launches")
        track.collapsed = len(found) >= _SHOWN_QUEUES
        found.append(_queue(rank, track, launches.filter(here)))
    others = lanes[_MOST_QUEUES:]
    together = launches.join(others, LANE, "semi", nulls_equal=True, maintain_order="left")
    for (device,), streams in others.group_by("device", maintain_order=True):
        title = Message("lane-queue-of-others", streams=len(streams))
        track = Track(COUNTERS, "counter", title, device=device, unit="launches", collapsed=True)
        found.append(_queue(rank, track, together.filter(pl.col("device").eq_missing(device))))
    return found


def _queue(rank: Rank, track: Track, launches: pl.DataFrame) -> Series:
    """How many of some launches wait."""
    queue = Queue.of(launches)
    at = np.sort(np.concatenate([queue.entered, queue.left]), kind="stable")
    at = at[np.append(at[1:] != at[:-1], True)]
    return _within(rank, Series(track, at, queue.depth_at(at).astype(np.float64)), float(queue.carried))


def _memory_series(rank: Rank) -> list[Series]:
    """Allocated and reserved bytes of each device: by the trace's events, else by a snapshot on the trace's clock."""
    if rank.trace.rows("memory") == 0:
        return _snapshot_series(rank)
    changes = memory_changes(rank)
    found: list[Series] = []
    for device in memory_devices(rank):
        mine = changes.filter(pl.col("device") == device.number)
        for name, before in (("allocated", float(device.before_bytes)), ("reserved", None)):
            known = mine.filter(pl.col(f"{name}_bytes").is_not_null())
            if len(known) == 0 or (name == "reserved" and known["reserved_bytes"].max() == 0):
                continue  # an allocator that reserves nothing says zero
            number = device.name.rpartition(":")[2]
            gpu = int(number) if number.isdigit() and not device.name.startswith("cpu") else None
            title = Message(f"lane-memory-{name}", device=device.name)
            track = Track(COUNTERS, "counter", title, device=gpu, unit="bytes")
            value = known[f"{name}_bytes"].cast(pl.Float64).to_numpy()
            found.append(_within(rank, Series(track, known["at_ns"].to_numpy(), value), before))
    return found


def _snapshot_series(rank: Rank) -> list[Series]:
    """The same of a memory snapshot that is joined with the trace, or alone."""
    snapshot = snapshot_of(rank)
    if snapshot is None or not snapshot.joined or not snapshot.recorded_history:
        return []
    found: list[Series] = []
    for device in devices(rank):
        levels = device_levels(rank, device).filter(pl.col("at_ns").is_not_null())
        for name in ("allocated", "reserved"):
            known = levels.filter(pl.col(f"{name}_bytes").is_not_null())
            if len(known):
                track = Track(COUNTERS, "counter", Message(f"lane-memory-{name}", device=device_name(device)))
                track = replace(track, device=device, unit="bytes")
                value = known[f"{name}_bytes"].cast(pl.Float64).to_numpy()
                found.append(_within(rank, Series(track, known["at_ns"].to_numpy(), value), None))
    return found


def _compile_series(rank: Rank) -> list[Series]:
    """How many compilations by torch.compile are under way, by a log beside the trace and on its clock."""
    if rank.trace.kind != TRACE:
        return []
    every = every_compilation(Profile((rank.source,), (rank,)))
    known = every.drop_nulls(["start_ns", "duration_ns"]) if len(every) else every
    if len(known) == 0:
        return []
    start = known["start_ns"].to_numpy()
    at, value = Levels(start, start + known["duration_ns"].to_numpy()).steps(np.ones(len(known)))
    near = np.abs(at.astype(np.float64) - rank.span[0]) < _FARTHEST
    track = Track(COUNTERS, "counter", Message("lane-compilations"), unit="compilations")
    return [_within(rank, Series(track, at[near], value[near]), 0.0)]


def _sampled_series(rank: Rank) -> list[Series]:
    """Counters that the recording sampled."""
    found = []
    for i, counter in enumerate(sampled_counters(rank.whole)):
        title = Message("lane-counter-of-process", counter=counter.name, process=counter.process or "")
        if counter.gpu is not None:
            title = Message("lane-counter-of-gpu", counter=counter.name, gpu=str(counter.gpu))
        track = Track(COUNTERS, "counter", title, device=counter.gpu, unit=counter.unit, collapsed=i >= _SHOWN_SAMPLED)
        at, value = _held(counter)
        near = np.abs(at.astype(np.float64) - rank.span[0]) < _FARTHEST
        if near.any():
            series = Series(track, at[near], np.clip(value[near], -_LARGEST, _LARGEST))
            found.append(_within(rank, series, None))
    return found


def _held(counter: SampledCounter) -> tuple[Ints, Floats]:
    """Moments and values of a counter. One of a GPU is sampled evenly: behind the time of a sample nothing is known.

    Others are written when they change, so that their values hold.
    """
    if counter.gpu is None:
        return counter.at, counter.value
    ends = counter.covered[1]
    at = np.concatenate([ends, counter.at])
    order = np.argsort(at, kind="stable")
    return at[order], np.concatenate([np.full(len(ends), np.nan), counter.value])[order]


def _within(rank: Rank, series: Series, before: float | None) -> Series:
    """A counter from the rank's first event to its last one, where its value before its first moment is known.

    The last of its moments gives it a value up to the end.
    """
    begin, end = rank.span
    at, value = series.at, series.value
    if len(at) and before is not None and begin < at[0]:
        at, value = np.append(begin, at), np.append(before, value)
    until = max(end, int(at[-1]) if len(at) else end)
    return Series(series.track, np.append(at, until).astype(np.int64), value, series.rate)
