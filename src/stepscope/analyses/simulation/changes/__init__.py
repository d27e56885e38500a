"""What may be changed before the steps are timed again.

A change is a word and, for some, what it is about and a factor: ``op:aten::addmm x0.5``, ``kernel:/flash/ x0.3``,
``no-sync``. Each is a function from an edit to an edit, so several apply one after another and are timed together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stepscope.analyses.simulation.changes import gpu_work, host_work, launching, waiting
from stepscope.analyses.simulation.changes.subject import Changed, Subject
from stepscope.analyses.simulation.model import Edit, StepModel
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
        unknown: what no recording can tell about it; "" for nothing.
    """

    apply: Callable[[Subject, Edit], Changed]
    of: str
    factor: bool
    description: str
    unknown: str = ""


KINDS = {
    "op": Kind(
        gpu_work.operators,
        "NAME",
        True,
        "host and GPU time of an operator, all that it calls included",
        "whether the operator can be made so fast",
    ),
    "kernel": Kind(
        gpu_work.kernels,
        "NAME",
        True,
        "time of kernels, copies and fills by name",
        "whether the kernels can be made so fast",
    ),
    "host": Kind(
        host_work.ranges,
        "NAME",
        True,
        "host time inside operators, Python frames or ranges by name",
        "whether the host can be made so fast",
    ),
    "no-python": Kind(
        host_work.python_file,
        "FILE",
        False,
        "host time of a file's own Python code is gone",
        "whether the step can do without this code",
    ),
    "no-sync": Kind(
        waiting.synchronisation,
        "",
        False,
        "no call waits for the GPU any more",
        "whether the program can do without the values that it waits for",
    ),
    "no-data-wait": Kind(
        waiting.data_loading,
        "",
        False,
        "the next batch is always ready",
        "whether enough workers can keep up: batches are made outside the recording",
    ),
    "overlap-communication": Kind(
        gpu_work.communication,
        "",
        False,
        "communication runs beside everything else; at best",
        "how much kernels and communication slow one another down when they run together",
    ),
    "tensor-cores": Kind(
        gpu_work.tensor_cores,
        "",
        False,
        "products of matrices run on tensor cores",
        "whether the accuracy of TF32 or bfloat16 is enough for this model",
    ),
    "cuda-graph": Kind(
        launching.cuda_graph,
        "",
        False,
        "each step's launches are one, of a CUDA graph",
        "whether a graph is possible: fixed shapes, no synchronisation, no branches on values",
    ),
    "gpu": Kind(
        gpu_work.other_gpu,
        "DEVICE",
        False,
        "another GPU, by the peaks of both",
        "how near to its peaks the other GPU's kernels come, and how fast its host is",
    ),
}
"""By the word that a change begins with."""

MOST_TIMES = 1000.0
"""The largest factor: times beyond it are no steps any more."""

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
        asked = asked.replace("FACTOR", "0.5")
        raise BadRequest(
            f"cannot change {text!r}",
            "it is not complete, or has too much",
            f"Write it as {asked}.",
        )
    factor = float(match["factor"] or 1)
    if factor > MOST_TIMES:
        raise BadRequest(f"cannot change {text!r}", f"its factor is above {MOST_TIMES:,.0f}", "Take a smaller one.")
    return Change(text.strip(), kind, match["name"] or "", factor)


def usage() -> list[str]:
    """How each kind of change is written."""
    return [written(word) for word in KINDS]


def written(word: str) -> str:
    """How the kind of change that begins with a word is written."""
    kind = KINDS[word]
    return word + (f":{kind.of}" if kind.of else "") + (" xFACTOR" if kind.factor else "")


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
