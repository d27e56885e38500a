"""Changes of what the host does."""

from __future__ import annotations

import re

import numpy as np

from stepscope.analyses.simulation.changes.subject import Changed, Subject
from stepscope.analyses.simulation.edits import (
    count_per_step,
    named_ranges,
    ns_per_step,
    ranges_of,
    shares,
    slowed,
    worked_ns,
)
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.messages import Message


def ranges(subject: Subject, edit: Edit) -> Changed:
    """Multiply the host's time inside ranges of a name; what they launch stays."""
    found = named_ranges(subject.rank, subject.model, subject.codes(), ("operator", "python", "annotation"))
    if len(found.start) == 0:
        raise subject.nothing("change-no-such-range")
    inside = shares(subject.model, found)
    return Changed(slowed(edit, inside, subject.factor), _affected(subject.model, edit, inside, len(found.start)))


def python_file(subject: Subject, edit: Edit) -> Changed:
    """Take away the time of a file's own Python code, but neither the operators nor the calls that it makes."""
    of_file = rf"(?:^|[/\\]){re.escape(subject.name)}\(\d+\): "
    codes = subject.rank.trace.codes(lambda text: text.str.contains(of_file))
    found = named_ranges(subject.rank, subject.model, codes, ("python",))
    if len(found.start) == 0:
        raise subject.nothing("change-no-such-frame", "change-name-file")
    inside = shares(subject.model, found)
    for table in ("operator", "runtime"):
        others = shares(subject.model, ranges_of(subject.rank, subject.model, table))
        inside = tuple(np.minimum(mine, 1 - other) for mine, other in zip(inside, others, strict=True))
    return Changed(slowed(edit, inside, 0.0), _affected(subject.model, edit, inside, len(found.start)))


def _affected(model: StepModel, edit: Edit, inside: tuple[Floats, ...], count: int) -> Message:
    host_ns = host_ns_per_step(model, edit, inside)
    return Message("change-affects-host", host_ns=host_ns, ranges=count_per_step(model, count))


def host_ns_per_step(model: StepModel, edit: Edit, inside: tuple[Floats, ...]) -> int:
    """Work of the host in some shares of its intervals, a step."""
    return ns_per_step(model, worked_ns(model, edit, inside))
