"""What may be changed before the steps are timed again.

A change is a word and, for some, what it is about and a factor: ``op:aten::addmm x0.5``, ``kernel:/flash/ x0.3``,
``no-sync``. Each is a function from an edit to an edit, so several apply one after another and are timed together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stepscope.analyses.retiming.changes import gpu_work, host_work, launching, waiting
from stepscope.analyses.retiming.changes.subject import Changed, Subject
from stepscope.analyses.retiming.model import Edit, StepModel
from stepscope.errors import BadRequest
from stepscope.store.profile import Profile, Rank


@dataclass(frozen=True)
class Kind:
    """A kind of change.

    Attributes:
        apply: makes the change.
        of: what follows the colon, "" for nothing.
        factor: whether an ``x`` and a number follow.
        description: what it stands for.
    """

    apply: Callable[[Subject, Edit], Changed]
    of: str
    factor: bool
    description: str


KINDS = {
    "op": Kind(gpu_work.operators, "NAME", True, "host and GPU time of an operator, all that it calls included"),
    "kernel": Kind(gpu_work.kernels, "NAME", True, "time of kernels, copies and fills by name"),
    "host": Kind(host_work.ranges, "NAME", True, "host time inside operators, Python frames or ranges by name"),
    "no-python": Kind(host_work.python_file, "FILE", False, "host time of a file's own Python code is gone"),
    "no-sync": Kind(waiting.synchronisation, "", False, "no call waits for the GPU any more"),
    "no-data-wait": Kind(waiting.data_loading, "", False, "the next batch is always ready"),
    "overlap-communication": Kind(
        gpu_work.communication, "", False, "communication runs beside everything else; at best"
    ),
    "tensor-cores": Kind(gpu_work.tensor_cores, "", False, "products of matrices run on tensor cores"),
    "cuda-graph": Kind(launching.cuda_graph, "", False, "each step's launches are one, of a CUDA graph"),
    "gpu": Kind(gpu_work.other_gpu, "DEVICE", False, "another GPU, by the peaks of both"),
}
"""By the word that a change begins with."""

_CHANGE = re.compile(r"(?P<word>[a-z-]+)(?::(?P<name>.+?))?(?:\s+x\s*(?P<factor>\d+(?:\.\d*)?|\.\d+))?\s*")


@dataclass(frozen=True)
class Change:
    """A change as it was asked for, understood.

    Attributes:
        text: as it was written.
        kind: which kind it is.
        name: what it is about, "" for everything.
        factor: by what times are multiplied.
    """

    text: str
    kind: Kind
    name: str
    factor: float


def parse_change(text: str) -> Change:
    """A change from its text.

    Raises:
        BadRequest: it is none.
    """
    match = _CHANGE.fullmatch(text.strip())
    kind = KINDS.get(match["word"]) if match else None
    if match is None or kind is None:
        raise BadRequest(f"cannot change {text!r}", "there is no such change", f"Changes: {', '.join(usage())}.")
    complete = bool(match["name"]) == bool(kind.of) and (match["factor"] is not None) == kind.factor
    if not complete:
        asked = next(one for one in usage() if re.split(r"[: ]", one)[0] == match["word"])
        raise BadRequest(f"cannot change {text!r}", "it is not complete, or has too much", f"Write it as {asked}.")
    return Change(text.strip(), kind, match["name"] or "", float(match["factor"] or 1))


def usage() -> list[str]:
    """How each kind of change is written."""
    return [
        word + (f":{kind.of}" if kind.of else "") + (" xFACTOR" if kind.factor else "") for word, kind in KINDS.items()
    ]


def apply_changes(
    profile: Profile, rank: Rank, model: StepModel, changes: Sequence[Change], edit: Edit
) -> tuple[Edit, list[str]]:
    """An edit with changes made one after another, and what each touched, in words."""
    touched = []
    for change in changes:
        subject = Subject(profile, rank, model, change.text, change.name, change.factor)
        made = change.kind.apply(subject, edit)
        edit = made.edit
        touched.append(made.touched)
    return edit, touched
