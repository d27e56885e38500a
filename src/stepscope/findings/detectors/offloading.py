"""Tensors that are copied to the host and back within a step."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import gpu_queue
from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, inside
from stepscope.messages import Message
from stepscope.schema import MEMCPY

_LEAST_BYTES = 1 << 16
_LEAST_PAIRS = 2
_WRITING = r"torch[/\\]serialization\.py\(\d+\): save$|: save_checkpoint$"

_LINKS = (
    "https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html",
    "https://docs.pytorch.org/docs/stable/notes/cuda.html",
)


def detect(case: Case) -> list[Cause]:
    """A cause where copies of the same sizes go out and come back."""
    activity = case.rank.trace.frame("activity", ["activity", "name", "bytes"])[case.model.gpu.rows]
    names = case.rank.trace.text(activity["name"])
    size = activity["bytes"].fill_null(0).to_numpy()
    large = (activity["activity"] == MEMCPY).to_numpy() & (size >= _LEAST_BYTES)
    out, back = (large & names.str.contains(way).fill_null(False).to_numpy() for way in ("DtoH", "HtoD"))
    queue, rows = gpu_queue(case.rank.whole), case.model.gpu.rows
    thread, at = case.model.gpu.thread, queue.call_start[rows]
    out &= ~inside(case.named(_WRITING, "python"), thread, at)
    both = np.intersect1d(size[out], size[back])
    which = (out | back) & np.isin(size, both)
    pairs = case.a_step(min(int((which & out).sum()), int((which & back).sum())))
    if pairs < _LEAST_PAIRS:
        return []
    calls = Ranges(thread[which], queue.call_start[rows[which]], queue.call_end[rows[which]])

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, calls), 0.0)
        return case.removed(edit, calls, which)

    moved = case.a_step(float(size[which].sum()))
    return [
        Cause(
            id="offloading",
            category="copies",
            title=Message("finding-offloading-title", tensors=round(pairs), moved_bytes=round(moved)),
            fix=fix,
            claims=calls,
            spent_ns=case.gpu_ns(which) + case.a_step(float((calls.end - calls.start).sum())),
            advice=Message("finding-offloading-advice"),
            change=("kept = x  # was: kept = x.cpu()\nx = kept  # was: x = kept.cuda()"),
            links=_LINKS,
            unknown=Message("finding-offloading-unknown"),
            where=case.where(calls),
            count=pairs,
        )
    ]
