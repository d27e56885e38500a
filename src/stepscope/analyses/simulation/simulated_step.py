"""A simulated step piece by piece: when each event of it would begin and end, on the streams and on the threads.

The replay is repeated until nothing changes any more; one step of a late repetition is taken out. On the host these are
the step's own pieces, each after the work that is left before it. On the GPU it is what runs while the step lasts, as
the recorded step shows it, too; where the GPU is behind the host, its time is counted from the start of what was
launched in the step.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.hosttime import TABLES_OF_EVENTS
from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.model import PASSES, Edit, StepModel
from stepscope.analyses.simulation.path import timed_pieces
from stepscope.analyses.steps.steps import rank_steps, uncut
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.numeric.replay import LAUNCH, Timed
from stepscope.store.excerpt import rows_of_trace
from stepscope.store.profile import Rank

_PASS = PASSES - 2
"""The repetition that is shown: late, and not the last, behind whose end nothing follows."""

_BEHIND = 0.1
"""Of the step: where its first activity waits so long for work launched before, the GPU is behind the host."""

_ACTIVITY = TABLES_OF_EVENTS.index("activity")


@dataclass(frozen=True, eq=False)
class Pieces:
    """Pieces of events, an element for each.

    Attributes:
        start, end: from the begin of the step, in ns.
        thread: number of the clock that it is on, `NOBODY` on the GPU.
        table, row: of its event: number in `TABLES_OF_EVENTS`, and row in the file's table; `NOBODY` where nothing was
            recorded.
        recorded: when it began in the recording, in ns.
    """

    start: Ints
    end: Ints
    thread: Ints
    table: Ints
    row: Ints
    recorded: Ints

    def __len__(self) -> int:
        return len(self.start)

    def chosen(self, which: Flags | Ints) -> Pieces:
        """Some of them."""
        return Pieces(*(getattr(self, field.name)[which] for field in fields(self)))

    def within(self, length: float, scale: float = 1.0) -> Pieces:
        """What lies between 0 and a length, with times multiplied; what has no time left is gone."""
        start, end = (np.rint(np.clip(one, 0, length) * scale).astype(np.int64) for one in (self.start, self.end))
        made = Pieces(start, end, self.thread, self.table, self.row, self.recorded)
        return made.chosen(end > start)


@dataclass(frozen=True, eq=False)
class SimulatedStep:
    """A step as recorded and as it would be.

    Attributes:
        step: its number.
        begin, end: of the recorded step, in ns.
        length_ns: of the simulated one; that of the mean step, or its own where that is longer.
        behind: whether the GPU is behind the host, so that its time begins with what was launched in the step.
        pieces: of the simulated step.
        recorded: of the recorded one; a piece on the host ends where its work would without its waits.
    """

    step: int
    begin: int
    end: int
    length_ns: int
    behind: bool
    pieces: Pieces
    recorded: Pieces


def simulated_step(rank: Rank, model: StepModel, edit: Edit, step_ns: float) -> SimulatedStep:
    """The step of median length after an edit.

    Args:
        rank: as `representative.examined` gives it.
        step_ns: how long a step takes after the edit, as is told; the pieces are scaled to it.
    """
    at, number = _typical(rank, model)
    begin, end = int(model.edges[at]), int(model.edges[at + 1])
    timed = model.kept(edit)
    period = timed.period_ns() / model.steps
    scale = step_ns / period if period else 1.0
    clocks = _Clocks(model, timed, edit)
    first, last = clocks.moment(0, np.array([begin]), "right")[0], clocks.moment(0, np.array([end]), "left")[0]
    length = float(max(period, last - first))
    queued = _queued_until(rank, model, timed, edit, (begin, end))
    behind = queued is not None and queued[1] - queued[0] > _BEHIND * length
    since = queued[1] if queued is not None and behind else first
    found = [_on_gpu(rank, model, timed, edit, since, length), _on_host(rank, model, clocks, (begin, end), first)]
    pieces = _joined(found).within(length, scale)
    recorded = _joined([_ran(rank, begin, end), _worked(rank, model, begin, end)]).within(end - begin)
    return SimulatedStep(number, begin, end, round(length * scale), behind, pieces, recorded)


def longest_stream(rank: Rank, model: StepModel, edit: Edit) -> int | None:
    """The stream on which most of what the steps wait for runs after an edit, as the trace numbers it."""
    stream = model.gpu.activities.stream
    if len(stream) == 0:
        return None
    spent = np.bincount(stream, model.chain(edit).ran)
    number: int | None = gpu_queue(rank.whole).streams["stream"][int(np.argmax(spent))]
    return number


def _typical(rank: Rank, model: StepModel) -> tuple[int, int]:
    """Place and number of the step of median length."""
    steps = uncut(rank_steps(rank)).sort("start_ns").with_row_index("at").sort("duration_ns", "start_ns")
    at, number = steps.select("at", "step").row((len(steps) - 1) // 2)
    return int(at), int(number)


class _Clocks:
    """The threads' clocks in the repetition that is shown."""

    def __init__(self, model: StepModel, timed: Timed, edit: Edit) -> None:
        self._model, self._edit = model, edit
        self._done = timed.moment[_PASS, : timed.items]
        self._thread, self._at = (model.host.items[name].to_numpy() for name in ("thread", "at"))

    def moment(self, number: int, at: Ints, side: Literal["left", "right"]) -> Floats:
        """When a thread comes as far as it was at some recorded moments: behind the items there (right), or before."""
        clock, pace = self._model.host.clocks[number], self._edit.pace[number]
        items = np.flatnonzero(self._thread == number)
        place = items[np.maximum(np.searchsorted(self._at[items], at, side=side) - 1, 0)]
        worked = clock.worked_exactly(at, pace) - clock.worked_exactly(self._at[place], pace)
        return np.asarray(self._done[place] + np.maximum(0.0, worked))


def _queued_until(
    rank: Rank, model: StepModel, timed: Timed, edit: Edit, step: tuple[int, int]
) -> tuple[float, float] | None:
    """When the first activity launched in a step was launched, and when it started; None without any."""
    launched = gpu_queue(rank.whole).call_start[model.gpu.rows]
    own = (launched >= step[0]) & (launched < step[1]) & ~edit.gone & (edit.activities.duration > 0)
    if not own.any():
        return None
    start = timed.moment[_PASS, timed.items :]
    first = int(np.flatnonzero(own)[np.argmin(start[own])])
    items = np.flatnonzero(model.host.items["kind"].to_numpy() == LAUNCH)
    of = items[np.searchsorted(model.host.items["first"].to_numpy()[items], first, side="right") - 1]
    return float(timed.moment[_PASS, of]), float(start[first])


def _on_gpu(rank: Rank, model: StepModel, timed: Timed, edit: Edit, since: float, length: float) -> Pieces:
    """Activities that run in a piece of time."""
    start = timed.moment[:, timed.items :]
    end = start + np.where(edit.gone, 0, edit.activities.duration)
    turn, activity = np.nonzero((start < since + length) & (end > since) & (end > start))
    times = start[turn, activity], end[turn, activity]
    order = np.lexsort((times[1], times[0]))
    rows = model.gpu.rows[activity[order]]
    return _activities(rank, rows, *(np.rint(one[order] - since).astype(np.int64) for one in times))


def _activities(rank: Rank, rows: Ints, start: Ints, end: Ints) -> Pieces:
    recorded = gpu_queue(rank.whole).start[rows]
    one = np.ones(len(rows), np.int64)
    return Pieces(start, end, NOBODY * one, _ACTIVITY * one, rows_of_trace(rank, "activity", rows), recorded)


def _on_host(rank: Rank, model: StepModel, clocks: _Clocks, step: tuple[int, int], since: float) -> Pieces:
    """What the threads do in the step."""
    found = []
    for number, pieces in _of_threads(rank, model, *step):
        start = clocks.moment(number, pieces.start, "right") - since
        end = clocks.moment(number, pieces.end, "left") - since
        begins, ends = np.rint(start).astype(np.int64), np.rint(end).astype(np.int64)
        # Rounded each for itself, the end of one may lie a ns behind the start of the next.
        ends[:-1] = np.minimum(ends[:-1], begins[1:])
        found.append(Pieces(begins, ends, pieces.thread, pieces.table, pieces.row, pieces.recorded))
    return _joined(found)


def _of_threads(rank: Rank, model: StepModel, begin: int, end: int) -> list[tuple[int, Pieces]]:
    """The pieces of each thread's step by the number of its clock, with recorded moments as times."""
    frame = timed_pieces(rank, model).filter((pl.col("start_ns") < end) & (pl.col("end_ns") > begin)).sort("start_ns")
    items = model.host.items.filter((pl.col("at") > begin) & (pl.col("at") < end))
    found = []
    for number in range(len(model.host.clocks)):
        cuts = items.filter(thread=number)["at"].to_numpy()
        found.append((number, _recorded(rank, number, frame.filter(stretch=number), cuts, (begin, end))))
    return found


def _recorded(rank: Rank, number: int, frame: pl.DataFrame, cuts: Ints, step: tuple[int, int]) -> Pieces:
    """The pieces of a thread, which cover the step; cut where it may have waited in the middle of one."""
    start = np.unique(np.concatenate([frame["start_ns"].clip(*step).to_numpy(), cuts]))
    last = np.append(start[1:], step[1])[: len(start)]
    frame = frame[np.searchsorted(frame["start_ns"].to_numpy(), start, side="right") - 1]
    table, row = (frame[name].cast(pl.Int64).fill_null(NOBODY).to_numpy().copy() for name in ("table", "row"))
    for of in np.unique(table[row >= 0]).tolist():
        mine = (table == of) & (row >= 0)
        row[mine] = rows_of_trace(rank, TABLES_OF_EVENTS[of], row[mine])
    return Pieces(start, last, np.full(len(start), number), table, row, start)


def _ran(rank: Rank, begin: int, end: int) -> Pieces:
    """What the GPU did while the recorded step lasted."""
    queue = gpu_queue(rank.whole)
    rows = np.flatnonzero((queue.start < end) & (queue.end > begin))
    return _activities(rank, rows, queue.start[rows] - begin, queue.end[rows] - begin)


def _worked(rank: Rank, model: StepModel, begin: int, end: int) -> Pieces:
    """How long the threads worked on each piece of the recorded step."""
    found = []
    for number, pieces in _of_threads(rank, model, begin, end):
        clock = model.host.clocks[number]
        pace = np.ones(len(clock.length))
        work = clock.worked(pieces.end, pace) - clock.worked(pieces.start, pace)
        start = pieces.start - begin
        found.append(Pieces(start, start + work, pieces.thread, pieces.table, pieces.row, pieces.recorded))
    return _joined(found)


def _joined(parts: list[Pieces]) -> Pieces:
    return Pieces(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(Pieces)))
