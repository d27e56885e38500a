"""The change that a finding recommends."""

from __future__ import annotations

from stepscope.analyses.simulation.changes.subject import Changed, Subject
from stepscope.analyses.simulation.edits import ns_per_step
from stepscope.analyses.simulation.model import Edit
from stepscope.messages import Message

USUAL = 1
"""The effort with which a fix goes as it usually goes."""


def fix(subject: Subject, edit: Edit) -> Changed:
    """Simulate the fix of a finding, as the finding itself does."""
    simulate = subject.fixes(subject.profile, subject.rank, subject.name)
    if simulate is None:
        raise subject.nothing("change-no-such-finding", "change-take-finding")
    made = simulate(edit, USUAL)
    host = sum(
        float((clock.length * (before - after)).sum())
        for clock, before, after in zip(subject.model.host.clocks, edit.pace, made.pace, strict=True)
    )
    gone = float(edit.activities.duration.sum() - made.activities.duration[~made.gone].sum())
    affected = Message(
        "change-affects-fix",
        host_ns=max(0, ns_per_step(subject.model, host)),
        gpu_ns=max(0, ns_per_step(subject.model, gone)),
    )
    return Changed(made, affected)
