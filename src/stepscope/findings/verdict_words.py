"""The sentences of the verdict. Each has a Chinese pattern in ``web/src/i18n/sentences.zh.ts``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stepscope.findings.verdict_facts import GpuFacts, StepLength
from stepscope.messages.quantities import percent_text, time_text

GPU_BOUND_PCT = 90.0
"""From this share of busy GPU time on the GPU fills the step."""

TENSOR_CORE_POINTS = 30.0
"""So much more kernel time that could run on tensor cores than does is worth a sentence."""

OWN_CLOCK_SHARE = 0.1
"""Steps whose length on the GPU's clock differs by more from the one told: shares are then not of the latter."""

NO_HOST = "No host events were recorded: which side holds it back cannot be told."
NO_GPU = "No GPU activity was recorded."

_ONCE_SLOWED = "In the recording it waits for the host, but only because the profiler slows the host down."

_HOST_PARTS = {
    "runtime_ns": "in CUDA or HIP calls",
    "data_loading_ns": "waiting for the data loader",
    "cpu_ns": "in operators",
    "other_ns": "in Python, other libraries or waiting, outside any operator",
}

Range = tuple[int, int, int]
"""Low end, best figure and high end of a time."""


def no_length(unit: str) -> str:
    """What is said of a step or trace that begins when it ends."""
    return f"The recorded {unit} has no length: shares of it cannot be given."


def opening(unit: str, facts: GpuFacts, unprofiled_ns: Range | None) -> str:
    """How long a step takes, as recorded and without the profiler, and how much of it the GPU works."""
    without = without_profiler(unprofiled_ns)
    time = f"{step_time(unit, facts.step)}{', ' if without else ''}{without}"
    busy = percent_text(facts.busy_pct)
    if facts.step.averaged == "mean" and abs(facts.gpu_ns - facts.step.ns) > OWN_CLOCK_SHARE * facts.step.ns:
        return f"{time}; on the GPU's own clock it takes {time_text(facts.gpu_ns)}, of which the GPU works {busy}."
    return f"{time}; {'in the recording ' if without else ''}the GPU works {busy} of it."


def without_profiler(unprofiled_ns: Range | None) -> str:
    """The step time without the profiler, or nothing."""
    if unprofiled_ns is None:
        return ""
    low, best, high = (time_text(one) for one in unprofiled_ns)
    return f"without the profiler about {best} ({low} to {high})"


def step_time(unit: str, step: StepLength) -> str:
    """How long a step takes as recorded, and which figure of how many steps that is."""
    what = "the trace" if unit == "trace" else "a step"
    beside = f"; median {time_text(step.median_ns)}" if step.median_ns is not None else ""
    over = f" ({step.averaged} of {step.steps:,}{beside})" if step.steps > 1 else ""
    return f"As recorded, {what} takes {time_text(step.ns)}{over}"


def host_only(unit: str, step: StepLength, shares: Mapping[str, float], unprofiled_ns: Range | None) -> tuple[str, ...]:
    """What is said of a rank without GPU activity."""
    time = f"{step_time(unit, step)} on the host, which is {_listed(shares)}."
    without = without_profiler(unprofiled_ns)
    return (NO_GPU, time, *([f"{without[0].upper()}{without[1:]}."] if without else []))


def waiting(unit: str, shares: Mapping[str, float]) -> str:
    """What the host does while the GPU waits for it."""
    worked = 100 - sum(shares.values())
    return f"Of the host's {unit} the GPU works {worked:.0f} %; while it idles, the host is {_listed(shares)}."


def holds(bound: str, unit: str) -> str:
    """What holds the recorded step back."""
    return {
        "data loading": f"Data loading holds the recorded {unit} back: the GPU waits while the loader works.",
        "host": f"The host holds the recorded {unit} back: the GPU waits for work to be launched.",
        "communication": f"Communication holds the recorded {unit} back.",
    }[bound]


def gpu_bound(facts: GpuFacts) -> tuple[str, list[str]]:
    """The GPU fills the step, or has work queued beyond it."""
    bound = "communication" if facts.exposed_pct >= 0.5 * facts.busy_pct else "gpu"
    if bound == "communication":
        sentences = [f"Communication fills it: {facts.exposed_pct:.0f} % is communication that no computing covers."]
    else:
        sentences = ["The GPU is the limit: less or faster GPU work makes the step shorter, host work does not."]
        if facts.exposed_pct >= 5:
            sentences.append(f"{facts.exposed_pct:.0f} % is communication that no computing covers.")
    if facts.copies_pct >= 5:
        sentences.append(f"{facts.copies_pct:.0f} % is copies and fills that nothing covers.")
    if facts.backlog:
        sentences.append(
            "The host runs ahead, so its own range is not the step's time: the GPU still has work when it ends."
        )
    if facts.busy_pct < GPU_BOUND_PCT and facts.backlog:
        sentences.append(
            f"The {100 - facts.busy_pct:.0f} % in which the GPU idles are gaps between activities already queued."
        )
    if facts.busy_pct < GPU_BOUND_PCT and not facts.backlog:
        sentences.append(_ONCE_SLOWED)
    return bound, sentences


def tensor_cores(used: Mapping[str, Any]) -> list[str]:
    """Whether much kernel time could run on tensor cores and does not."""
    could, does = used.get("tensor_core_eligible_pct"), used.get("tensor_core_pct")
    if could is None or does is None or could - does <= TENSOR_CORE_POINTS:
        return []
    shares = f"{could:.0f} % of the kernel time could run on tensor cores but {does:.0f} % does"
    return [f"{shares}: TF32 is off or autocast is missing (float32 matmul precision)."]


def _listed(shares: Mapping[str, float]) -> str:
    """The host's parts, largest first, as a sentence lists them."""
    largest = sorted(shares.items(), key=lambda item: -item[1])
    parts = [f"{share:.0f} % {_HOST_PARTS[name]}" for name, share in largest if share >= 1]
    if len(parts) < 2:
        return "".join(parts) or "idle"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
