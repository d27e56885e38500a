"""Changes of what the host waits for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.analyses.simulation.changes.subject import Changed, Subject
from stepscope.analyses.simulation.edits import Ranges, count_per_step, loading, ns_per_step, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.messages import Message
from stepscope.numeric.replay import WAIT, WAIT_ALL, WAIT_STREAM

FETCH_NS = 150_000
"""What next() of the data loader takes when the batch is ready: measured with workers that keep up."""


def synchronisation(subject: Subject, edit: Edit) -> Changed:
    """Let no call wait for the GPU."""
    kind = subject.model.host.items["kind"].to_numpy()
    freed = np.isin(kind, (WAIT, WAIT_STREAM, WAIT_ALL))
    count = int((freed & ~edit.freed).sum())
    affected = Message("change-affects-waits", waits=count_per_step(subject.model, count))
    return Changed(replace(edit, freed=edit.freed | freed), affected)


def data_loading(subject: Subject, edit: Edit) -> Changed:
    """Let every next() of the data loader take no longer than for a batch that is ready."""
    found = loading(subject.rank, subject.model)
    slow = found.chosen(found.end - found.start > FETCH_NS)
    later = Ranges(slow.thread, slow.start + FETCH_NS, slow.end)
    inside = shares(subject.model, later)
    total = float((later.end - later.start).sum())
    affected = Message(
        "change-affects-data-loading",
        wait_ns=ns_per_step(subject.model, total),
        batches=count_per_step(subject.model, len(slow.start)),
    )
    return Changed(slowed(edit, inside, 0.0), affected)
