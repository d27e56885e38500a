"""Changes of how work gets to the GPU."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.simulation.changes.subject import Changed, NothingToChange, Subject
from stepscope.analyses.simulation.edits import loading, shares
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.messages import Message
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

NODE_GAP_NS = 600
"""Between two nodes of a graph on one stream; 0.9 to 1.1 us were recorded, 0.45 of them the profiler's."""

LAUNCHING_NS = 75_000
"""A longer interval of the host is work of its own, not launching."""


def cuda_graph(subject: Subject, edit: Edit) -> Changed:
    """Launch everything at once: what remains of the host is the data loader and long work of its own."""
    alone = launched_alone(subject.rank, subject.model)
    if not alone.any():
        found = Message("change-all-in-graphs" if len(alone) else "change-no-launches")
        raise NothingToChange(Message("change-cannot-use-graph"), found, Message("change-leave-out"))
    launches = round(int(alone.sum()) / subject.model.steps)
    return Changed(graphed(subject.rank, subject.model, edit), Message("change-affects-launches", launches=launches))


def graphed(rank: Rank, model: StepModel, edit: Edit) -> Edit:
    """An edit in which a step's launches are one; those of graphs stay as they are."""
    inside = shares(model, loading(rank, model))
    pace = tuple(
        pace * np.where(clock.length > LAUNCHING_NS, 1.0, share)
        for pace, share, clock in zip(edit.pace, inside, model.host.clocks, strict=True)
    )
    alone, activities = launched_alone(rank, model), edit.activities
    quick = activities._replace(
        latency=np.where(alone, 0, activities.latency),
        gap=np.where(alone, np.minimum(activities.gap, NODE_GAP_NS), activities.gap),
    )
    return replace(edit, pace=pace, own=0.0, activities=quick, freed=np.ones_like(edit.freed))


@per_rank
def launched_alone(rank: Rank, model: StepModel) -> Flags:
    """Which activities have a call of their own; one that launches several launches a graph."""
    call = gpu_queue(rank.whole).call[model.gpu.rows]
    _, which, count = np.unique(call, return_inverse=True, return_counts=True)
    return np.asarray(count[which] == 1)
