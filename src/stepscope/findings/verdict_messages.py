"""What the verdict on a rank says, as messages of the catalogue ``verdict``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stepscope.analyses.host.initialization import Initialization
from stepscope.findings.verdict_facts import UNRECORDED, GpuFacts, StepLength
from stepscope.messages import Message

GPU_BOUND_PCT = 90.0
"""From this share of busy GPU time on a step is GPU-bound."""

TENSOR_CORE_POINTS = 30.0
"""So much more kernel time that could run on tensor cores than does is worth a sentence."""

MOSTLY_PCT = 85.0
"""What bounds so much of a step is all that is worth a word."""

OWN_CLOCK_SHARE = 0.1
"""Where a step on the GPU's clock differs by more from the step time, GPU busy refers to the former."""

_WORTH_PCT = 5.0
"""Smaller shares of a step are not worth a sentence."""

_SAME_SHARE = 0.005
"""Estimates of the step without profiler overhead that differ less from the recorded step are no second figure."""

_ALSO_PCT = 25
"""A share of the step that the headline does not leave out."""

_LEAD_SHARE = 0.1
"""Of a step, a time before the first work of the GPU that is worth a sentence."""

INITIALIZATION_PCT = 30.0
"""With so much of the time in calls that initialize, what was recorded is no step as the later ones are."""

_TF32_SINCE = 8.0
"""Compute capability; tensor cores of older GPUs take half precision only."""

_MOST_PCT = 50.0

COPIES_BOUND = "copies"
"""Bottleneck of a step that waits for the GPU's memcpys and memsets more than for its kernels."""

NO_HOST = Message("verdict-no-host")
SEVERAL_THREADS = Message("verdict-several-threads")
NO_GPU = Message("verdict-no-gpu")
FOREIGN = Message("verdict-foreign")
NOTHING_TIMED = Message("verdict-nothing-timed")

Range = tuple[int, int, int]
"""Low end, best figure and high end of a time."""


def no_length(unit: str) -> Message:
    """What is said of a step or trace that begins when it ends."""
    return Message("verdict-no-length", unit=unit)


def step_time(unit: str, step: StepLength, unprofiled_ns: Range | None, is_measured: bool = False) -> Message:
    """How long a step takes, as recorded and without profiler overhead, and which figure of how many steps that is.

    Args:
        is_measured: the time without profiler overhead is no estimate.
    """
    low, best, high = unprofiled_ns or (None, None, None)
    return Message(
        "verdict-step-time",
        unit=unit,
        step_ns=step.ns,
        steps=step.steps,
        averaged=step.averaged,
        median_ns=step.median_ns,
        without_profiler=unprofiled_ns is not None,
        is_measured=is_measured,
        is_same=best is not None and not is_measured and abs(best - step.ns) <= _SAME_SHARE * step.ns,
        unprofiled_ns=best,
        unprofiled_low_ns=low,
        unprofiled_high_ns=high,
    )


def gpu_clock(facts: GpuFacts, steps: int) -> list[Message]:
    """The step on the GPU's clock, where it differs much from the step time: GPU busy is a share of that."""
    if facts.step.averaged != "mean" or abs(facts.gpu_ns - facts.step.ns) <= OWN_CLOCK_SHARE * facts.step.ns:
        return []
    return [Message("verdict-gpu-clock" if steps > 1 else "verdict-gpu-clock-single", gpu_ns=facts.gpu_ns)]


def lead_in(facts: GpuFacts, unit: str) -> list[Message]:
    """How long a single step works before its GPU does: no gap between activities, and so no row of the table idle."""
    if facts.lead_ns < _LEAD_SHARE * facts.gpu_ns:
        return []
    return [Message("verdict-lead-in", unit=unit, lead_ns=facts.lead_ns)]


def host_only(
    unit: str,
    step: StepLength,
    shares: Mapping[str, float],
    unprofiled_ns: Range | None,
    is_measured: bool,
    launches: int,
    no_gpu: bool,
    cut: bool = False,
) -> list[Message]:
    """What is said of a rank without GPU activity.

    Args:
        launches: calls in which the host gave the GPU work.
        no_gpu: there was no GPU to record: that is not what to say first.
        cut: the file is cut off before what it may hold of the GPU.
    """
    parts = host_parts(shares)
    headline = Message("verdict-no-gpu-launched", launches=launches) if launches else NO_GPU
    if cut and not no_gpu:
        headline = Message("verdict-gpu-cut-off")
    if bound_without_gpu(shares, launches) != "unknown":
        headline = Message("verdict-no-gpu-input-bound", unit=unit, loading_pct=shares["data_loading_ns"])
    elif no_gpu and parts and UNRECORDED not in shares:
        headline = Message("verdict-cpu-only", unit=unit, part=parts[0])
    return [
        headline,
        step_time(unit, step, unprofiled_ns, is_measured),
        *([Message("verdict-cpu-time", parts=parts)] if parts else []),
    ]


def bound_without_gpu(shares: Mapping[str, float], launches: int) -> str:
    """What binds a step of the CPU alone: ``data loading``, which is no work of its own, or ``unknown``."""
    return "data loading" if not launches and shares["data_loading_ns"] > _MOST_PCT else "unknown"


def while_idle(unit: str, shares: Mapping[str, float]) -> Message:
    """What the CPU does while the GPU waits for it."""
    busy_pct = 100 - sum(shares.values())
    return Message("verdict-while-idle", unit=unit, busy_pct=busy_pct, parts=host_parts(shares))


def waiting(bound: str, unit: str, facts: GpuFacts, loading_pct: float, again: Mapping[str, Any]) -> Message:
    """The bottleneck of a step in which the GPU waits."""
    busy_pct = facts.busy_pct
    if bound == "host" and again["data_loading_pct"] >= _ALSO_PCT:
        return Message("verdict-host-and-input-bound", unit=unit, busy_pct=busy_pct)
    return {
        "data loading": Message("verdict-input-bound", unit=unit, busy_pct=busy_pct, loading_pct=loading_pct),
        "host": Message("verdict-host-bound", unit=unit, busy_pct=busy_pct),
    }[bound]


def two_bounds(unit: str, facts: GpuFacts, both: tuple[Message, ...]) -> list[Message]:
    """The headline of a step that two sides bound alike, where they do."""
    return [Message("verdict-two-bounds", unit=unit, busy_pct=facts.busy_pct, sides=list(both))] if both else []


def initializing(bound: str, unit: str, once: Initialization) -> Message:
    """That much of what was recorded is what CUDA does once; the headline where the step waits for the CPU."""
    name = "verdict-initialization-bound" if bound == "host" else "verdict-initialization"
    return Message(name, unit=unit, share_pct=once.share_pct, longest_ns=once.longest_ns)


def communication_bound(unit: str, facts: GpuFacts) -> Message:
    return Message("verdict-communication-bound", unit=unit, exposed_pct=facts.exposed_pct)


def exposed_communication(unit: str, facts: GpuFacts) -> list[Message]:
    """Communication that no compute covers, where it is worth a sentence."""
    if facts.exposed_pct < _WORTH_PCT:
        return []
    return [Message("verdict-exposed-communication", unit=unit, exposed_pct=facts.exposed_pct)]


def gpu_bound(
    bound: str, unit: str, facts: GpuFacts, again: Mapping[str, Any] | None, in_queued_gaps: bool
) -> list[Message]:
    """GPU work or communication is what the step waits for.

    Args:
        bound: ``gpu``, `COPIES_BOUND` or ``communication``.
        in_queued_gaps: most of the GPU's idle time lies before work that was queued.
    """
    if bound == "communication":
        said = [communication_bound(unit, facts)]
    elif bound == COPIES_BOUND:
        shares = {"busy_pct": facts.busy_pct, "exposed_pct": facts.copies_pct}
        said = [Message("verdict-copies-bound", unit=unit, **shares), *exposed_communication(unit, facts)]
    else:
        only = facts.busy_pct >= GPU_BOUND_PCT if again is None else _gpu_pct(again) >= MOSTLY_PCT
        name = "verdict-gpu-bound" if facts.busy_pct >= GPU_BOUND_PCT else "verdict-gpu-bound-unprofiled"
        said = [Message(name if only else "verdict-mostly-gpu-bound", unit=unit, busy_pct=facts.busy_pct)]
        said += exposed_communication(unit, facts)
    if facts.copies_pct >= _WORTH_PCT and bound != COPIES_BOUND:
        said.append(Message("verdict-exposed-memory", unit=unit, exposed_pct=facts.copies_pct))
    if facts.backlog:
        said.append(Message("verdict-cpu-ahead"))
    if facts.busy_pct < GPU_BOUND_PCT and in_queued_gaps:
        said.append(Message("verdict-gaps", unit=unit, idle_pct=100 - facts.busy_pct))
    elif not facts.backlog and facts.busy_pct < GPU_BOUND_PCT and again is not None and _gpu_pct(again) >= MOSTLY_PCT:
        said.append(Message("verdict-only-profiled"))
    return said


def _gpu_pct(again: Mapping[str, Any]) -> float:
    """How much of the steps GPU work of any kind bounds, without the profiler."""
    return float(again["compute_pct"] + again["copies_pct"] + again["communication_pct"])


def bound_by(unit: str, again: Mapping[str, Any], kineto: bool) -> list[Message]:
    """What bounds the step besides its bottleneck, where that is not nearly all.

    Args:
        kineto: whether the recorder's overhead is known and was taken away.
    """
    shares = {side: float(again[f"{side}_pct"]) for side in _SIDES}
    shares["unknown"] = max(0.0, 100 - sum(shares.values()))
    if max(shares.values()) >= MOSTLY_PCT:
        return []
    largest = sorted(shares.items(), key=lambda item: -item[1])
    parts = [_SIDES_SAID[side](share) for side, share in largest if share >= _WORTH_PCT]
    return [Message("verdict-bound-by" if kineto else "verdict-bound-by-recorded", unit=unit, parts=parts)]


def tensor_cores(used: Mapping[str, Any]) -> list[Message]:
    """Whether much kernel time could run on tensor cores and does not."""
    could, does = used.get("tensor_core_eligible_pct"), used.get("tensor_core_pct")
    if could is None or does is None or could - does <= TENSOR_CORE_POINTS:
        return []
    tf32 = float(used.get("compute_capability") or _TF32_SINCE) >= _TF32_SINCE
    return [Message("verdict-tensor-cores", eligible_pct=could, used_pct=does, tf32=tf32)]


def host_parts(shares: Mapping[str, float]) -> list[Message]:
    """The CPU's parts of a step, largest first."""
    largest = sorted(shares.items(), key=lambda item: -item[1])
    return [_HOST_PARTS[name](share) for name, share in largest if share >= 1]


_HOST_PARTS = {
    "runtime_ns": lambda share_pct: Message("verdict-part-runtime", share_pct=share_pct),
    "data_loading_ns": lambda share_pct: Message("verdict-part-loader", share_pct=share_pct),
    "cpu_ns": lambda share_pct: Message("verdict-part-operators", share_pct=share_pct),
    "other_ns": lambda share_pct: Message("verdict-part-other", share_pct=share_pct),
    UNRECORDED: lambda share_pct: Message("verdict-part-unrecorded", share_pct=share_pct),
}

_SIDES_SAID = {
    "host": lambda share_pct: Message("verdict-side-host", share_pct=share_pct),
    "data_loading": lambda share_pct: Message("verdict-side-loader", share_pct=share_pct),
    "compute": lambda share_pct: Message("verdict-side-compute", share_pct=share_pct),
    "communication": lambda share_pct: Message("verdict-side-communication", share_pct=share_pct),
    "copies": lambda share_pct: Message("verdict-side-copies", share_pct=share_pct),
    "unknown": lambda share_pct: Message("verdict-side-unknown", share_pct=share_pct),
}
_SIDES = ("host", "data_loading", "compute", "communication", "copies")
