"""Changes of how work gets to the GPU."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.simulation.changes.subject import Changed, NothingToChange, Subject
from stepscope.analyses.simulation.edits import Ranges, launched_inside, loading, shares
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.messages import Message
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

NODE_GAP_NS = 600
"""Between two nodes of a graph on one stream; 0.9 to 1.1 us were recorded, 0.45 of them the profiler's."""

LAUNCHING_NS = 75_000
"""A longer interval of the host is work of its own, not launching; nor is a longer gap behind which work is queued."""


def cuda_graph(subject: Subject, edit: Edit) -> Changed:
    """Launch everything at once: what remains of the host is the data loader and long work of its own."""
    alone = launched_alone(subject.rank, subject.model)
    if not alone.any():
        found = Message("change-all-in-graphs" if len(alone) else "change-no-launches")
        raise NothingToChange(Message("change-cannot-use-graph"), found, Message("change-leave-out"))
    launches = round(int(alone.sum()) / subject.model.steps)
    return Changed(graphed(subject.rank, subject.model, edit), Message("change-affects-launches", launches=launches))


@dataclass(frozen=True)
class Outside:
    """Work of the host that no graph holds, besides the data loader: its ranges, and which items lie in them."""

    ranges: Ranges
    items: Flags


def graphed(rank: Rank, model: StepModel, edit: Edit, outside: Outside | None = None) -> Edit:
    """An edit in which a step's launches are one; those of graphs stay as they are."""
    loads, alone, held = loading(rank, model), launched_alone(rank, model), np.ones_like(edit.freed)
    if outside is not None:
        loads, held = loads.and_those(outside.ranges), ~outside.items
        alone = alone & ~launched_inside(rank, model, outside.ranges)
    inside = shares(model, loads)
    pace = tuple(
        pace * np.where(clock.length > LAUNCHING_NS, 1.0, share)
        for pace, share, clock in zip(edit.pace, inside, model.host.clocks, strict=True)
    )
    activities = edit.activities
    quick = activities._replace(
        latency=np.where(alone, 0, activities.latency),
        gap=np.where(alone & (activities.gap <= LAUNCHING_NS), np.minimum(activities.gap, NODE_GAP_NS), activities.gap),
    )
    own = edit.own * _share_of_own(model, ~held)
    return replace(edit, pace=pace, own=own, activities=quick, freed=edit.freed | held)


def _share_of_own(model: StepModel, items: Flags) -> float:
    """What some items have of the work that all items have themselves."""
    own = model.host.items["own"].to_numpy()
    total = float(own.sum())
    return float(own[items].sum()) / total if total else 0.0


@per_rank
def launched_alone(rank: Rank, model: StepModel) -> Flags:
    """Which activities have a call of their own; one that launches several launches a graph."""
    call = gpu_queue(rank.whole).call[model.gpu.rows]
    _, which, count = np.unique(call, return_inverse=True, return_counts=True)
    return np.asarray(count[which] == 1)
