"""Copies and memsets by calls that return when they are done, though the program may not need that.

What counts is as of the rules ``cuda_memcpy_sync`` and ``cuda_memset_sync`` of Nsight Systems: copies by calls that are
not asynchronous, but for those to the device of 64,000 bytes at most (they return once staged) and those within a
device; and such memsets of pinned or managed memory.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.simulation.edits import named_ranges
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, holding, outermost
from stepscope.findings.detectors.copies import returning_at_once
from stepscope.messages import Message
from stepscope.schema import MEMCPY, MEMSET

_BLOCKING = r"^(?:cuda|hip|cu)Mem(?:cpy|set)"
_STAGED_BYTES = 64_000


def detect(case: Case) -> list[Cause]:
    """A cause for calls whose work makes the host wait."""
    which, size = _work(case)
    thread, at = case.model.gpu.thread[which], gpu_queue(case.rank.whole).call_start[case.model.gpu.rows[which]]
    names = case.rank.trace.codes(lambda text: text.str.contains(_BLOCKING) & ~text.str.contains("(?i)async"))
    calls = outermost(named_ranges(case.rank, case.model, names, ("runtime",)))
    calls = calls.chosen(holding(calls, thread, at))
    if len(calls.start) == 0:
        return []
    spent, count = case.a_step(float((calls.end - calls.start).sum())), case.a_step(len(calls.start))

    def fix(edit: Edit, effort: int) -> Edit:
        return returning_at_once(case, edit, calls)

    return [
        Cause(
            id="blocking-calls",
            category="copies",
            title=Message(
                "finding-blocking-calls-title",
                times=max(round(count), 1),
                moved_bytes=_moved(case, which, size),
                blocked_ns=round(spent),
            ),
            fix=fix,
            claims=calls,
            spent_ns=spent,
            advice=Message("finding-blocking-calls-advice"),
            change=(
                "cudaMemcpyAsync(target, source, bytes, cudaMemcpyHostToDevice, stream);"
                "  // was: cudaMemcpy(target, source, bytes, cudaMemcpyHostToDevice)"
            ),
            links=("https://docs.nvidia.com/cuda/cuda-runtime-api/api-sync-behavior.html",),
            unknown=Message("finding-blocking-calls-unknown"),
            unsure=True,
            where=case.where(calls),
            count=count,
        )
    ]


def _moved(case: Case, which: Flags, size: pl.Series) -> int | None:
    """Bytes of some activities a step; None where the recording has no sizes, as ROCm's of memcpys."""
    mine = size.filter(pl.Series(which))
    return round(case.a_step(float(mine.sum()))) if mine.is_not_null().any() else None


def _work(case: Case) -> tuple[Flags, pl.Series]:
    """Which activities of the model make a call that is not asynchronous wait, and the size of each in bytes."""
    activity = case.rank.trace.frame("activity", ["activity", "name", "bytes"])[case.model.gpu.rows]
    name = case.rank.trace.text(activity["name"]).fill_null("")
    size = activity["bytes"]
    staged = name.str.contains("HtoD") & (size <= _STAGED_BYTES).fill_null(False)
    copies = (activity["activity"] == MEMCPY) & ~staged & ~name.str.contains("DtoD")
    sets = (activity["activity"] == MEMSET) & name.str.contains("(?i)pinned|managed")
    return (copies | sets).to_numpy(), size
