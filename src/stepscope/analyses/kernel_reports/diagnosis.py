"""What limits a profiled kernel: a cause, else its busiest unit, else what its warps wait for."""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.analyses.kernel_reports import causes
from stepscope.analyses.kernel_reports.figures import (
    ACTIVE_CYCLES,
    BUSY_PCT,
    COMPUTE,
    ELAPSED_CYCLES,
    MEMORY,
    PIPES,
    UNITS,
    Kernel,
)
from stepscope.analyses.kernel_reports.kernel_stalls import LATENCY, dashed, stalls
from stepscope.analyses.kernel_reports.kernel_stalls import METRICS as STALLS
from stepscope.analyses.kernel_reports.reports import Values
from stepscope.messages import Message

METRICS = (*causes.METRICS, *UNITS.values(), COMPUTE, MEMORY, ACTIVE_CYCLES, ELAPSED_CYCLES, LATENCY, *STALLS)
"""What it is told from."""

_NO_WAIT = ("selected", "not_selected")


@dataclass(frozen=True)
class Diagnosis:
    """What limits a kernel.

    Attributes:
        id: a cause of `causes`, a unit (dram, l2, l1, compute), ``latency``, or ``unknown``.
        bound_pct: most of its time that removing the cause would save; None of what is no cause.
        says, advice: what was seen, and what to do.
    """

    id: str
    bound_pct: float | None
    says: Message
    advice: Message


def diagnosed(values: Values, is_range: bool = False) -> list[Diagnosis]:
    """What limits a kernel or a range of them, first what costs most; never empty."""
    kernel = Kernel(values)
    found = [Diagnosis(one.id, one.bound_pct, one.says, _advice(one.id)) for one in causes.causes(kernel)]
    return found or [_limit(kernel, is_range)]


def _advice(cause: str) -> Message:
    return Message(f"kernel-cause-{dashed(cause)}-advice")


def _limit(kernel: Kernel, is_range: bool) -> Diagnosis:
    """What limits a kernel without a cause."""
    busiest = kernel.busiest_pct
    if busiest is None:
        return _made("unknown", Message("kernel-limit-unknown"))
    if busiest < BUSY_PCT:
        return _gaps(kernel, busiest) if is_range else _latency(kernel, busiest)
    if kernel.of(MEMORY) >= kernel.of(COMPUTE):
        # The throughput of memory is that of its busiest part; L2 as a whole also counts what serves other units.
        known = {unit: abs(kernel.of(metric) - busiest) for unit, metric in UNITS.items()}
        unit = min(known, key=lambda one: known[one])
        return _made(unit, Message("kernel-limit-memory", unit=unit, busy_pct=busiest))
    pipes = {name: kernel.of(metric) for metric, name in PIPES.items()}
    pipe = max(pipes, key=lambda one: pipes[one])
    known_pipe = pipe if pipes[pipe] > 0 else "unknown"
    return _made("compute", Message("kernel-limit-compute", busy_pct=busiest, pipe=known_pipe, pipe_pct=pipes[pipe]))


def _gaps(kernel: Kernel, busiest_pct: float) -> Diagnosis:
    """No unit is busy in a range: its kernels, or the time between them."""
    active, elapsed = kernel(ACTIVE_CYCLES), kernel(ELAPSED_CYCLES)
    active_pct = 100 * active / elapsed if active is not None and elapsed else None
    says = Message("kernel-limit-range", busy_pct=busiest_pct, active_pct=active_pct)
    return Diagnosis("latency", None, says, Message("kernel-limit-range-advice"))


def _latency(kernel: Kernel, busiest_pct: float) -> Diagnosis:
    """No unit is busy: what the warps wait for most."""
    waits = [one for one in stalls(kernel.values) if one["reason"] not in _NO_WAIT and one["share_pct"] is not None]
    if not waits:
        return _made("latency", Message("kernel-limit-latency-unknown", busy_pct=busiest_pct))
    first = waits[0]
    says = Message(
        "kernel-limit-latency",
        busy_pct=busiest_pct,
        reason=first["reason"],
        share_pct=first["share_pct"],
        means=Message.decoded(first["means"]),
    )
    return Diagnosis("latency", None, says, Message.decoded(first["advice"]))


def _made(limit: str, says: Message) -> Diagnosis:
    return Diagnosis(limit, None, says, Message(f"kernel-limit-{limit}-advice"))
