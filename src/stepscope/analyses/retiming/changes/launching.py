"""Changes of how work gets to the GPU."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.analyses.retiming.changes.subject import Changed, Subject
from stepscope.analyses.retiming.edits import loading, shares
from stepscope.analyses.retiming.model import Edit

NODE_GAP_NS = 600
"""Between two nodes of a graph on one stream; 0.9 to 1.1 us were recorded, 0.45 of them the profiler's."""

LAUNCHING_NS = 75_000
"""A longer stretch of the host is work of its own, no launching."""


def cuda_graph(subject: Subject, edit: Edit) -> Changed:
    """Launch everything at once: what remains of the host is the data loader and long work of its own."""
    inside = shares(subject.model, loading(subject.rank, subject.model))
    pace = tuple(
        pace * np.where(clock.length > LAUNCHING_NS, 1.0, share)
        for pace, share, clock in zip(edit.pace, inside, subject.model.host.clocks, strict=True)
    )
    activities = edit.activities
    quick = activities._replace(latency=np.zeros_like(activities.latency), gap=np.minimum(activities.gap, NODE_GAP_NS))
    count = len(subject.model.gpu.rows) / subject.model.steps
    freed = np.ones_like(edit.freed)
    return Changed(replace(edit, pace=pace, own=0.0, activities=quick, freed=freed), f"{count:.0f} launches a step")
