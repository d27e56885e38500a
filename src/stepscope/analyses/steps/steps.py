"""Each step's time, and its exact partition (see docs/tables/).

Inside the host range of a step, time belongs to the first of these that covers it: compute, communication, memcpy,
memset, runtime, data_loading, cpu, other. Each is a union over all threads and streams, so the parts sum to the
duration exactly. Where the host runs ahead of the GPU the host range is not the step's time: `lag_ns` says how far,
and `period_ns` is the step's time on the GPU's clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
import polars as pl

from stepscope.analyses.steps.cut_file import lost_steps
from stepscope.analyses.steps.unions import loader_ranges, table_union, union_of
from stepscope.messages import Message
from stepscope.numeric.intervals import EMPTY, Ints, Union, covered_within, in_order, merge
from stepscope.schema import KERNEL, MEMCPY, MEMSET, TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import WHOLE
from stepscope.store.trace import Trace

_COMPLETE_SHARE = 0.8
"""A first or last step with less than this share of the median step's host events is taken as cut."""

UNSEEN_NS = 1_000_000
"""A GPU that takes longer to begin, once the launching call has returned, is busy with what was not recorded."""


def steps(profile: Profile) -> pl.DataFrame:
    """One row per rank and step, columns of `schema.TABLES` ``steps``."""
    schema = TABLES["steps"].schema
    frames = [rank_steps(rank) for rank in profile.ranks if rank.has_steps]
    return pl.concat(frames).select(*schema) if frames else pl.DataFrame(schema=schema)


def unmarked(profile: Profile) -> bool:
    """Whether no rank's recording marks a step, so that the whole of it is taken for one."""
    return all(rank.all_steps.source == WHOLE for rank in profile.ranks)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Why there are none."""
    kinds = {rank.trace.kind for rank in profile.ranks if not rank.has_steps}
    if len(frame) or not kinds:
        return []
    return [Message("note-no-rows-because", reason=Message("check-steps-none", kind=min(kinds)))]


@per_rank
def rank_steps(rank: Rank) -> pl.DataFrame:
    """The rows of one rank."""
    times = step_times(rank)
    start = times["start_ns"].to_numpy()
    return times.hstack(breakdown(rank, start, start + times["duration_ns"].to_numpy()))


def breakdown(rank: Rank, start: Ints, end: Ints) -> list[pl.Series]:
    """The partition of each ``[start, end)``: the columns from compute_ns to other_ns."""
    return _parts(_layers(rank.trace, rank.whole.activity), start, end)


@per_rank
def step_times(rank: Rank) -> pl.DataFrame:
    """The same without their partition, which takes half of the time."""
    ranges = rank.all_steps.ranges
    device_end = _device_ends(rank, ranges)
    frame = ranges.select(
        pl.lit(rank.number, dtype=pl.Int64).alias("rank"),
        "step",
        "start_ns",
        (pl.col("end_ns") - pl.col("start_ns")).alias("duration_ns"),
        device_end,
        (device_end - pl.col("end_ns")).alias("lag_ns"),
        (device_end - device_end.shift(1)).alias("period_ns"),
        _gpu_starts(rank, ranges, device_end),
        _gpu_ends(rank, ranges, device_end),
        pl.Series("cut", _cut(rank, ranges)),
    )
    if rank.chosen is None:
        return frame
    return frame.filter(pl.col("step").is_between(*rank.chosen))


def step_work(rank: Rank, table: pl.DataFrame) -> pl.DataFrame:
    """Time of computing and of exposed communication in each step of a frame of `step_times`, as in `rank_steps`."""
    start = table["start_ns"].to_numpy()
    layers = islice(_layers(rank.trace, rank.whole.activity), _OF_KERNELS)
    return pl.DataFrame(_parts(layers, start, start + table["duration_ns"].to_numpy())).drop("other_ns")


def _device_ends(rank: Rank, ranges: pl.DataFrame) -> pl.Series:
    """End of the last activity launched in each step, null where none was."""
    activity = rank.whole.activity.filter(pl.col("launch_start_ns").is_not_null())
    launched = activity["launch_start_ns"].to_numpy()
    ended = activity["end_ns"].to_numpy()
    order = np.argsort(launched, kind="stable")
    launched, ended = launched[order], ended[order]
    first = np.searchsorted(launched, ranges["start_ns"].to_numpy(), side="left")
    last = np.searchsorted(launched, ranges["end_ns"].to_numpy(), side="left")
    ends = [int(ended[a:b].max()) if b > a else None for a, b in zip(first.tolist(), last.tolist(), strict=True)]
    return pl.Series("device_end_ns", ends, dtype=pl.Int64)


def _cut(rank: Rank, ranges: pl.DataFrame) -> list[bool]:
    """Whether the recording or its end cut a step: as found, or a first or last one with far fewer host events."""
    lost = lost_steps(rank, ranges)
    cut: list[bool] = [one or other for one, other in zip(ranges["partial"].to_list(), lost, strict=True)]
    if len(cut) < 2:
        return cut
    events = host_starts(rank)
    counts = np.searchsorted(events, ranges["end_ns"].to_numpy()) - np.searchsorted(
        events, ranges["start_ns"].to_numpy()
    )
    for edge in (0, len(cut) - 1):
        typical = float(np.median(np.delete(counts, edge)))
        cut[edge] = cut[edge] or bool(counts[edge] < _COMPLETE_SHARE * typical)
    return cut


@per_rank(whole=True)
def host_starts(rank: Rank) -> Ints:
    """Starts of all operators and calls of the host, sorted, in ns."""
    starts = [rank.trace.frame(table, ["start_ns"])["start_ns"].to_numpy() for table in ("operator", "runtime")]
    return in_order(*starts)


def _parts(layers: Iterable[tuple[str, Union]], start: Ints, end: Ints) -> list[pl.Series]:
    """The partition of each ``[start, end)`` by the precedence of some layers."""
    covered: Union = EMPTY
    before = np.zeros(len(start), np.int64)
    parts = []
    for name, layer in layers:
        covered = merge(covered, layer)
        inside = covered_within(covered, start, end)
        parts.append(pl.Series(name, inside - before))
        before = inside
    parts.append(pl.Series("other_ns", (end - start) - before))
    return parts


_OF_KERNELS = 2
"""Layers of the GPU's kernels: computing, communication."""


def _layers(trace: Trace, activity: pl.DataFrame) -> Iterator[tuple[str, Union]]:
    """What may cover time, most important first."""
    kernel = pl.col("activity") == KERNEL
    yield "compute_ns", union_of(activity.filter(kernel & ~pl.col("communication")))
    yield "communication_ns", union_of(activity.filter(kernel & pl.col("communication")))
    yield "memcpy_ns", union_of(activity.filter(pl.col("activity") == MEMCPY))
    yield "memset_ns", union_of(activity.filter(pl.col("activity") == MEMSET))
    yield "runtime_ns", table_union(trace, "runtime")
    yield "data_loading_ns", union_of(loader_ranges(trace))
    yield "cpu_ns", table_union(trace, "operator")


def uncut(table: pl.DataFrame) -> pl.DataFrame:
    """Of a frame of `rank_steps` the steps that the recording did not cut, or all if it cut all."""
    whole = table.filter(~pl.col("cut"))
    return whole if len(whole) else table


def lacks_whole_step(rank: Rank) -> bool:
    """Whether a file was cut off so early that of no step all of the GPU's work is there."""
    if rank.trace.truncated is None or rank.all_steps.source == WHOLE or len(rank.whole.activity) == 0:
        return False
    return len(whole_steps(step_times(rank))) == 0


def whole_steps(table: pl.DataFrame) -> pl.DataFrame:
    """Of a frame of `step_times` the steps with all of their GPU work; of a file that was cut off there may be none."""
    return table.filter(~pl.col("cut") & pl.col("device_end_ns").is_not_null())


def gpu_windows(table: pl.DataFrame) -> Union:
    """Start and end of each step of a frame of `rank_steps` on the GPU's clock.

    From the end of the previous step's last activity to the end of its own. Rows without a period are left out if any
    has one. Where none has, nothing says when the next step's work would begin: a step begins with its host range or,
    if what was launched before still ran then, with the end of that, and ends with its own last activity or, if later,
    its host range.
    """
    known = table.filter(pl.col("period_ns") > 0)
    return step_windows(known if len(known) else table)


def step_windows(table: pl.DataFrame) -> Union:
    """The same of every row, empty where the work of the step before outlasts its own."""
    start = table["gpu_start_ns"].to_numpy()
    return start, np.maximum(start, table["gpu_end_ns"].to_numpy())


def _gpu_ends(rank: Rank, ranges: pl.DataFrame, device_end: pl.Series) -> pl.Series:
    """Where each step ends on the GPU's clock: with its work, the only one with its host range if that is later."""
    ends = pl.select(pl.coalesce(device_end, ranges["end_ns"])).to_series()
    if len(ranges) == 1:
        ends = pl.Series(np.maximum(ends.to_numpy(), ranges["end_ns"].to_numpy()))
    return ends.alias("gpu_end_ns")


def _gpu_starts(rank: Rank, ranges: pl.DataFrame, device_end: pl.Series) -> pl.Series:
    """Where each step begins on the GPU's clock."""
    before = device_end.shift(1).to_list()
    host = zip(ranges["start_ns"].to_list(), ranges["end_ns"].to_list(), strict=True)
    launched = device_end.is_not_null().to_list()
    starts = [
        ended if ended is not None and own else _begin(rank, start, end) if own else start
        for (start, end), ended, own in zip(host, before, launched, strict=True)
    ]
    return pl.Series("gpu_start_ns", starts, dtype=pl.Int64)


def _begin(rank: Rank, start_ns: int, end_ns: int) -> int:
    """Where a step without a period begins that launched something.

    An idle GPU begins within microseconds of the launch. One that begins much later was busy with work from before the
    recording, which is not in it.
    """
    activity = rank.whole.activity
    if rank.all_steps.source == WHOLE:
        return start_ns
    inside = pl.col("launch_start_ns").is_between(start_ns, end_ns, closed="left").fill_null(False)
    own = activity.filter(inside).sort("start_ns", "launch_start_ns").head(1)
    if len(own) == 0:
        return start_ns
    first = int(own["start_ns"][0])
    took = rank.trace.frame("runtime", ["duration_ns"])["duration_ns"].gather(own["launch"])
    launched = int(own["launch_start_ns"][0]) + int(took[0] or 0)
    before: int | None = activity.filter(~inside & (pl.col("start_ns") < first))["end_ns"].max()  # type: ignore[assignment]
    if before is not None:
        return max(start_ns, min(before, first))
    return first if first - launched > UNSEEN_NS else start_ns
