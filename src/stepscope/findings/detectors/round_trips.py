"""Data that goes to the host, is worked on there, and goes back to the GPU, which waits meanwhile."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, holding, inside, outermost
from stepscope.findings.detectors.small_copies import COPYING
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.schema import MEMCPY, MEMSET

_LEAST_BYTES = 64
"""Fewer that are read are a value for a decision or a log, and what is copied next is something else."""

_LEAST_WORK_NS = 100_000
"""Work of the host between the two copies; less is no work on data."""

_LEFT = (0.5, 0.1, 0.0)
"""What is left of the host's part, by effort."""


def detect(case: Case) -> list[Cause]:
    """A cause where nothing is launched between a copy to the host and one back, and the host works in between."""
    trips, loading = _trips(case), case.loading()
    # Behind the last values of one batch comes the next batch.
    next_batch = holding(trips, loading.thread, loading.start) | inside(loading, trips.thread, trips.start)
    trips = trips.chosen(~next_batch)
    if len(trips.start) == 0:
        return []
    thread, at = case.model.gpu.thread, gpu_queue(case.rank.whole).call_start[case.model.gpu.rows]
    which = inside(trips, thread, at)
    spent, count = case.a_step(float((trips.end - trips.start).sum())), case.a_step(len(trips.start))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, trips), _LEFT[effort])
        return case.removed(edit, trips, which)

    return [
        Cause(
            id="host-round-trip",
            category="copies",
            title=Message("finding-host-round-trip-title", times=max(round(count), 1)),
            fix=fix,
            claims=trips,
            spent_ns=spent,
            advice=Message("finding-host-round-trip-advice"),
            change="mask = scores > limit  # was: torch.from_numpy(scores.cpu().numpy() > limit).cuda()",
            links=("https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",),
            unknown=Message("finding-host-round-trip-unknown"),
            where=case.where(trips),
            count=count,
        )
    ]


def _trips(case: Case) -> Ranges:
    """From each copy to the host until the copy back that is launched next, in the same step."""
    queue, rows = gpu_queue(case.rank.whole), case.model.gpu.rows
    activity = case.rank.trace.frame("activity", ["activity", "name", "bytes"])[rows]
    places = np.flatnonzero((activity["activity"] != MEMSET).to_numpy())
    thread, at, done = case.model.gpu.thread[places], queue.call_start[rows[places]], queue.call_end[rows[places]]
    copy = _copies(case, thread, at) & (activity["activity"] == MEMCPY).to_numpy()[places]
    names = case.rank.trace.text(activity["name"])[places]
    large = (activity["bytes"].fill_null(0) >= _LEAST_BYTES).to_numpy()[places]
    out = copy & large & names.str.contains("DtoH").fill_null(False).to_numpy()
    back = copy & names.str.contains("HtoD").fill_null(False).to_numpy()
    step = case.step_of(at)
    turn = np.flatnonzero(out[:-1] & back[1:] & (thread[1:] == thread[:-1]) & (step[1:] == step[:-1]))
    trips = Ranges(thread[turn], at[turn], done[turn + 1])
    copies = case.model.gpu.activities.duration[places]
    between = Ranges(thread[turn], done[turn], at[turn + 1])
    # Where the copies take longer than the work, tensors are only moved out of the way.
    work = case.worked(between)
    return trips.chosen((work >= _LEAST_WORK_NS) & (work >= copies[turn] + copies[turn + 1]))


def _copies(case: Case, thread: Ints, at: Ints) -> Flags:
    return inside(outermost(case.named(COPYING, "operator")), thread, at)
