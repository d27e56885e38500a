"""Many small copies between host and GPU where one would do."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed, stretched
from stepscope.analyses.simulation.lead_ups import lead_ups
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, holding, inside, outermost
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.schema import MEMCPY

COPYING = r"^aten::(?:to|_to_copy|copy_|_copy_from|lift_fresh|pin_memory)$"
"""Operators that do nothing but copy."""

_SMALL_BYTES = 1 << 20
_OFFLOADED_BYTES = 1 << 16
"""Memcpys of this size and more that go both ways are tensors that are kept on the host."""

_LEAST = 50
"""Copies a step in one direction; a batch of a few tensors is none."""

_BYTES_PER_S = 10e9
"""Rate of one large copy from pageable memory."""

_LEFT = (0.3, 0.1, 0.0)
"""What is left of the work of making each copy, by effort: the values have to be put together on the host."""


def detect(case: Case) -> list[Cause]:
    """A cause where each step makes dozens of small copies in one direction."""
    operators = outermost(case.named(COPYING, "operator"))
    activity = case.rank.trace.frame("activity", ["activity", "name", "bytes"])[case.model.gpu.rows]
    names = case.rank.trace.text(activity["name"])
    small = (activity["activity"] == MEMCPY).to_numpy() & (activity["bytes"].fill_null(0) < _SMALL_BYTES).to_numpy()
    thread, at = case.model.gpu.thread, gpu_queue(case.rank.whole).call_start[case.model.gpu.rows]
    small &= ~_go_both_ways(names, activity["bytes"].fill_null(0).to_numpy())
    small &= case.timed(thread) & inside(operators, thread, at) & ~inside(case.loading(), thread, at)
    which, later = np.zeros(len(at), np.bool_), np.zeros(len(at), np.bool_)
    for way in ("HtoD", "DtoH"):
        mine = small & names.str.contains(way).fill_null(False).to_numpy()
        step = case.step_of(at)
        if mine.any() and _in_each_step(case, step[mine]):
            which |= mine
            # One copy of everything takes the place of a step's first.
            later[np.flatnonzero(mine)[1:]] = np.diff(step[mine]) == 0
    if not which.any():
        return []
    return [_cause(case, operators, which, later)]


def _go_both_ways(names: pl.Series, size: Ints) -> Flags:
    out, back = (names.str.contains(way).fill_null(False).to_numpy() for way in ("DtoH", "HtoD"))
    both = np.intersect1d(size[out], size[back])
    return np.isin(size, both[both >= _OFFLOADED_BYTES])


def _in_each_step(case: Case, step: Ints) -> bool:
    """Whether every step has enough: what happens once in the recording is set-up, or a checkpoint."""
    number = np.unique(step, return_counts=True)[1]
    return len(number) >= case.model.steps and bool((number >= _LEAST).all())


def _cause(case: Case, operators: Ranges, which: Flags, later: Flags) -> Cause:
    thread, at = case.model.gpu.thread, gpu_queue(case.rank.whole).call_start[case.model.gpu.rows]
    mine, spared = (operators.chosen(holding(operators, thread[of], at[of])) for of in (which, later))
    size = case.rank.trace.frame("activity", ["bytes"])[case.model.gpu.rows]["bytes"].fill_null(0).to_numpy()
    count, moved = case.a_step(float(which.sum())), case.a_step(float(size[which].sum()))
    recorded = np.maximum(1, case.model.gpu.activities.duration)
    # What is left carries the bytes of all: spread evenly, since the steps are alike.
    each = float(size[later].sum()) / max(1, int((which & ~later).sum()))
    longer = 1 + 1e9 * each / _BYTES_PER_S / recorded
    gone = launched_inside(case.rank, case.model, spared)
    leading = spared.and_those(lead_ups(case.rank, case.model, gone))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, leading), _LEFT[effort])
        edit = stretched(edit, which & ~gone, longer)
        return case.removed(edit, spared, gone)

    return Cause(
        id="small-copies",
        category="copies",
        title=Message("finding-small-copies-title", copies=round(count), moved_bytes=round(moved)),
        fix=fix,
        claims=mine,
        spent_ns=case.a_step(float((mine.end - mine.start).sum())),
        advice=Message("finding-small-copies-advice"),
        change="values = torch.tensor(numbers).to(device)  # was: torch.tensor(number, device=device) for each",
        links=("https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html",),
        unknown=Message("finding-small-copies-unknown"),
        where=case.where(mine),
        varies=True,
        count=count,
    )
