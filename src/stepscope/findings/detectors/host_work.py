"""Work of the host outside of PyTorch, where no stacks were recorded that would tell what it is."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.retiming.edits import Ranges, shares, slowed
from stepscope.analyses.retiming.model import Edit
from stepscope.findings.case import Case, Cause, inside
from stepscope.findings.recurring import recurring

_LEAST_NS = 1_000_000
"""A shorter stretch is how Python is."""


def detect(case: Case) -> list[Cause]:
    """A cause where the same long stretches come in every step with nothing recorded in them."""
    if case.rank.trace.rows("python") > 0:
        return []
    found = _silent(case)
    found = found.chosen(recurring(case, found))
    if len(found.start) == 0:
        return []
    total = case.host_ns(found)

    def mend(edit: Edit, effort: int) -> Edit:
        return slowed(edit, shares(case.model, found), 0.0)

    return [
        Cause(
            id="host-work",
            category="python",
            title=f"The host works outside of PyTorch: {total / 1e6:.1f} ms a step",
            mend=mend,
            claims=found,
            spent_ns=total,
            advice="Record with with_stack=True to see where; then move it out of the loop, or into a thread.",
            change="profile(..., with_stack=True)  # was: without stacks",
            links=("https://docs.pytorch.org/docs/stable/profiler.html",),
            unknown="which code it is: Python, garbage collection, files, or a wait for something that is not recorded",
            count=case.a_step(len(found.start)),
        )
    ]


def _silent(case: Case) -> Ranges:
    """Long stretches of the timed threads in which nothing began or ended: where stacks were not recorded, all that
    there is to see of Python."""
    clocks = case.model.host.clocks
    long = [np.flatnonzero(clock.length >= _LEAST_NS) for clock in clocks]
    threads = [np.full(len(which), clock.thread) for clock, which in zip(clocks, long, strict=True)]
    edges = [(clock.at[which], clock.at[which + 1]) for clock, which in zip(clocks, long, strict=True)]
    found = Ranges(np.concatenate(threads), *(np.concatenate(side) for side in zip(*edges, strict=True)))
    busy = [case.rows(table, np.ones(case.rank.trace.rows(table), np.bool_)) for table in ("operator", "runtime")]
    for other in (case.loading(), *busy):
        found = found.chosen(~inside(other, found.thread, found.start))
    return found
