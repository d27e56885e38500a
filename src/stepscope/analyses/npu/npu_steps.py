"""The parts of each step as an NPU's profiler divides it, beside what stepscope measures (see docs/tables/).

Measured is what was launched in the step: unions over all streams, free time from the first of it to the last. The
profiler takes what started in the step, and adds up whole intervals.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.steps.unions import activity_unions, union_of
from stepscope.messages import Message
from stepscope.numeric.intervals import merge
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

_REPORTED = (
    *("computing_ns", "communication_ns", "exposed_ns", "overlapped_ns", "free_ns"),
    *("stage_ns", "bubble_ns", "preparing_ns"),
)


def npu_steps(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``npu_steps``, in order of steps."""
    schema = TABLES["npu_steps"].schema
    return pl.concat([pl.DataFrame(schema=schema), *map(_of_rank, profile.ranks)])


def _of_rank(rank: Rank) -> pl.DataFrame:
    frame = rank.trace.frame("npu_step", ["step", *_REPORTED])
    if rank.chosen is not None:
        frame = frame.filter(pl.col("step").is_between(*rank.chosen))
    ranges = {
        step: (start, end) for step, start, end in rank.all_steps.ranges.select("step", "start_ns", "end_ns").rows()
    }
    activity = rank.whole.activity
    measured = [
        _measured(_launched(activity, ranges.get(step)) if step is not None else activity) for step in frame["step"]
    ]
    parts = pl.DataFrame(measured, _MEASURED)
    whole = pl.concat([frame.with_columns(pl.lit(rank.number, pl.Int64).alias("rank")), parts], how="horizontal")
    whole = whole.sort("step", maintain_order=True)
    return whole.select(pl.col(name).cast(kind) for name, kind in TABLES["npu_steps"].schema.items())


def _launched(activity: pl.DataFrame, span: tuple[int, int] | None) -> pl.DataFrame:
    """What was launched in a step; of what has no launch, what started in it."""
    if span is None:
        return activity.clear()
    at = pl.coalesce("launch_start_ns", "start_ns")
    return activity.filter((at >= span[0]) & (at < span[1]))


def _measured(activity: pl.DataFrame) -> dict[str, int | None]:
    if len(activity) == 0:
        return dict.fromkeys(_MEASURED)
    compute, communication, _ = activity_unions(activity)
    worked, busy = merge(compute, communication), union_of(activity)
    lengths = [int((one[1] - one[0]).sum()) for one in (compute, communication, worked, busy)]
    first, last = activity["start_ns"].min(), activity["end_ns"].max()
    if not isinstance(first, int) or not isinstance(last, int):
        return dict.fromkeys(_MEASURED)
    found = (lengths[0], lengths[1], lengths[2] - lengths[0], last - first - lengths[2], lengths[3] - lengths[2])
    return dict(zip(_MEASURED, found, strict=True))


_MEASURED = {f"measured_{name}_ns": pl.Int64 for name in ("computing", "communication", "exposed", "free", "copies")}


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Where the two differ by definition."""
    return [Message("note-npu-steps")] if len(frame) else []
