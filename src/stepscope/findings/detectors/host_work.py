"""Work or waits of the host outside of PyTorch, where no stacks were recorded that would show what it is."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.needs import is_kineto
from stepscope.analyses.presence import has_stacks
from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause, inside, outermost
from stepscope.findings.detectors.recurrences import repeating
from stepscope.findings.detectors.small_parts import in_parts
from stepscope.findings.recurring import recurring
from stepscope.findings.top_level_operators import top_level_operators
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints, length, union

_LEAST_NS, _LEAST_OF_STEP, _LEAST_EVER_NS = 1_000_000, 0.05, 100_000
"""A shorter interval, or one that takes less of the step, is how Python is; so is any below 0.1 ms."""

_LEAST_TURNS, _LEAST_IN_LOOP_NS = 12, 30_000
"""Turns of a loop, and the interval at one place of it, at least in a quarter of them: Python calls the next operator
within some microseconds."""

_LEAST_OPERATORS = 10
_LEAST_SHARE = 0.01
"""Of the steps, in operators and calls. A thread with less of them runs no program that is seen: it starts up, waits
for others, or most of what it did was left out of the recording."""

_BACKWARD = r"(?i)\bbackward\b"

_SAMPLE = "py-spy record --idle --format speedscope -o step.json -- python train.py"
"""An old PyTorch has stacks of operators only, which say nothing of what runs between."""


def detect(case: Case) -> list[Cause]:
    """A cause where the same long intervals come in every step with nothing recorded in them."""
    if case.rank.trace.rows("python") > 0:
        return []
    found = _silent(case)
    found = outermost(found.chosen(recurring(case, found)).and_those(_in_loops(case)))
    if len(found.start) == 0:
        return []
    total = case.host_ns(found)
    stacks = has_stacks(case.rank)
    kineto = is_kineto(case.rank)
    advice = "finding-untraced-host-time-advice-sample" if stacks else "finding-untraced-host-time-advice"
    own = "finding-untraced-host-time-title"
    if not kineto:
        own, advice = "finding-untraced-host-time-title-other", "finding-untraced-host-time-advice-other"

    def fix(edit: Edit, effort: int) -> Edit:
        return slowed(edit, shares(case.model, found), 0.0)

    return [
        Cause(
            id="untraced-host-time",
            category="python",
            title=Message(own, spent_ns=round(total)),
            fix=fix,
            claims=found,
            spent_ns=total,
            advice=Message(advice),
            change=_SAMPLE if stacks or not kineto else "profile(..., with_stack=True)  # was: without stacks",
            links=("https://docs.pytorch.org/docs/stable/profiler.html",) if kineto else (),
            unknown=Message("finding-untraced-host-time-unknown"),
            general=True,
            count=case.a_step(len(found.start)),
        )
    ]


def _silent(case: Case) -> Ranges:
    """Long intervals of the timed threads in which nothing began or ended: where stacks were not recorded, all that
    there is to see of Python."""
    clocks = case.model.host.clocks
    least = max(_LEAST_EVER_NS, min(_LEAST_NS, _LEAST_OF_STEP * case.model.recorded_ns))
    long = [np.flatnonzero(clock.length >= least) for clock in clocks]
    threads = [np.full(len(which), clock.thread) for clock, which in zip(clocks, long, strict=True)]
    edges = [(clock.at[which], clock.at[which + 1]) for clock, which in zip(clocks, long, strict=True)]
    found = Ranges(np.concatenate(threads), *(np.concatenate(side) for side in zip(*edges, strict=True)))
    busy = [case.rows(table) for table in ("operator", "runtime")]
    # The main thread waits there for the autograd engine, whose thread may not have been recorded.
    backward = case.named(_BACKWARD, "annotation")
    for other in (case.loading(), backward, *busy):
        found = found.chosen(~inside(other, found.thread, found.start))
    return found.chosen(_seen(case, found, busy))


def _in_loops(case: Case) -> Ranges:
    """Intervals between the operators of a loop, at the same place of each turn, where together they take long; but of
    those loops that are a cause of their own."""
    calls = top_level_operators(case)
    start, end = calls.ranges.start, calls.ranges.end
    found = []
    loops = repeating(case.rank, calls, _LEAST_TURNS, launching=False)
    for loop in (loop for loop in loops if not in_parts(case, calls, loop)):
        place = np.arange(loop.first, loop.last)  # each but the last one, behind which the loop has ended
        between = start[place + 1] - end[place]
        turn = (place - loop.first) % loop.length
        # What a turn does may be much for a weight, and little for a bias.
        found.append(place[_often(between, loop.length)[turn] >= _LEAST_IN_LOOP_NS])
    places = np.concatenate([np.empty(0, np.int64), *found])
    ranges = Ranges(calls.ranges.thread[places], end[places], start[places + 1])
    ranges = ranges.chosen(~inside(case.loading(), ranges.thread, ranges.start))
    enough = case.host_ns(ranges) >= _LEAST_OF_STEP * case.model.recorded_ns
    return ranges if enough else NOWHERE


def _often(between: Ints, length: int) -> Floats:
    """By place in the turns of a loop, the third quartile of its intervals; the last turn may be cut off."""
    whole, rest = divmod(len(between), length)
    turns, last = between[: whole * length].reshape(whole, length), between[whole * length :]
    parts = np.vstack([turns[:, :rest], last]), turns[:, rest:]
    return np.concatenate([np.quantile(part, 0.75, axis=0) for part in parts if part.size])


def _seen(case: Case, found: Ranges, busy: list[Ranges]) -> Flags:
    """Which ranges are of threads that run operators throughout the steps."""
    seen = np.zeros(len(found.start), np.bool_)
    for thread in np.unique(found.thread).tolist():
        mine = [each.chosen(each.thread == thread) for each in busy]
        start, end = (np.concatenate([getattr(each, edge) for each in mine]) for edge in ("start", "end"))
        spent = length(union(start, end))
        often = case.a_step(float(len(mine[0].start))) >= _LEAST_OPERATORS
        seen |= (found.thread == thread) & often & (spent >= _LEAST_SHARE * case.model.recorded_ns * case.model.steps)
    return seen
