"""Each step as interval, forward and backward, tail (see docs/tables/).

On the GPU's clock a step runs from the end of the previous step's last activity to the end of its own. The interval
lasts until the first kernel of forward or backward starts to compute, forward and backward until the last kernel of
backward has ended, the tail to the end of the step. Exact, in every row:
``interval + forward_backward + tail = total`` and ``forward + backward = forward_backward``.
Steps without GPU activity are divided on the host's clock, by its operators.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.host.phases import host_phases, launched_phases, optimizer_starts
from stepscope.analyses.needs import is_kineto
from stepscope.analyses.steps.recorded_steps import RECORDER, recorded_step_trace, uneven_ranks
from stepscope.analyses.steps.step_division import Launches, divide
from stepscope.analyses.steps.steps import step_times
from stepscope.analyses.steps.unions import loader_ranges, rank_busy, union_of
from stepscope.messages import Message
from stepscope.numeric.intervals import Union, covered_within
from stepscope.readers.mindspore.format import MINDSPORE
from stepscope.schema import TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import WHOLE

GPU, HOST = "gpu", "host"

_LABELS = ("first_forward", "last_backward")
_IDLE = ["interval_idle_ns", "forward_backward_idle_ns", "tail_idle_ns"]


def step_trace(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``step_trace``.

    Args:
        by: "" for a row per rank and step, ``average`` for one per rank: the mean over its steady steps.
    """
    schema = TABLES["step_trace"].schema
    frames = [rank_step_trace(rank) for rank in profile.ranks]
    frame = pl.concat(frames) if frames else pl.DataFrame(schema=schema)
    return average_steps(frame) if by == "average" else frame


def average_steps(frame: pl.DataFrame) -> pl.DataFrame:
    """One row per rank of a frame like the table: the mean of its steady steps, or of all where none is steady."""
    ranks = frame.partition_by("rank", maintain_order=True)
    return pl.concat([_average(rank) for rank in ranks]) if ranks else frame


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """On whose clock, which steps the averages leave out, and what could not be told apart."""
    if len(frame) == 0:
        return [Message("note-trace-none")]
    if (frame["clock"] == RECORDER).all():
        return [Message("note-trace-recorder"), *uneven_ranks(frame)]
    found = []
    if any(rank.all_steps.source == WHOLE for rank in profile.ranks):
        found.append(Message("note-trace-unmarked", by_profiler=all(map(is_kineto, profile.ranks))))
    if (frame["clock"] == HOST).any():
        found.append(Message("note-trace-host-clock"))
    if (frame["forward_backward_ns"] == 0).all():
        found.append(Message("note-trace-no-model"))
    elif (frame["backward_ns"] == 0).all():
        unnamed = all(rank.recorder == MINDSPORE for rank in profile.ranks)
        found.append(Message("note-trace-no-scopes" if unnamed else "note-trace-no-backward"))
    elif frame["backward_ns"].is_null().any():
        found.append(Message("note-trace-backward-unrecorded"))
    if (frame["passes"] > 1).any():
        found.append(Message("note-trace-several-backward"))
    return found


@per_rank
def rank_step_trace(rank: Rank) -> pl.DataFrame:
    """The rows of one rank; where its recorder divided the steps itself, as it did."""
    if rank.trace.rows("step_point"):
        return recorded_step_trace(rank)
    whole = rank.whole
    table = step_times(whole).with_row_index("row")
    ran = table["device_end_ns"].is_not_null()
    gpu = ran.to_numpy()
    # On the GPU's clock a step is steady where the step before it ended there, too.
    steady = np.where(gpu, np.append(False, gpu[:-1])[: len(gpu)], np.arange(len(gpu)) > 0) & ~table["cut"].to_numpy()
    frames = [_on_gpu(whole, table.filter(ran)), _on_host(whole, table.filter(~ran))]
    divided = pl.concat([frame for frame in frames if frame is not None])
    facts = table.select("row", "step", pl.when(ran).then(pl.lit(GPU)).otherwise(pl.lit(HOST)).alias("clock"))
    facts = facts.with_columns(pl.lit(rank.number, pl.Int64).alias("rank"), pl.Series("steady", steady, pl.Boolean))
    frame = divided.join(facts, "row").sort("row")
    frame = frame.with_columns(whole.trace.text(frame[name]) for name in _LABELS).with_columns(_idle(whole, frame))
    frame = frame.select(pl.col(name).cast(kind) for name, kind in TABLES["step_trace"].schema.items())
    return frame if rank.chosen is None else frame.filter(pl.col("step").is_between(*rank.chosen))


def _on_gpu(rank: Rank, steps: pl.DataFrame) -> pl.DataFrame:
    """Steps of a frame of `step_times` with work on the GPU, divided on its clock; a column row says which each is."""
    ended = steps["gpu_start_ns", "device_end_ns"].to_numpy().T
    reach = np.maximum.accumulate(np.maximum(*ended))
    start = np.maximum(ended[0], np.append(np.iinfo(np.int64).min, reach[:-1])[: len(reach)])
    return _divided(rank, steps, Launches.of(rank, launched_phases(rank)), (start, reach))


def _on_host(rank: Rank, steps: pl.DataFrame) -> pl.DataFrame | None:
    """The same of steps without, on the host's clock; nothing where the host did nothing that was recorded either."""
    if rank.trace.rows("operator") == 0 or len(steps) == 0:
        return None
    return _divided(rank, steps, Launches.of(rank, host_phases(rank)), _ranges(steps))


def _divided(rank: Rank, steps: pl.DataFrame, launches: Launches, clock: Union) -> pl.DataFrame:
    return divide(launches, _ranges(steps), clock, optimizer_starts(rank.trace)).with_columns(steps["row"])


def _ranges(steps: pl.DataFrame) -> Union:
    """Steps of a frame of `step_times` on the host."""
    start = steps["start_ns"].to_numpy()
    return start, start + steps["duration_ns"].to_numpy()


def _idle(rank: Rank, frame: pl.DataFrame) -> list[pl.Series]:
    """How long the GPU idles in the parts of some divided steps, and the data loader is waited for before them."""
    busy, loading = rank_busy(rank), union_of(loader_ranges(rank.trace))
    parts = frame["interval_ns", "forward_backward_ns", "tail_ns"].to_numpy().T
    edges = frame["start_ns"].to_numpy() + np.cumsum(np.vstack([np.zeros_like(parts[:1]), parts]), axis=0)
    found = []
    for name, begin, end in zip(_IDLE, edges[:-1], edges[1:], strict=True):
        idle = end - begin - covered_within(busy, begin, end)
        found.append(pl.Series(name, idle if len(busy[0]) else [None] * len(frame), dtype=pl.Int64))
    return [*found, pl.Series("loading_ns", covered_within(loading, edges[0], edges[1]), dtype=pl.Int64)]


def _average(frame: pl.DataFrame) -> pl.DataFrame:
    """One row: the mean of a rank's steps, rounded so that its parts still sum to its total."""
    steps = frame
    for wanted in (pl.col("steady"), pl.col("clock") == GPU):
        steps = steps.filter(wanted) if len(steps.filter(wanted)) else steps
    total, interval = _rounded(steps["total_ns"]), _rounded(steps["interval_ns"])
    middle = _rounded(steps["interval_ns"] + steps["forward_backward_ns"]) - interval
    if steps["forward_ns"].is_null().any():
        forward = None
    elif (steps["backward_ns"] == 0).all():
        forward = middle
    else:
        forward = min(_rounded(steps["forward_ns"]), middle)
    row: dict[str, Any] = {
        "rank": steps["rank"][0],
        "clock": steps["clock"][0],
        "steady": bool(steps["steady"].all()),
        "passes": max(steps["passes"].to_list()),
        "interval_ns": interval,
        "forward_backward_ns": middle,
        "forward_ns": forward,
        "backward_ns": None if forward is None else middle - forward,
        "tail_ns": total - interval - middle,
        "total_ns": total,
        "loading_ns": None if steps["loading_ns"].is_null().any() else _rounded(steps["loading_ns"]),
        **{name: _most_common(steps[name]) for name in ("first_forward", "last_backward")},
    }
    for part in ("interval", "forward_backward", "tail"):
        idle = steps[f"{part}_idle_ns"]
        # A part takes the remainder of the rounding, so it may be a nanosecond less than its idle time.
        row[f"{part}_idle_ns"] = None if idle.is_null().any() else min(_rounded(idle), row[f"{part}_ns"])
    return pl.DataFrame([row], schema=frame.schema)


def _rounded(values: pl.Series) -> int:
    """Mean of whole numbers, half to even."""
    return round(Fraction(int(values.sum()), len(values)))


def _most_common(names: pl.Series) -> str | None:
    counts = names.drop_nulls().value_counts().sort("count", names.name, descending=[True, False])
    return counts[names.name][0] if len(counts) else None
