"""Where forward and backward begin and end in each step, for all steps at once: there can be a hundred thousand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.host.phases import BACKWARD, NEITHER
from stepscope.analyses.text_order import text_places
from stepscope.numeric.intervals import Ints, Union
from stepscope.store.profile import Rank

Flags = npt.NDArray[np.bool_]

_NEVER = int(np.iinfo(np.int64).min)
_NOWHERE = int(np.iinfo(np.int64).max)


@dataclass(frozen=True)
class Launches:
    """Rows of forward and backward, as of `phases`, in order of launch.

    Attributes:
        launched, start, end: in ns.
        backward: whether they belong to it.
        label: place of the name of the operator, else of the kernel, in the alphabet; -1 for none.
        codes: that name's code by its place.
    """

    launched: Ints
    start: Ints
    end: Ints
    backward: Flags
    label: Ints
    codes: Ints

    @classmethod
    def of(cls, rank: Rank, frame: pl.DataFrame) -> Launches:
        """Those of a frame of `phases`."""
        frame = frame.filter(pl.col("phase") != NEITHER)
        operators = rank.trace.frame("operator", ["name"])["name"]
        names = frame.select(pl.coalesce(operators.gather(frame["operator"]), "name")).to_series()
        places = text_places(rank.trace, names)
        codes = np.zeros(int(places.max(initial=-1)) + 1, np.int64)
        codes[places[places >= 0]] = names.drop_nulls().to_numpy()
        launched, start, end = (frame[name].to_numpy() for name in ("launch_start_ns", "start_ns", "end_ns"))
        return cls(launched, start, end, (frame["phase"] == BACKWARD).to_numpy(), places, codes)

    def at(self, rows: Ints) -> Launches:
        """Some of the rows."""
        times = (self.launched[rows], self.start[rows], self.end[rows])
        return Launches(*times, self.backward[rows], self.label[rows], self.codes)


def divide(launches: Launches, host: Union, clock: Union, optimizers: Ints) -> pl.DataFrame:
    """Columns of the table ``step_trace`` from start_ns to passes, and codes of the labels; a row for each step.

    Args:
        host: begins and ends of the steps on the host: what is launched inside belongs to them.
        clock: begins and ends of their time, on the clock that they are divided on.
        optimizers: starts of the steps of optimizers, sorted.
    """
    start, stop = clock
    rows = _Rows.of(launches, *host)
    first, last = stop.copy(), stop.copy()
    began = rows.least(rows.launches.start)
    first[rows.steps] = np.clip(began, start[rows.steps], stop[rows.steps])
    backward = rows.launches.backward
    ended = rows.most(np.where(backward, rows.launches.end, _NEVER))
    has_backward = rows.most(backward) > 0
    # Without backward, the model's work ends where the optimizer's begins.
    optimizer = _following(optimizers, host[0][rows.steps])
    before = rows.launches.launched < optimizer[rows.group]
    until = rows.most(np.where(before, rows.launches.end, _NEVER))
    guessed = ~has_backward & (optimizer < host[1][rows.steps])
    known = has_backward | guessed
    ends = np.where(has_backward, ended, until)[known]
    ending = rows.steps[known]
    last[ending] = np.clip(ends, first[ending], stop[ending])
    back, passes = rows.passes(first, last)
    unknown = np.zeros(len(start), np.bool_)
    unknown[rows.steps[guessed]] = True
    labels = {
        "first_forward": rows.labels(rows.launches.start == began[rows.group], len(start)),
        "last_backward": rows.labels(backward & (rows.launches.end == ended[rows.group]), len(start)),
    }
    return _columns(start, first, last, stop, pl.Series(back).set(pl.Series(unknown), None), passes).with_columns(
        **labels
    )


def _columns(start: Ints, first: Ints, last: Ints, stop: Ints, back: pl.Series, passes: Ints) -> pl.DataFrame:
    middle = pl.Series(last - first)
    return pl.DataFrame(
        {
            "start_ns": start,
            "interval_ns": first - start,
            "forward_backward_ns": middle,
            "forward_ns": middle - back,
            "backward_ns": back,
            "tail_ns": stop - last,
            "total_ns": stop - start,
            "passes": passes,
        }
    )


def _following(times: Ints, after: Ints) -> Ints:
    """The first time at or after each one; the end of time where there is none."""
    return np.append(times, _NOWHERE)[np.searchsorted(times, after, side="left")]


@dataclass(frozen=True)
class _Rows:
    """The launches of each step, step by step.

    Attributes:
        launches: a row for each.
        steps: the steps that have any.
        group: place among them of each row's step.
        opens: first row of each of them.
    """

    launches: Launches
    steps: Ints
    group: Ints
    opens: Ints

    @classmethod
    def of(cls, launches: Launches, begin: Ints, end: Ints) -> _Rows:
        low, high = (np.searchsorted(launches.launched, times, side="left") for times in (begin, end))
        steps = np.flatnonzero(high > low)
        count = (high - low)[steps]
        opens = np.cumsum(count) - count
        group = np.repeat(np.arange(len(steps)), count)
        rows = np.arange(len(group)) + (low[steps] - opens)[group]
        return cls(launches.at(rows), steps, group, opens)

    def least(self, values: Ints) -> Ints:
        """The least value of each step."""
        return np.minimum.reduceat(values, self.opens) if len(self.opens) else np.empty(0, np.int64)

    def most(self, values: Ints | Flags) -> Ints:
        """The greatest value of each step."""
        return np.maximum.reduceat(values, self.opens) if len(self.opens) else np.empty(0, np.int64)

    def labels(self, wanted: Flags, steps: int) -> pl.Series:
        """Codes of names of each step: of several wanted rows that have one the first in the alphabet."""
        place = self.least(np.where(wanted & (self.launches.label >= 0), self.launches.label, _NOWHERE))
        known = place != _NOWHERE
        found = np.full(steps, -1, np.int64)
        found[self.steps[known]] = self.launches.codes[place[known]]
        series = pl.Series(found)
        return series.set(series < 0, None)

    def passes(self, first: Ints, last: Ints) -> tuple[Ints, Ints]:
        """Time in backward passes between two times of each step, and how many there are.

        Rows of backward belong to one pass as long as nothing of forward is launched between them. A pass lasts from
        the start of its first to the end of its last row.
        """
        backward = self.launches.backward
        before = np.append(False, backward[:-1])[: len(backward)]
        before[self.opens] = False
        opening = backward & ~before
        step = self.steps[self.group[opening]]
        opens = np.flatnonzero(opening[backward])
        empty = np.empty(0, np.int64)
        starts = np.minimum.reduceat(self.launches.start[backward], opens) if len(opens) else empty
        ends = np.maximum.reduceat(self.launches.end[backward], opens) if len(opens) else empty
        time = _lengths(step, np.clip(starts, first[step], last[step]), np.clip(ends, first[step], last[step]))
        back = np.zeros(len(first), np.int64)
        back[time["of"].to_numpy()] = time["length"].to_numpy()
        return back, np.bincount(step, minlength=len(first))


def _lengths(of: Ints, start: Ints, end: Ints) -> pl.DataFrame:
    """Length of the union of the intervals of each step: columns of, length."""
    reached = pl.col("end").cum_max().shift(1).over("of")
    own = pl.col("end") - pl.max_horizontal("start", reached)
    frame = pl.DataFrame({"of": of, "start": start, "end": end}).sort("of", "start")
    return frame.select("of", length=own.clip(lower_bound=0)).group_by("of").agg(pl.col("length").sum())
