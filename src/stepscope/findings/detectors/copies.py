"""Copies from and to pageable memory, for which the host waits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.host_link import pinned_rate
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.schema import MEMCPY

_OF_LINK = 0.8
"""Share of the usual rate of copies from pinned memory that is reached with little effort: 8 lanes are not rare."""

_LATENCY_NS = 10_000
"""From the call to the start of a copy from pinned memory."""

_CALL_NS = 10_000
_LEAST_BYTES = 1 << 20

_LINKS = (
    "https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html",
    "https://docs.pytorch.org/docs/stable/data.html",
)


@dataclass(frozen=True)
class PageableCopies:
    """Large copies through pageable memory.

    Attributes:
        which: activities of the model.
        size: of each activity of the model, in bytes.
        calls: ranges of the calls that made them.
    """

    which: Flags
    size: Ints
    calls: Ranges

    def pinned(self, case: Case, edit: Edit, effort: int, *, ahead: bool) -> Edit:
        """An edit with the copies at the rate of pinned memory.

        Args:
            ahead: on a stream of their own, beside the compute, as of batches that are prefetched.
        """
        activities = edit.activities
        rate = pinned_rate(case.rank.whole) * (_OF_LINK if effort == 0 else 1.0)
        best = np.minimum(activities.duration, np.rint(1e9 * self.size / rate).astype(np.int64))
        beside = self.which & ahead
        activities = activities._replace(
            duration=np.where(self.which, best, activities.duration),
            latency=np.where(self.which, np.minimum(activities.latency, _LATENCY_NS), activities.latency),
            stream=np.where(beside, activities.stream.max() + 1, activities.stream),
            event=np.where(beside, NOBODY, activities.event),
        )
        return replace(edit, activities=activities)

    def asynchronous(self, case: Case, edit: Edit) -> Edit:
        """An edit in which the host does not wait for the copies."""
        return returning_at_once(case, edit, self.calls)


def returning_at_once(case: Case, edit: Edit, calls: Ranges) -> Edit:
    """An edit in which calls only queue what they do."""
    spent = max(1.0, float((calls.end - calls.start).mean()))
    edit = slowed(edit, shares(case.model, calls), min(1.0, _CALL_NS / spent))
    return case.freed(edit, calls)


def pageable_copies(case: Case, pattern: str = "(?i)pageable") -> PageableCopies | None:
    """Those whose name matches a pattern, None without one."""
    activity = case.rank.trace.frame("activity", ["activity", "name", "bytes"])[case.model.gpu.rows]
    named = case.rank.trace.text(activity["name"]).str.contains(pattern).fill_null(False)
    size = activity["bytes"].fill_null(0).to_numpy()
    which = (activity["activity"] == MEMCPY).to_numpy() & named.to_numpy() & (size >= _LEAST_BYTES)
    if not which.any():
        return None
    queue = gpu_queue(case.rank.whole)
    rows = case.model.gpu.rows[which]
    calls = Ranges(case.model.gpu.thread[which], queue.call_start[rows], queue.call_end[rows])
    return PageableCopies(which, size, calls)


def detect(case: Case) -> list[Cause]:
    """A cause where large copies go through pageable memory."""
    copies = pageable_copies(case)
    if copies is None:
        return []
    moved = case.a_step(float(copies.size[copies.which].sum()))
    blocked = case.a_step(float((copies.calls.end - copies.calls.start).sum()))

    def fix(edit: Edit, effort: int) -> Edit:
        # Pinning alone is the least that helps: the copy stays in line with the kernels.
        return copies.pinned(case, copies.asynchronous(case, edit), effort, ahead=effort > 0)

    return [
        Cause(
            id="pageable-copies",
            category="copies",
            title=Message("finding-pageable-copies-title", moved_bytes=round(moved), blocked_ns=round(blocked)),
            fix=fix,
            claims=copies.calls,
            spent_ns=blocked,
            advice=Message("finding-pageable-copies-advice"),
            change=(
                "loader = DataLoader(data, pin_memory=True)  # was: pin_memory=False\n"
                "with torch.cuda.stream(copy_stream):  # was: on the default stream\n"
                "    next_batch = next_batch.to(device, non_blocking=True)  # was: batch.to(device)"
            ),
            links=_LINKS,
            unknown=Message("finding-pageable-copies-unknown"),
            where=case.where(copies.calls),
            count=case.a_step(float(copies.which.sum())),
        )
    ]
