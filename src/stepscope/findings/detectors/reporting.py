"""Values that are printed or logged while the step runs."""

from __future__ import annotations

from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, holding, inside, outermost
from stepscope.findings.detectors.frame_patterns import LOGS, PRINTS, SAVING
from stepscope.messages import Message

_LEFT = (0.5, 0.1, 0.0)
"""What is left when it is done every other step, every tenth, or nearly never, by effort."""

_TEXTS = {
    "tensor-printing": (
        Message("finding-tensor-printing-advice"),
        "if step % 100 == 0: print(loss.item())  # was: print(loss) in every step",
    ),
    "logging": (
        Message("finding-logging-advice"),
        "if step % 100 == 0: writer.add_scalar(name, loss.item(), step)  # was: in every step",
    ),
}
"""Advice and change of each kind."""


def detect(case: Case) -> list[Cause]:
    """A cause for what makes tensors into text, one for everything else; a checkpoint's output is its own."""
    saving, prints = outermost(case.named(SAVING, "python")), case.named(PRINTS, "python")
    frames = prints.and_those(case.named(LOGS, "python"))
    frames = frames.chosen(case.timed(frames.thread) & ~inside(saving, frames.thread, frames.start))
    frames = outermost(frames)
    printing = holding(frames, prints.thread, prints.start)
    kinds = (("tensor-printing", printing), ("logging", ~printing))
    return [_cause(case, kind, frames.chosen(which)) for kind, which in kinds if which.any()]


def _cause(case: Case, kind: str, frames: Ranges) -> Cause:
    spent = case.a_step(float((frames.end - frames.start).sum()))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, frames), _LEFT[effort])
        gone = launched_inside(case.rank, case.model, frames)
        return case.removed(edit, frames, gone)

    title = Message("finding-logging-title", spent_ns=round(spent))
    if kind == "tensor-printing":
        title = Message("finding-tensor-printing-title", spent_ns=round(spent))
    advice, change = _TEXTS[kind]
    return Cause(
        id=kind,
        category="python",
        title=title,
        fix=fix,
        claims=frames,
        spent_ns=spent,
        advice=advice,
        change=change,
        links=("https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",),
        unknown=Message("finding-logging-unknown"),
        where=case.where(frames),
        count=case.a_step(len(frames.start)),
    )
