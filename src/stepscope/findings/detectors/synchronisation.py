"""Calls that read a value back from the GPU, or wait for it, in the middle of a step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import gpu_queue
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.analyses.steps.unions import rank_unions
from stepscope.findings.detector_context import Case, Cause, holding, inside, outermost
from stepscope.findings.detectors.small_copies import COPYING
from stepscope.messages import Message
from stepscope.numeric.intervals import covered_within, merge
from stepscope.numeric.replay import WAIT, WAIT_ALL, WAIT_STREAM
from stepscope.schema import MEMCPY

_READS = (
    r"^aten::(?:item|_local_scalar_dense|is_nonzero|nonzero|equal|masked_select|_unique2|unique_\w+|unique"
    r"|repeat_interleave|allclose)$"
)
_VALUE_BYTES = 1 << 20
"""More is no value but a tensor: how it is copied matters then, which is what copies.py is about."""

_LONG_NS, _EXPLAINED = 1_000_000, 0.1
"""Of a longer wait the GPU should be busy for more than this share."""

_WAITS = r"(?i)^(?:cuda|hip|cu)(?:Device|Stream|Event|Ctx)Synchronize"


def detect(case: Case) -> list[Cause]:
    """A cause for operators that wait for a value, one for calls that just wait."""
    items = case.model.host.items.filter(pl.col("kind").is_in([WAIT, WAIT_STREAM, WAIT_ALL]))
    clocks = np.array([clock.thread for clock in case.model.host.clocks])
    thread, at = clocks[items["thread"].to_numpy()], items["at"].to_numpy()
    operators = outermost(case.named(_READS, "operator").and_those(_reading_copies(case)))
    # The wait's moment is the end of its call; the call lies inside the operator.
    waiting = _avoidable(case, operators.chosen(holding(operators, thread, at - 1)))
    causes = []
    if len(waiting.start):
        causes.append(_reading(case, waiting))
    alone = case.calls(_WAITS)
    for other in (case.named(_READS, "operator"), case.named(COPYING, "operator"), case.loading()):
        alone = alone.chosen(~inside(other, alone.thread, alone.start))
    alone = _avoidable(case, alone)
    if len(alone.start):
        causes.append(_waiting(case, alone))
    return causes


def _avoidable(case: Case, waits: Ranges) -> Ranges:
    """Waits that a program could do without, as far as the recording shows.

    Of a single step the result has to be fetched at its end: what the CPU could do meanwhile, as the next request, is
    not recorded. And a long wait during which nothing recorded runs is for work of somebody else, such as a batch that
    another recording holds.
    """
    busy = covered_within(merge(*rank_unions(case.rank.whole)), waits.start, waits.end)
    length = waits.end - waits.start
    explained = (length < _LONG_NS) | (busy >= _EXPLAINED * length)
    launches = gpu_queue(case.rank.whole).call_start[case.model.gpu.rows]
    last = int(launches.max()) if len(launches) else 0
    return waits.chosen(explained & ((case.model.steps > 1) | (waits.end < last)))


def _reading_copies(case: Case) -> Ranges:
    """Operators that copy a small tensor to the host: ``.cpu()``, ``.tolist()``, ``.numpy()``."""
    activity = case.rank.trace.frame("activity", ["activity", "name", "bytes"])[case.model.gpu.rows]
    back = case.rank.trace.text(activity["name"]).str.contains("DtoH").fill_null(False).to_numpy()
    small = (activity["activity"] == MEMCPY).to_numpy() & (activity["bytes"] < _VALUE_BYTES).fill_null(False).to_numpy()
    of = np.flatnonzero(back & small)
    at = gpu_queue(case.rank.whole).call_start[case.model.gpu.rows]
    operators = outermost(case.named(COPYING, "operator"))
    return operators.chosen(holding(operators, case.model.gpu.thread[of], at[of]))


def _reading(case: Case, operators: Ranges) -> Cause:
    count = case.a_step(len(operators.start))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, operators), 0.0)
        copies = launched_inside(case.rank, case.model, operators)
        return replace(edit, gone=edit.gone | copies, freed=edit.freed | case.items_inside(operators))

    return Cause(
        id="host-synchronisation",
        category="synchronisation",
        title=Message("finding-host-synchronisation-title", times=round(count)),
        fix=fix,
        claims=operators,
        spent_ns=case.a_step(float((operators.end - operators.start).sum())),
        advice=Message("finding-host-synchronisation-advice"),
        change=(
            "total += loss.detach()  # was: total += loss.item()\n"
            "if step % 100 == 0: print(total.item())  # was: in every step"
        ),
        links=(
            "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
            "https://docs.pytorch.org/docs/stable/notes/cuda.html",
        ),
        where=case.where(operators),
        count=count,
        what_if="no-sync",
    )


def _waiting(case: Case, calls: Ranges) -> Cause:
    count = case.a_step(len(calls.start))

    def fix(edit: Edit, effort: int) -> Edit:
        return replace(edit, freed=edit.freed | case.items_inside(calls))

    return Cause(
        id="synchronize",
        category="synchronisation",
        title=Message("finding-synchronize-title", times=max(round(count), 1)),
        fix=fix,
        claims=calls,
        spent_ns=case.a_step(float((calls.end - calls.start).sum())),
        advice=Message("finding-synchronize-advice"),
        change=(
            "start.record(); train_step(batch); end.record()  # torch.cuda.Event(enable_timing=True)\n"
            "# was: torch.cuda.synchronize() around time.time() in every step"
        ),
        links=(
            "https://docs.pytorch.org/docs/stable/notes/cuda.html",
            "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
        ),
        where=case.where(calls),
        count=count,
        what_if="no-sync",
    )
