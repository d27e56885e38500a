"""Each time the training loop asks its loader for a batch: how long it waits, and whether the GPU runs dry meanwhile.

A fetch is an outermost loader range on the thread that runs the step. Its window runs from its start to the start of
the first activity launched after it, or to the next fetch if that comes first: had the batch been there at once, that
activity could have started earlier by the wait, but not by more than the GPU was idle in the window. What the fetch
spends in CUDA or HIP calls (a loader that copies to the GPU waits for all work before it) is no loading. So

    exposed = min(wait - calls, GPU idle in the window outside these calls),        hidden = wait - exposed,

and without GPU activity all of the wait is exposed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.data_loading.loaders import find_loader, step_threads
from stepscope.analyses.host.threads import named_ranges
from stepscope.analyses.steps.unions import union_of
from stepscope.numeric.intervals import Ints, Union, contains, covered_within, merge, union
from stepscope.numeric.nested import NOBODY
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE, rows_of_places
from stepscope.store.profile import Rank

Bools = npt.NDArray[np.bool_]

_SCHEMA = {
    "process": pl.UInt32,
    "thread": pl.UInt32,
    "start_ns": pl.Int64,
    "end_ns": pl.Int64,
    "epoch_start_ns": pl.Int64,
    "exposed_ns": pl.Int64,
    "idle_ns": pl.Int64,
    "loading_ns": pl.Int64,
    "handover_ns": pl.Int64,
}

_NEW_ITERATOR = r"(?:^|/)torch/utils/data/dataloader\.py\(\d+\): __iter__$"
_PIN_THREAD = r"(?:^|/)torch/utils/data/_utils/pin_memory\.py\(\d+\): _pin_memory_loop$"
_WAITS_FOR_WORKERS = r"(?:^|/)multiprocessing/connection\.py\(\d+\): (?:wait|_poll)$"
_MAKING = ("aten::empty", "aten::randperm", "aten::resolve_conj", "aten::resolve_neg")
_RARE = 0.2
"""Share of fetches right after another above which they are how the program works, and do not begin epochs."""


@per_rank
def fetches(rank: Rank) -> pl.DataFrame:
    """Every fetch of the threads that run the steps, by start.

    Columns: process, thread, start_ns, end_ns; epoch_start_ns (where the change of epoch began that the fetch ends;
    null for other fetches); exposed_ns; idle_ns (of the GPU in its window, null without GPU activity); loading_ns
    (the wait without CUDA or HIP calls); handover_ns (part of the wait in which no one waited for a worker process;
    null where the recording has no stacks).
    """
    loader = find_loader(rank)
    if loader is None:
        return pl.DataFrame(schema=_SCHEMA)
    ranges = loader.ranges
    threads = step_threads(rank)
    if threads is not None:
        ranges = ranges.join(threads, PLACE, "semi", nulls_equal=True)
    ranges = ranges.sort(*PLACE, "start_ns", "end_ns", nulls_last=True)
    if len(ranges) == 0:
        return pl.DataFrame(schema=_SCHEMA)
    parts = [_of_thread(rank, part) for part in ranges.partition_by(PLACE, maintain_order=True)]
    found = pl.concat(parts).sort("start_ns", "end_ns")
    return found.with_columns(*_exposed(rank, found), _handover(rank, found)).select(*_SCHEMA)


def _of_thread(rank: Rank, ranges: pl.DataFrame) -> pl.DataFrame:
    """The fetches of one thread, without those inside others."""
    start, end = ranges["start_ns"].to_numpy(), ranges["end_ns"].to_numpy()
    reach = np.maximum.accumulate(end)
    first = np.flatnonzero(np.concatenate([[True], start[1:] >= reach[:-1]]))
    start, end = start[first], reach[np.append(first[1:], len(reach)) - 1]
    places = [pl.lit(ranges[name][0], dtype=pl.UInt32).alias(name) for name in PLACE]
    frame = pl.DataFrame({"start_ns": start, "end_ns": end}).with_columns(places)
    return frame.with_columns(_epoch_starts(rank, frame))


def _epoch_starts(rank: Rank, fetches: pl.DataFrame) -> pl.Series:
    """Where the change of epoch began that ends with each fetch; null for those in the middle of an epoch.

    An iterator is made between two fetches: by stacks, or because PyTorch draws the seed of the workers then
    (``random_`` and ``item``, in no other operator). A loader that keeps its workers and its order does neither; its
    epochs begin with a fetch right after another without any operator in between, if that is rare.
    """
    starts, ends = fetches["start_ns"].to_numpy(), fetches["end_ns"].to_numpy()
    work, seeds, items = _top_operators(rank, fetches)
    made = _new_iterators(rank, fetches)
    before = np.concatenate([[np.iinfo(np.int64).min], ends[:-1]])
    new = (_counts(seeds, before, starts) & _counts(items, before, starts)) | _counts(made, before, starts)
    follows = ~_counts(work, before, starts) & bool(len(work))
    follows[0] = False
    if not new[1:].any() and follows.mean() <= _RARE:
        new |= follows
    if len(new) > 2 and new.mean() > 0.5:
        new[:] = False  # something else draws such numbers between any two fetches
    before[0] = int(work[work < starts[0]].max(initial=before[0]))  # what was drawn long before is no epoch's seed
    marks = np.sort(np.concatenate([seeds, made, [np.iinfo(np.int64).max]]))
    began = np.minimum(marks[np.searchsorted(marks, before, side="left")], starts)
    # Without work since the fetch before, that one was asked in vain and belongs to the change.
    vain = ~_counts(work, before, began)
    vain[0] = False
    began[1:] = np.where(vain[1:], starts[:-1], began[1:])
    return pl.Series("epoch_start_ns", began).set(pl.Series(~new), None)


def _new_iterators(rank: Rank, fetches: pl.DataFrame) -> Ints:
    """Where stacks show that an iterator is made on the thread of some fetches."""
    made = _frames(rank, _NEW_ITERATOR)
    return np.sort(made.join(fetches.head(1).select(PLACE), PLACE, "semi", nulls_equal=True)["start_ns"].to_numpy())


def _counts(times: Ints, begin: Ints, end: Ints) -> Bools:
    """Whether any of some sorted times lies in each ``[begin, end)``."""
    return np.searchsorted(times, end, side="left") > np.searchsorted(times, begin, side="left")


def _top_operators(rank: Rank, fetches: pl.DataFrame) -> tuple[Ints, Ints, Ints]:
    """Starts of a thread's outermost operators: those that work on batches, ``random_``, and ``item``.

    Making an iterator calls ``empty``, ``random_``, ``item``, ``randperm`` and ``resolve_...``: no work on a batch.
    """
    nothing = np.empty(0, np.int64)
    if rank.trace.rows("operator") == 0:
        return nothing, nothing, nothing
    host = rank.nesting("operator")
    lane = rows_of_places(host.lanes, fetches.head(1))[0]
    top = np.flatnonzero((host.thread == lane) & (host.nesting.parent == NOBODY))
    names = rank.trace.frame("operator", ["name"])["name"].gather(pl.Series(top, dtype=pl.UInt32))
    at = host.start[top]

    def named(*wanted: str) -> Bools:
        codes = rank.trace.codes(lambda text: text.is_in(list(wanted)))
        return names.is_in(codes.implode()).fill_null(False).to_numpy()

    seed, item = named("aten::random_"), named("aten::item")
    return np.sort(at[~(seed | item | named(*_MAKING))]), np.sort(at[seed]), np.sort(at[item])


def _exposed(rank: Rank, found: pl.DataFrame) -> Iterator[pl.Series]:
    """Exposed part of each wait, GPU idle in its window, and the wait without CUDA or HIP calls."""
    start, end = found["start_ns"].to_numpy(), found["end_ns"].to_numpy()
    activity = rank.activity
    calls = _calls_inside(rank, found)
    loading = (end - start) - covered_within(calls, start, end)
    yield pl.Series("loading_ns", loading)
    if len(activity) == 0:
        yield pl.Series("exposed_ns", end - start)
        yield pl.Series("idle_ns", [None] * len(found), dtype=pl.Int64)
        return
    launched = activity.filter(pl.col("launch_start_ns").is_not_null())
    launched = launched if len(launched) else activity.with_columns(pl.col("start_ns").alias("launch_start_ns"))
    launched = launched.sort("launch_start_ns", "start_ns")
    following = np.searchsorted(launched["launch_start_ns"].to_numpy(), end, side="left")
    starts = np.append(launched["start_ns"].to_numpy(), np.iinfo(np.int64).max)
    until = np.minimum(starts[following], np.append(start[1:], np.iinfo(np.int64).max))
    until = np.where(until == np.iinfo(np.int64).max, end, np.maximum(until, end))
    busy = union_of(activity)
    unforced = (until - start) - covered_within(merge(busy, calls), start, until)
    yield pl.Series("exposed_ns", np.minimum(loading, unforced))
    yield pl.Series("idle_ns", (until - start) - covered_within(busy, start, until))


def _calls_inside(rank: Rank, found: pl.DataFrame) -> Union:
    """Union of the CUDA and HIP calls inside fetches, on their threads."""
    calls = rank.trace.frame("runtime", [*PLACE, "start_ns", "duration_ns"])
    waits = (found["start_ns"].to_numpy(), found["end_ns"].to_numpy())
    if not (waits[0][1:] >= waits[1][:-1]).all():
        waits = union_of(found)  # several threads fetch at once
    calls = calls.filter(pl.Series(contains(waits, calls["start_ns"].to_numpy())))
    calls = calls.join(found.select(PLACE).unique(), PLACE, "semi", nulls_equal=True)
    calls = calls.with_columns((pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns"))
    until = waits[1][np.maximum(np.searchsorted(waits[0], calls["start_ns"].to_numpy(), side="right") - 1, 0)]
    return union(calls["start_ns"].to_numpy(), np.minimum(calls["end_ns"].to_numpy(), until))


def _handover(rank: Rank, found: pl.DataFrame) -> pl.Series:
    """Part of each wait in which no one waited for a worker process: a batch was there and was being handed over.

    With pinned memory a thread of its own takes the batches from the workers, so it is asked.
    """
    unknown = pl.Series("handover_ns", [None] * len(found), dtype=pl.Int64)
    if rank.trace.rows("python") == 0:
        return unknown
    waits, pins = (_frames(rank, _WAITS_FOR_WORKERS), _frames(rank, _PIN_THREAD))
    takers = pins if len(pins) else found
    waits = waits.join(takers.select(PLACE).unique(), PLACE, "semi", nulls_equal=True)
    if len(waits) == 0:
        return unknown
    start, end = found["start_ns"].to_numpy(), found["end_ns"].to_numpy()
    return pl.Series("handover_ns", (end - start) - covered_within(union_of(waits), start, end))


def _frames(rank: Rank, pattern: str) -> pl.DataFrame:
    """Python frames with names of some pattern."""
    names = rank.trace.codes(lambda text: text.str.replace_all("\\", "/", literal=True).str.contains(pattern))
    return named_ranges(rank.trace, names, ("python",))
