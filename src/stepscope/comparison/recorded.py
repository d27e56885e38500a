"""What one recording says of its steps: their time and its parts, and the work of each by name.

Steps are divided on the clock that the table ``step_trace`` divides them on. Work belongs to the step on whose range on
the host it starts or is launched.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import polars as pl

from stepscope.analyses.idle.gap_causes import gap_times
from stepscope.analyses.idle.gaps import find_gaps
from stepscope.analyses.steps.step_trace import GPU, HOST, rank_step_trace
from stepscope.analyses.steps.steps import breakdown, step_times, uncut
from stepscope.numeric.intervals import Ints
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

SIDE, PHASE, IDLE = "side", "phase", "idle"

FORWARD_BACKWARD = "forward_backward"
"""Phase of steps whose backward pass is not told apart."""

LEAST_FOR_MEDIAN = 5
"""Of fewer steps the mean says more than the median."""

AS_DEVIATION = 1.4826
"""Of a normal distribution, its standard deviation over the median of absolute deviations."""

_USUAL, _USUAL_SHARE = 3.0, 0.1
"""A step is undisturbed within three standard deviations of the median, or a tenth of it."""

_PHASES = ("interval", "forward", "backward", "tail")


@dataclass(frozen=True)
class Steps:
    """The steps that are compared.

    Attributes:
        number: of each, as recorded.
        start, end: on the clock that they are divided on, in ns.
        begin, stop: their ranges on the host, in ns.
        on_gpu: whether that clock is the GPU's.
        left_out: how many more were recorded: the first one and those that the recording cut.
        others: numbers of steady steps that are not compared, as they do other work; see `step_shapes`.
        others_ns: time of each of these, in ns.
    """

    number: Ints
    start: Ints
    end: Ints
    begin: Ints
    stop: Ints
    on_gpu: bool
    left_out: int
    others: tuple[int, ...] = ()
    others_ns: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.number)

    @property
    def length(self) -> Ints:
        """Time of each step, in ns."""
        return self.end - self.start

    @property
    def every_ns(self) -> float:
        """Mean time of these steps and of `others`, in ns."""
        return float(np.mean([*self.length, *self.others_ns]))

    def holding(self, times: Ints) -> Ints:
        """Place of the step on whose host range each time lies; -1 for none."""
        return _place(self.begin, self.stop, times)

    def timing(self, times: Ints) -> Ints:
        """Place of the step in whose time each lies; -1 for none."""
        return _place(self.start, self.end, times)


def _place(begin: Ints, end: Ints, times: Ints) -> Ints:
    begun = np.searchsorted(begin, times, side="right")
    until = np.concatenate([[np.iinfo(np.int64).min], end])  # of what lies before the first step
    return np.where(times < until[begun], begun - 1, -1)


@dataclass(frozen=True)
class Limited(Rank):
    """A rank of whose steady steps only some are compared.

    Attributes:
        only: numbers of these.
    """

    only: tuple[int, ...] = ()

    @classmethod
    def to(cls, rank: Rank, only: tuple[int, ...]) -> Limited:
        """A rank limited to some steps; what it remembers of the whole trace is shared."""
        made = {one.name: getattr(rank, one.name) for one in fields(rank) if one.init}
        limited = cls(**made, only=only)
        limited.__dict__["whole"] = rank.whole  # where `cached_property` keeps it
        return limited


@per_rank
def compared_steps(rank: Rank) -> Steps:
    """The steady steps of a rank; where none is, all."""
    every = _steady(rank)
    table = _divided(rank)
    others = every.filter(~pl.col("step").is_in(table["step"].implode()))
    ranges = rank.all_steps.ranges.select("step", "start_ns", "end_ns").unique("step", keep="first")
    host = table.select("step").join(ranges, "step", "left", maintain_order="left")
    start = table["start_ns"].to_numpy()
    return Steps(
        table["step"].to_numpy(),
        start,
        start + table["total_ns"].to_numpy(),
        host["start_ns"].to_numpy(),
        host["end_ns"].to_numpy(),
        bool((table["clock"] == GPU).any()),
        len(step_times(rank)) - len(every),
        tuple(others["step"]),
        tuple(others["total_ns"]),
    )


@per_rank
def undisturbed_steps(rank: Rank) -> Steps:
    """The compared steps without those that took much longer or shorter than the others: in these the machine did
    something else, and where that fell says nothing of the program."""
    steps = compared_steps(rank)
    if len(steps) < LEAST_FOR_MEDIAN:
        return steps
    off = np.abs(steps.length - np.median(steps.length))
    usual = max(_USUAL * AS_DEVIATION * float(np.median(off)), _USUAL_SHARE * float(np.median(steps.length)))
    kept = off <= usual
    arrays = {name: getattr(steps, name)[kept] for name in ("number", "start", "end", "begin", "stop")}
    return replace(steps, **arrays, left_out=steps.left_out + int((~kept).sum()))


def _divided(rank: Rank) -> pl.DataFrame:
    """Rows of the table step_trace that are compared; where it has none, the steps as the host ran them."""
    table = _steady(rank)
    return table.filter(pl.col("step").is_in(rank.only)) if isinstance(rank, Limited) else table


def _steady(rank: Rank) -> pl.DataFrame:
    """The same of every steady step."""
    table = rank_step_trace(rank)
    if len(table) == 0:
        whole = uncut(step_times(rank)).rename({"duration_ns": "total_ns"}).with_columns(pl.lit(HOST).alias("clock"))
        return pl.concat([table, whole.select("step", "start_ns", "total_ns", "clock")], how="diagonal")
    for wanted in (pl.col("steady"), pl.col("clock") == GPU):
        table = table.filter(wanted) if len(table.filter(wanted)) else table
    return table.sort("start_ns")


@per_rank
def step_parts(rank: Rank) -> pl.DataFrame:
    """Parts of each step: columns level, key, place (of the step), ns. Those of `SIDE` sum to its time, and those of
    `PHASE` do."""
    steps = compared_steps(rank)
    return pl.concat([_sides(rank, steps), _phases(rank), _idle(rank, steps)])


def _sides(rank: Rank, steps: Steps) -> pl.DataFrame:
    parts = breakdown(rank, steps.start, steps.end)
    return _long(SIDE, {part.name.removesuffix("_ns"): part for part in parts})


def _phases(rank: Rank) -> pl.DataFrame:
    table = _divided(rank)
    if table["interval_ns"].is_null().any():
        return _long(PHASE, {})
    if table["backward_ns"].is_null().any() or table["forward_ns"].is_null().any():
        names: tuple[str, ...] = (_PHASES[0], FORWARD_BACKWARD, _PHASES[-1])
    else:
        names = _PHASES
    return _long(PHASE, {name: table[f"{name}_ns"] for name in names})


def _idle(rank: Rank, steps: Steps) -> pl.DataFrame:
    """What the GPU waited for, by cause; a gap belongs to the step in whose time it begins."""
    if not steps.on_gpu:
        return _long(IDLE, {})
    gaps, parts = find_gaps(rank.whole), gap_times(rank.whole)
    place = pl.Series("place", steps.timing(gaps["start_ns"].to_numpy())).gather(parts["gap"])
    parts = parts.select(
        pl.lit(IDLE).alias("level"), pl.col("cause").alias("key"), place, pl.col("part_ns").alias("ns")
    )
    return parts.filter(pl.col("place") >= 0).group_by("level", "key", "place").agg(pl.col("ns").sum())


def _long(level: str, parts: dict[str, pl.Series]) -> pl.DataFrame:
    schema = {"level": pl.String, "key": pl.String, "place": pl.Int64, "ns": pl.Int64}
    frames = [
        pl.DataFrame({"ns": part})
        .with_row_index("place")
        .with_columns(pl.lit(level).alias("level"), pl.lit(name).alias("key"))
        for name, part in parts.items()
    ]
    made = [frame.select(pl.col(column).cast(kind) for column, kind in schema.items()) for frame in frames]
    return pl.concat([pl.DataFrame(schema=schema), *made])
