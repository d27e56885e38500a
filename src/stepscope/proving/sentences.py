"""What a proof says, as messages of the catalogue ``proof``."""

from __future__ import annotations

from stepscope.messages import Message
from stepscope.proving.proof import ESTIMATED, Proof, Span


def sentences(found: Proof) -> list[Message]:
    """Promised and came in one sentence; then the steps, whether the finding is gone, and what the setups differ in."""
    promised, came = _ends(found.promised_pct), _ends(found.came_pct)
    first = Message(
        f"proof-{found.outcome}",
        finding=found.finding,
        promised=Message("proof-range", **promised),
        came=Message("proof-range", **came),
    )
    unknown = Message("diff-fact-unknown")
    setup = [Message(f"diff-fact-{one.what}", base=one.base or unknown, new=one.new or unknown) for one in found.setup]
    return [first, _steps(found), *_source(found), Message("proof-still" if found.still else "proof-is-gone"), *setup]


def _steps(found: Proof) -> Message:
    return Message(
        "proof-steps",
        before_ns=round(found.before.ns.best),
        after_ns=round(found.after.ns.best),
        work=None if found.work == 1 else f"{found.work:g}",
    )


def _source(found: Proof) -> list[Message]:
    sources = {found.before.source, found.after.source}
    if sources == {ESTIMATED}:
        return [Message("proof-both-estimated")]
    return [Message("proof-one-estimated")] if ESTIMATED in sources else [Message("proof-both-measured")]


def _ends(span: Span) -> dict[str, float]:
    return {"low_pct": span.low, "best_pct": span.best, "high_pct": span.high}
