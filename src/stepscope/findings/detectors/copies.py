"""Copies from and to pageable memory, for which the host waits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.analyses.dependencies.queue import gpu_queue
from stepscope.analyses.retiming.edits import Ranges, shares, slowed, stretched
from stepscope.analyses.retiming.model import Edit
from stepscope.findings.case import Case, Cause
from stepscope.schema import MEMCPY

_PINNED_BYTES_PER_S = (12e9, 25e9, 50e9)
"""Rate of copies from pinned memory, by effort: PCIe 3, 4 and 5."""

_CALL_NS = 10_000
_LEAST_BYTES = 1 << 20

_LINKS = (
    "https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html",
    "https://docs.pytorch.org/docs/stable/data.html",
)


def detect(case: Case) -> list[Cause]:
    """A cause where large copies go through pageable memory."""
    activity = case.rank.trace.frame("activity", ["activity", "name", "bytes"])[case.model.gpu.rows]
    pageable = case.rank.trace.text(activity["name"]).str.contains("(?i)pageable").fill_null(False)
    size = activity["bytes"].fill_null(0).to_numpy()
    which = (activity["activity"] == MEMCPY).to_numpy() & pageable.to_numpy() & (size >= _LEAST_BYTES)
    if not which.any():
        return []
    queue = gpu_queue(case.rank.whole)
    rows = case.model.gpu.rows[which]
    calls = Ranges(case.model.gpu.thread[which], queue.call_start[rows], queue.call_end[rows])
    moved = case.a_step(float(size[which].sum()))
    held = case.a_step(float((calls.end - calls.start).sum()))

    def mend(edit: Edit, effort: int) -> Edit:
        spent = (calls.end - calls.start).mean()
        edit = slowed(edit, shares(case.model, calls), min(1.0, _CALL_NS / max(1.0, float(spent))))
        recorded = np.maximum(1, case.model.gpu.activities.duration)
        times = np.where(which, np.minimum(1.0, 1e9 * size / _PINNED_BYTES_PER_S[effort] / recorded), 1.0)
        return replace(stretched(edit, which, times), freed=edit.freed | case.items_inside(calls))

    return [
        Cause(
            id="pageable-copies",
            category="copies",
            title=f"{moved / 1e6:.0f} MB a step go through pageable memory and hold the host {held / 1e6:.1f} ms",
            mend=mend,
            claims=calls,
            spent_ns=held,
            advice="pin_memory=True in the loader, or tensor.pin_memory(), and .to(device, non_blocking=True).",
            change=(
                "loader = DataLoader(data, pin_memory=True)  # was: pin_memory=False\n"
                "batch = batch.to(device, non_blocking=True)  # was: batch.to(device)"
            ),
            links=_LINKS,
            unknown="what the link to the GPU can do at best",
            where=case.where(calls),
            count=case.a_step(float(which.sum())),
        )
    ]
