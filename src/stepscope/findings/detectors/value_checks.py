"""Checks for NaN and infinity that run in every step: of autograd's anomaly detection, and the program's own."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed
from stepscope.analyses.simulation.lead_ups import lead_ups
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause, inside, outermost
from stepscope.findings.detectors.anomaly_stacks import kept_stacks
from stepscope.messages import Message
from stepscope.store.autograd import EVALUATE

_CHECKS = r"^aten::(?:isnan|isinf|isfinite|isposinf|isneginf)$"
_ASKS = r"^aten::(?:any|all|_is_any_true|_is_all_true|is_nonzero)$"
_READS = r"^aten::item$"
"""Of the answer; elsewhere they read values that the program wants."""

_BACKWARD = f"^{EVALUATE}"
_LEAST = 8
"""Checks a step; one of the loss is wise."""

_USUAL = 1
"""The effort of the best estimate."""

_MARGIN = {"anomaly-detection": 14.0, "value-checks": 10.0}
"""Points: anomaly detection slows the forward operators down from inside, too; hooks go with what they check."""

_TEXTS = {
    "anomaly-detection": (
        "torch.autograd.set_detect_anomaly(False)  # was: True",
        "https://docs.pytorch.org/docs/stable/autograd.html",
    ),
    "value-checks": (
        "if step % 100 == 0: check(model)  # was: in every step, in a hook of each module",
        "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
    ),
}
"""Change and page of each kind."""


def detect(case: Case) -> list[Cause]:
    """A cause for anomaly detection, else one for the program's own checks."""
    checks = case.named(_CHECKS, "operator")
    backward = outermost(case.named(_BACKWARD, "operator"))
    automatic = inside(backward, checks.thread, checks.start)
    asks = case.named(_ASKS, "operator")
    if case.a_step(float(automatic.sum())) >= _LEAST:
        asked = asks.and_those(case.named(_READS, "operator"))
        asked = asked.chosen(inside(backward, asked.thread, asked.start))
        stacks = [kept_stacks(case, effort) for effort in range(3)]
        return [_cause(case, "anomaly-detection", checks.chosen(automatic), asked, stacks)]
    if case.a_step(float(len(checks.start))) < _LEAST:
        return []
    return [_cause(case, "value-checks", checks, asks, [NOWHERE] * 3)]


def _cause(case: Case, kind: str, checks: Ranges, asks: Ranges, stacks: Sequence[Ranges]) -> Cause:
    asked = outermost(checks.and_those(asks))
    ranges = outermost(asked.and_those(stacks[_USUAL]))
    gone = launched_inside(case.rank, case.model, ranges)
    leading = asked.and_those(lead_ups(case.rank, case.model, gone))
    spent, count = case.host_ns(ranges), case.a_step(float(len(checks.start)))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, leading.and_those(stacks[effort])), 0.0)
        return case.removed(edit, ranges, gone)

    change, link = _TEXTS[kind]
    title, advice = (Message(f"finding-{kind}-{part}", checks=round(count)) for part in ("title", "advice"))
    return Cause(
        id=kind,
        category="python",
        title=title,
        fix=fix,
        claims=ranges,
        spent_ns=spent,
        advice=advice,
        change=change,
        links=(link,),
        unsure=kind == "anomaly-detection",
        margin=_MARGIN[kind],
        where=case.where(ranges),
        count=count,
    )
