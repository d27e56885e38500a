"""Each step as interval, forward and backward, tail (see docs/tables/).

On the GPU's clock a step runs from the end of the previous step's last activity to the end of its own. The interval
lasts until the first kernel of forward or backward starts to compute, forward and backward until the last kernel of
backward has ended, the tail to the end of the step. Exact, in every row:
``interval + forward_backward + tail = total`` and ``forward + backward = forward_backward``.
Steps without GPU activity are divided on the host's clock, by its operators.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.host.phases import BACKWARD, NEITHER, host_phases, launched_phases, optimizer_starts
from stepscope.analyses.steps.steps import rank_steps
from stepscope.analyses.steps.unions import loader_ranges, rank_busy, union_of
from stepscope.analyses.text_order import text_places
from stepscope.messages import Message
from stepscope.numeric.intervals import EMPTY, Ints, Union, covered_within, length, union
from stepscope.numeric.nested import NOBODY
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
    found = []
    if any(rank.all_steps.source == WHOLE for rank in profile.ranks):
        found.append(Message("note-trace-unmarked"))
    if (frame["clock"] == HOST).any():
        found.append(Message("note-trace-host-clock"))
    if (frame["forward_backward_ns"] == 0).all():
        found.append(Message("note-trace-no-model"))
    elif (frame["backward_ns"] == 0).all():
        found.append(Message("note-trace-no-backward"))
    elif frame["backward_ns"].is_null().any():
        found.append(Message("note-trace-backward-unrecorded"))
    if (frame["passes"] > 1).any():
        found.append(Message("note-trace-several-backward"))
    return found


@per_rank
def rank_step_trace(rank: Rank) -> pl.DataFrame:
    """The rows of one rank."""
    whole = rank.whole
    divided = _Divider(whole)
    rows: list[dict[str, Any]] = []
    previous: int | None = None
    reach = int(np.iinfo(np.int64).min)
    for step in rank_steps(whole).iter_rows(named=True):
        begin, end = step["start_ns"], step["start_ns"] + step["duration_ns"]
        ended = step["device_end_ns"]
        if ended is None:
            row = {"clock": HOST, "steady": len(rows) > 0} | divided.on_host(begin, end)
        else:
            start = max(reach, step["gpu_start_ns"])
            reach = max(start, ended)
            row = {"clock": GPU, "steady": previous is not None} | divided.on_gpu(begin, end, start, reach)
        row["steady"] = row["steady"] and not step["cut"]
        rows.append({"rank": rank.number, "step": step["step"]} | row)
        previous = ended
    schema = TABLES["step_trace"].schema | dict.fromkeys(_LABELS, pl.Int64)
    frame = pl.DataFrame(rows, schema=schema).filter(pl.col("total_ns").is_not_null())
    frame = frame.with_columns(whole.trace.text(frame[name]) for name in _LABELS).with_columns(divided.idle(frame))
    return frame if rank.chosen is None else frame.filter(pl.col("step").is_between(*rank.chosen))


@dataclass(frozen=True)
class _Phases:
    """A frame of `phases` as arrays, in order of launch."""

    launched: Ints
    start: Ints
    end: Ints
    phase: Ints
    code: Ints
    place: Ints

    @classmethod
    def of(cls, rank: Rank, frame: pl.DataFrame) -> _Phases:
        operators = rank.trace.frame("operator", ["name"])["name"]
        codes = frame.select(pl.coalesce(operators.gather(frame["operator"]), "name")).to_series()
        launched, start, end, phase = frame["launch_start_ns", "start_ns", "end_ns", "phase"].to_numpy().T
        code = codes.cast(pl.Int64).fill_null(NOBODY).to_numpy()
        return cls(launched, start, end, phase, code, text_places(rank.trace, codes))

    def label(self, rows: Ints) -> int | None:
        """Code of the name of the operator, else of the kernel; of several the first in the alphabet."""
        rows = rows[self.code[rows] != NOBODY]
        return int(self.code[rows[np.argmin(self.place[rows])]]) if len(rows) else None

    def launched_in(self, begin: int, end: int) -> Ints:
        """Rows of forward and backward that were launched in a range of the host."""
        first, last = np.searchsorted(self.launched, [begin, end], side="left")
        rows: Ints = first + np.flatnonzero(self.phase[first:last] != NEITHER)
        return rows


class _Divider:
    """Divides the steps of a whole rank."""

    def __init__(self, rank: Rank) -> None:
        self.rank = rank
        self.busy = rank_busy(rank)
        self.loading = union_of(loader_ranges(rank.trace))
        self.optimizers = optimizer_starts(rank.trace)
        self.gpu = _Phases.of(rank, launched_phases(rank))
        self._host: _Phases | None = None

    def on_gpu(self, begin: int, end: int, start: int, stop: int) -> dict[str, Any]:
        """Columns of a step that was launched in the host's ``[begin, end)`` and ran in ``[start, stop)``."""
        return self._divide(self.gpu, begin, end, start, stop)

    def on_host(self, begin: int, end: int) -> dict[str, Any]:
        """The same where nothing ran on the GPU; no columns where the host did nothing that was recorded either."""
        if self.rank.trace.rows("operator") == 0:
            return {}
        if self._host is None:
            self._host = _Phases.of(self.rank, host_phases(self.rank))
        return self._divide(self._host, begin, end, begin, end)

    def _divide(self, phases: _Phases, begin: int, end: int, start: int, stop: int) -> dict[str, Any]:
        rows = phases.launched_in(begin, end)
        first = last = stop
        passes = 0
        back: int | None = 0
        labels: dict[str, int | None] = dict.fromkeys(_LABELS)
        if len(rows):
            began = int(phases.start[rows].min())
            first = min(max(began, start), stop)
            labels["first_forward"] = phases.label(rows[phases.start[rows] == began])
            backward = rows[phases.phase[rows] == BACKWARD]
            if len(backward):
                ended = int(phases.end[backward].max())
                last = min(max(ended, first), stop)
                labels["last_backward"] = phases.label(backward[phases.end[backward] == ended])
                runs = _passes(phases, rows, first, last)
                back, passes = length(runs), _count_passes(phases, rows)
            elif (optimizer := self._optimizer_in(begin, end)) is not None:
                before = rows[phases.launched[rows] < optimizer]
                last = min(max(int(phases.end[before].max(initial=first)), first), stop)
                back = None
        return labels | self._columns(start, first, last, stop, back) | {"passes": passes}

    def _columns(self, start: int, first: int, last: int, stop: int, back: int | None) -> dict[str, Any]:
        middle = last - first
        return {
            "start_ns": start,
            "interval_ns": first - start,
            "forward_backward_ns": middle,
            "forward_ns": None if back is None else middle - back,
            "backward_ns": back,
            "tail_ns": stop - last,
            "total_ns": stop - start,
        }

    def idle(self, frame: pl.DataFrame) -> list[pl.Series]:
        """How long the GPU idles in the parts of some divided steps, and the data loader is waited for before them."""
        parts = frame.select(pl.col("interval_ns", "forward_backward_ns", "tail_ns").fill_null(0)).to_numpy().T
        edges = frame["start_ns"].to_numpy() + np.cumsum(np.vstack([np.zeros_like(parts[:1]), parts]), axis=0)
        found = []
        for name, begin, end in zip(_IDLE, edges[:-1], edges[1:], strict=True):
            idle = end - begin - covered_within(self.busy, begin, end)
            found.append(pl.Series(name, idle if len(self.busy[0]) else [None] * len(frame), dtype=pl.Int64))
        return [*found, pl.Series("loading_ns", covered_within(self.loading, edges[0], edges[1]), dtype=pl.Int64)]

    def _optimizer_in(self, begin: int, end: int) -> int | None:
        """Where the first step of an optimizer begins in a range."""
        at = int(np.searchsorted(self.optimizers, begin, side="left"))
        return int(self.optimizers[at]) if at < len(self.optimizers) and self.optimizers[at] < end else None


def _passes(phases: _Phases, rows: Ints, first: int, last: int) -> Union:
    """Time in backward passes inside ``[first, last)``: each from the start of its first to the end of its last row.

    Rows of backward belong to one pass as long as nothing of forward is launched between them.
    """
    is_backward = phases.phase[rows] == BACKWARD
    number = np.cumsum(~is_backward)[is_backward]
    backward = rows[is_backward]
    if len(backward) == 0:
        return EMPTY
    opens = np.flatnonzero(np.diff(number, prepend=-1))
    starts = np.minimum.reduceat(phases.start[backward], opens)
    ends = np.maximum.reduceat(phases.end[backward], opens)
    return union(starts.clip(first, last), ends.clip(first, last))


def _count_passes(phases: _Phases, rows: Ints) -> int:
    is_backward = phases.phase[rows] == BACKWARD
    return int((np.diff(is_backward.astype(np.int8), prepend=0) == 1).sum())


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
