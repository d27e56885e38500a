"""What a step trace says of which nothing but its points was recorded."""

from __future__ import annotations

from stepscope.analyses.steps.step_trace import average_steps, rank_step_trace
from stepscope.findings.verdict_facts import MEAN, StepLength
from stepscope.messages import Message
from stepscope.store.profile import Rank

_LATE_PCT = 5.0
"""A greater share of the step before the model computes says that steps wait for their data."""


def divided_steps(rank: Rank) -> tuple[StepLength, tuple[Message, ...]]:
    """The mean step, and the verdict in sentences."""
    steps = rank_step_trace(rank)
    row = average_steps(steps).row(0, named=True)
    total = row["total_ns"]
    parts = {name: row[name] for name in ("interval_ns", "forward_backward_ns", "tail_ns")}
    steady = int(steps["steady"].sum())
    said = [
        Message(
            "verdict-step-points",
            step_ns=total,
            steps=steady or len(steps),
            without_first=0 < steady < len(steps),
            **parts,
        )
    ]
    share = 100.0 * row["interval_ns"] / max(1, total)
    if share > _LATE_PCT:
        said.insert(0, Message("verdict-step-interval", interval_ns=row["interval_ns"], share_pct=share))
    return StepLength(total, steady or len(steps), MEAN), tuple(said)
