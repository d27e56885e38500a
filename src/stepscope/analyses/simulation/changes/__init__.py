"""What may be changed before the steps are simulated.

A change is a word and, for some, what it is about and a factor: ``op:aten::addmm x0.5``, ``kernel:/flash/ x0.3``,
``no-sync``. Each is a function from an edit to an edit, so several apply one after another and are simulated together.
Of several ranks a change is made on all, or on the one that it names: ``no-sync on rank 2``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stepscope.analyses.simulation.changes import (
    finding,
    gpu_work,
    host_work,
    launching,
    profiled,
    straggling,
    waiting,
)
from stepscope.analyses.simulation.changes.subject import Changed, Fixes, Subject, cannot_change
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank


@dataclass(frozen=True)
class Kind:
    """A kind of change.

    Attributes:
        apply: makes the change.
        of: what follows the colon, "" for nothing.
        factor: whether an ``x`` and a number follow.
        description: what it stands for.
        unknown: what no recording shows about it.
        of_job: it changes for how long ranks wait for one another, and nothing in the steps of a rank.
    """

    apply: Callable[[Subject, Edit], Changed]
    of: str
    factor: bool
    description: Message
    unknown: Message
    of_job: bool = False


KINDS = {
    "op": Kind(
        gpu_work.operators,
        "NAME",
        True,
        Message("change-op-description"),
        Message("change-op-unknown"),
    ),
    "kernel": Kind(
        gpu_work.kernels,
        "NAME",
        True,
        Message("change-kernel-description"),
        Message("change-kernel-unknown"),
    ),
    "host": Kind(
        host_work.ranges,
        "NAME",
        True,
        Message("change-host-description"),
        Message("change-host-unknown"),
    ),
    "no-python": Kind(
        host_work.python_file,
        "FILE",
        False,
        Message("change-no-python-description"),
        Message("change-no-python-unknown"),
    ),
    "no-sync": Kind(
        waiting.synchronisation,
        "",
        False,
        Message("change-no-sync-description"),
        Message("change-no-sync-unknown"),
    ),
    "no-data-wait": Kind(
        waiting.data_loading,
        "",
        False,
        Message("change-no-data-wait-description"),
        Message("change-no-data-wait-unknown"),
    ),
    "overlap-communication": Kind(
        gpu_work.communication,
        "",
        False,
        Message("change-overlap-communication-description"),
        Message("change-overlap-communication-unknown"),
    ),
    "tensor-cores": Kind(
        gpu_work.tensor_cores,
        "",
        False,
        Message("change-tensor-cores-description"),
        Message("change-tensor-cores-unknown"),
    ),
    "cuda-graph": Kind(
        launching.cuda_graph,
        "",
        False,
        Message("change-cuda-graph-description"),
        Message("change-cuda-graph-unknown"),
    ),
    "fix": Kind(
        finding.fix,
        "ID",
        False,
        Message("change-fix-description"),
        Message("change-fix-unknown"),
    ),
    "kernel-report": Kind(
        profiled.kernel_report,
        "FUNCTION",
        False,
        Message("change-kernel-report-description"),
        Message("change-kernel-report-unknown"),
    ),
    "gpu": Kind(
        gpu_work.other_gpu,
        "DEVICE",
        False,
        Message("change-gpu-description"),
        Message("change-gpu-unknown"),
    ),
    straggling.WORD: Kind(
        straggling.straggler,
        "RANK",
        False,
        Message("change-no-straggler-description"),
        Message("change-no-straggler-unknown"),
        of_job=True,
    ),
}
"""By the word that a change begins with."""

MOST_TIMES = 1000.0
"""The largest factor: beyond it the times are meaningless."""

_CHANGE = re.compile(
    r"(?P<word>[a-z-]+)(?::(?P<name>.+?))?(?:\s+x\s*(?P<factor>\d+(?:\.\d*)?|\.\d+))?"
    r"(?:\s+on rank\s+(?P<rank>\d+))?\s*"
)


@dataclass(frozen=True)
class Change:
    """A change as it was asked for, understood.

    Attributes:
        text: as it was written.
        kind: which kind it is.
        name: what it is about, "" for everything.
        factor: by what times are multiplied.
        rank: the only rank that is changed, None for all.
    """

    text: str
    kind: Kind
    name: str
    factor: float
    rank: int | None = None

    def on(self, rank: int) -> bool:
        """Whether it changes the steps of a rank."""
        return not self.kind.of_job and self.rank in (None, rank)


def parse_change(text: str) -> Change:
    """A change from its text.

    Raises:
        BadRequest: it is not a valid change.
    """
    match = _CHANGE.fullmatch(text.strip())
    kind = KINDS.get(match["word"]) if match else None
    if match is None or kind is None:
        found, advice = Message("change-no-such-change"), Message("change-changes", changes=usage())
        raise BadRequest(cannot_change(text), found, advice)
    complete = bool(match["name"]) == bool(kind.of) and (match["factor"] is not None) == kind.factor
    complete = complete and not (kind.of_job and match["rank"])
    if not complete:
        asked = next(one for one in usage() if re.split(r"[: ]", one)[0] == match["word"])
        asked = asked.replace("FACTOR", "0.5")
        raise BadRequest(cannot_change(text), Message("change-incomplete"), Message("change-write-as", asked=asked))
    factor = float(match["factor"] or 1)
    if factor > MOST_TIMES:
        found = Message("change-factor-too-large", most=int(MOST_TIMES))
        raise BadRequest(cannot_change(text), found, Message("change-take-smaller"))
    rank = int(match["rank"]) if match["rank"] else None
    return Change(text.strip(), kind, match["name"] or "", factor, rank)


def usage() -> list[str]:
    """How each kind of change is written."""
    return [written(word) for word in KINDS]


def written(word: str) -> str:
    """How the kind of change that begins with a word is written."""
    kind = KINDS[word]
    return word + (f":{kind.of}" if kind.of else "") + (" xFACTOR" if kind.factor else "")


def apply_changes(
    profile: Profile, rank: Rank, model: StepModel, changes: Sequence[Change], edit: Edit, fixes: Fixes
) -> tuple[Edit, list[Message]]:
    """An edit with changes made one after another, and what each affects."""
    affected = []
    for change in changes:
        subject = Subject(profile, rank, model, change.text, change.name, change.factor, fixes)
        made = change.kind.apply(subject, edit)
        edit = made.edit
        affected.append(made.affected)
    return edit, affected
