"""Changes of what the host waits for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.analyses.simulation.changes.subject import Changed, Subject
from stepscope.analyses.simulation.edits import Ranges, counted, loading, per_step, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.numeric.replay import WAIT, WAIT_ALL, WAIT_STREAM

FETCH_NS = 150_000
"""What the fetch of a batch that is ready takes: measured with workers that keep up."""


def synchronisation(subject: Subject, edit: Edit) -> Changed:
    """Let no call wait for the GPU."""
    kind = subject.model.host.items["kind"].to_numpy()
    freed = np.isin(kind, (WAIT, WAIT_STREAM, WAIT_ALL))
    count = int((freed & ~edit.freed).sum())
    return Changed(replace(edit, freed=edit.freed | freed), counted(subject.model, count, "wait"))


def data_loading(subject: Subject, edit: Edit) -> Changed:
    """Let every fetch of a batch take no longer than that of one that is ready."""
    found = loading(subject.rank, subject.model)
    slow = found.chosen(found.end - found.start > FETCH_NS)
    later = Ranges(slow.thread, slow.start + FETCH_NS, slow.end)
    inside = shares(subject.model, later)
    total = float((later.end - later.start).sum())
    touched = f"{per_step(subject.model, total)}, in {counted(subject.model, len(slow.start), 'fetch')}"
    return Changed(slowed(edit, inside, 0.0), touched)
