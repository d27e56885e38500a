"""Which side holds the step back, in one sentence, from what was recorded.

On the GPU's clock a step runs from the end of the previous step's last activity to the end of its own
(`period_ns`). Inside it the GPU is busy or idle; where it idles, the host's own partition says what the host did.
The profiler slows the host down, the GPU hardly: a step that waits for the host is recorded too long, and a host that
seems to hold back the GPU may not do so without it. Where the steps can be timed again without the profiler
(`analyses.step_time`), that says how long a step takes and which side binds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.retiming.binding import DATA_LOADING, HOST
from stepscope.analyses.step_time import rank_step_time
from stepscope.analyses.steps import gpu_windows, rank_steps
from stepscope.analyses.unions import rank_unions
from stepscope.analyses.waiting.gap_causes import LATENCY_NS, gap_parts
from stepscope.analyses.waiting.gap_parts import DEPENDENCY, UNKNOWN
from stepscope.analyses.waiting.gaps import find_gaps
from stepscope.findings.scaling import percent_text, time_text
from stepscope.numeric.intervals import Union, covered_within, length, merge
from stepscope.store.profile import Profile, Rank
from stepscope.store.stepping import WHOLE

GPU_BOUND_PCT = 90.0
"""From this share of busy GPU time on the GPU fills the step."""

BACKLOG_SHARE = 0.25
"""A GPU that ends this share of a step after the host has work waiting: gaps in it are the GPU's own."""

TENSOR_CORE_POINTS = 30.0
"""So much more kernel time that could run on tensor cores than does is worth a sentence."""

STRAGGLER_TIMES, STRAGGLER_POINTS, STRAGGLER_EXPOSED_PCT = 2.0, 10.0, 30.0
"""A rank that computes this many times what the others do, and by so many points more of its step, while they
communicate for this share, may hold them up."""

_HOST_PARTS = {
    "runtime_ns": "in CUDA or HIP calls",
    "data_loading_ns": "waiting for the data loader",
    "cpu_ns": "in operators",
    "other_ns": "in Python, other libraries or waiting, outside any operator",
}


_ONCE_SLOWED = "In the recording it waits for the host, but only because the profiler slows the host down."
_HOST_SIDES = (HOST, DATA_LOADING)

_NO_HOST = "No host events were recorded: which side holds it back cannot be told."
_HOST_TABLES = ("operator", "runtime", "python", "annotation")


@dataclass(frozen=True)
class Verdict:
    """What the recording says about one rank.

    Attributes:
        rank: its number.
        bound: ``gpu``, ``communication``, ``data loading``, ``host`` or ``unknown``.
        step_ns: median step time, or None without a whole step; on the GPU's clock where that is known.
        steps: steps it was taken over.
        gpu_busy_pct: share of the step in which the GPU works, or None without GPU activity.
        sentences: the verdict in words, most important first.
        compute_pct: share of the step in which kernels compute, or None without GPU activity.
        exposed_pct: share of it that is communication no computing covers, or None without GPU activity.
        unprofiled_ns: low end, best figure and high end of the step time without the profiler, or None if unknown.
    """

    rank: int
    bound: str
    step_ns: int | None
    steps: int
    gpu_busy_pct: float | None
    sentences: tuple[str, ...]
    compute_pct: float | None = None
    exposed_pct: float | None = None
    unprofiled_ns: tuple[int, int, int] | None = None


def verdict(rank: Rank, used: Mapping[str, Any] | None = None) -> Verdict:
    """The verdict on one rank.

    Args:
        used: its row of the table ``utilization``, where the verdict is to speak of tensor cores.
    """
    table = rank_steps(rank)
    whole = table.filter(~pl.col("cut"))
    whole = whole if len(whole) else table
    if len(rank.activity) == 0:
        return _host_only(rank, whole)
    facts = _gpu_facts(rank, whole)
    unit = "trace" if rank.all_steps.source == WHOLE else "step"
    if facts.step_ns <= 0:
        found = f"The recorded {unit} has no length: shares of it cannot be given."
        return Verdict(rank.number, "unknown", facts.step_ns, facts.steps, None, (found,))
    again = rank_step_time(rank) if _host_recorded(rank) else None
    if facts.busy_pct >= GPU_BOUND_PCT or facts.backlog:
        bound, sentences = _gpu_bound(facts)
        if bound == "gpu" and used is not None:
            sentences[1:1] = _tensor_cores(used)
    elif not _host_recorded(rank):
        bound, sentences = "unknown", [_NO_HOST]
    else:
        bound, sentences = _waiting(rank, facts, unit, _host_shares(whole))
        if bound in ("host", "data loading") and again and again["bound"] not in _HOST_SIDES:
            bound, sentences = _gpu_bound(facts)
    told = (_opening(unit, facts, again), *sentences)
    shares = (facts.compute_pct, facts.exposed_pct)
    return Verdict(rank.number, bound, facts.step_ns, facts.steps, facts.busy_pct, told, *shares, _range(again))


def verdicts_of(profile: Profile, utilization: pl.DataFrame) -> tuple[Verdict, ...]:
    """The verdict on each rank of a profile, given its table ``utilization``."""
    used = {row["rank"]: row for row in utilization.iter_rows(named=True)}
    return tuple(verdict(rank, used.get(rank.number)) for rank in profile.ranks)


@dataclass(frozen=True)
class _GpuFacts:
    """Step time on the GPU's clock, steps it was taken over, and shares of it in per cent."""

    step_ns: int
    steps: int
    busy_pct: float
    compute_pct: float
    exposed_pct: float
    copies_pct: float
    backlog: bool


def _gpu_facts(rank: Rank, whole: pl.DataFrame) -> _GpuFacts:
    windows = gpu_windows(whole)
    step_ns = int(np.median(windows[1] - windows[0]))
    compute, communication, memory = rank_unions(rank)
    kernels = merge(compute, communication)
    busy, worked, computed = (_share(of, windows) for of in (merge(kernels, memory), kernels, compute))
    backlog = bool((whole["lag_ns"].fill_null(0) > BACKLOG_SHARE * step_ns).all())
    return _GpuFacts(step_ns, len(windows[0]), busy, computed, worked - computed, busy - worked, backlog)


def _host_recorded(rank: Rank) -> bool:
    """Whether anything tells what the host did; the GPU's copies of annotations do not."""
    gpu = rank.trace.codes(lambda text: text == "gpu_user_annotation").implode()
    frames = (rank.trace.frame(table, ["category"]) for table in _HOST_TABLES)
    return any((~frame["category"].is_in(gpu).fill_null(False)).any() for frame in frames)


def _waiting(rank: Rank, facts: _GpuFacts, unit: str, parts: dict[str, float]) -> tuple[str, list[str]]:
    """The GPU waits: for the loader, for communication, for the host, or for what is not recorded."""
    idle_pct = 100 - facts.busy_pct
    loading = parts["data_loading_ns"]
    bound = "host"
    if loading >= 0.5 * idle_pct and loading >= 10:
        bound = "data loading"
    elif facts.exposed_pct > idle_pct:
        bound = "communication"
    idle = [f"{share:.0f} % {_HOST_PARTS[name]}" for name, share in _largest(parts) if share >= 1]
    worked = 100 - sum(parts.values())
    host = f"Of the host's {unit} the GPU works {worked:.0f} %; while it idles, the host is {_listed(idle)}."
    queued = _queued(rank) if bound == "host" else None
    bound = "unknown" if queued else bound
    sentences = [queued or _holds(bound, unit), host]
    if facts.exposed_pct >= 5:
        sentences.append(f"{facts.exposed_pct:.0f} % of the {unit} is communication that no computing covers.")
    return bound, sentences


def _queued(rank: Rank) -> str | None:
    """What keeps a GPU idle to which work had been given: not the host. None where most work came late."""
    gaps = find_gaps(rank)
    total = int((gaps["end_ns"] - gaps["start_ns"]).sum())
    early = gaps.filter(pl.col("queued") | (pl.col("call_end_ns") < pl.col("start_ns") - LATENCY_NS))
    share = 100.0 * int((early["end_ns"] - early["start_ns"]).sum()) / max(1, total)
    causes = gap_parts(rank).group_by("cause").agg(pl.col("part_ns").sum()).sort("part_ns", "cause")
    largest, amount = causes.row(-1) if len(causes) else (None, 0)
    if largest == DEPENDENCY:
        waits = f"{100.0 * amount / max(1, total):.0f} % of its idle time it waits for work on other streams"
        return f"The GPU idles although work was queued: {waits}, not for the host."
    if share > 50:
        before = f"{share:.0f} % of its idle time lies before activities whose launch had returned long before"
        return f"The GPU idles although work was queued: {before}. The recording does not say why."
    if largest == UNKNOWN:
        lost = f"{100.0 * amount / max(1, total):.0f} % of the GPU's idle time has no cause in it"
        return f"The recording does not say what holds it back: {lost}."
    return None


def _range(again: Mapping[str, Any] | None) -> tuple[int, int, int] | None:
    """Step time without the profiler from a row of the table ``step_time``."""
    if again is None:
        return None
    return again["unprofiled_low_ns"], again["unprofiled_ns"], again["unprofiled_high_ns"]


def _without_profiler(again: Mapping[str, Any] | None) -> str:
    """The step time without the profiler, or nothing."""
    found = _range(again)
    if found is None:
        return ""
    low, best, high = (time_text(one) for one in found)
    return f"without the profiler about {best} ({low} to {high})"


def _opening(unit: str, facts: _GpuFacts, again: Mapping[str, Any] | None) -> str:
    without = _without_profiler(again)
    time = f"{_step_time(unit, facts.step_ns, facts.steps)}{', ' if without else ''}{without}"
    return f"{time}; {'in the recording ' if without else ''}the GPU works {percent_text(facts.busy_pct)} of it."


def _step_time(unit: str, step_ns: int, count: int) -> str:
    what = "the trace" if unit == "trace" else "a step"
    over = f" (median of {count:,})" if count > 1 else ""
    return f"As recorded, {what} takes {time_text(step_ns)}{over}"


def _holds(bound: str, unit: str) -> str:
    return {
        "data loading": f"Data loading holds the recorded {unit} back: the GPU waits while the loader works.",
        "host": f"The host holds the recorded {unit} back: the GPU waits for work to be launched.",
        "communication": f"Communication holds the recorded {unit} back.",
    }[bound]


def _gpu_bound(facts: _GpuFacts) -> tuple[str, list[str]]:
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


def _tensor_cores(used: Mapping[str, Any]) -> list[str]:
    """Whether much kernel time could run on tensor cores and does not."""
    could, does = used.get("tensor_core_eligible_pct"), used.get("tensor_core_pct")
    if could is None or does is None or could - does <= TENSOR_CORE_POINTS:
        return []
    shares = f"{could:.0f} % of the kernel time could run on tensor cores but {does:.0f} % does"
    return [f"{shares}: TF32 is off or autocast is missing (float32 matmul precision)."]


def across_ranks(verdicts: Sequence[Verdict]) -> str | None:
    """Which rank the others may be waiting for: it computes much more, and they mostly communicate."""
    known = [one for one in verdicts if one.compute_pct is not None and one.exposed_pct is not None]
    if len(known) < 2:
        return None
    most = max(known, key=lambda one: one.compute_pct or 0.0)
    others = [one for one in known if one is not most]
    computed = float(np.median([one.compute_pct for one in others if one.compute_pct is not None]))
    exposed = float(np.median([one.exposed_pct for one in others if one.exposed_pct is not None]))
    mine = most.compute_pct or 0.0
    more = mine > STRAGGLER_TIMES * computed and mine - computed >= STRAGGLER_POINTS
    if not more or exposed <= STRAGGLER_EXPOSED_PCT:
        return None
    theirs = f"the others {computed:.0f} % (median) and communicate uncovered {exposed:.0f} %"
    return f"The other ranks may be waiting for rank {most.rank}: it computes {mine:.0f} % of its step, {theirs}."


def _host_only(rank: Rank, table: pl.DataFrame) -> Verdict:
    nothing = "No GPU activity was recorded."
    if len(table) == 0:
        return Verdict(rank.number, "unknown", None, 0, None, (nothing,))
    step_ns = int(np.median(table["duration_ns"].to_numpy()))
    if step_ns <= 0:
        return Verdict(rank.number, "unknown", step_ns, len(table), None, (nothing,))
    parts = [f"{share:.0f} % {_HOST_PARTS[name]}" for name, share in _largest(_host_shares(table)) if share >= 1]
    unit = "trace" if rank.all_steps.source == WHOLE else "step"
    time = f"{_step_time(unit, step_ns, len(table))} on the host, which is {_listed(parts)}."
    again = rank_step_time(rank)
    without = _without_profiler(again)
    told = (nothing, time, *([f"{without[0].upper()}{without[1:]}."] if without else []))
    return Verdict(rank.number, "unknown", step_ns, len(table), None, told, unprofiled_ns=_range(again))


def _share(of: Union, windows: Union) -> float:
    return 100.0 * int(covered_within(of, *windows).sum()) / max(1, length(windows))


def _host_shares(table: pl.DataFrame) -> dict[str, float]:
    total = max(1, int(table["duration_ns"].sum()))
    return {name: 100.0 * int(table[name].sum()) / total for name in _HOST_PARTS}


def _largest(parts: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(parts.items(), key=lambda item: -item[1])


def _listed(parts: list[str]) -> str:
    """Parts joined as a sentence lists them."""
    if len(parts) < 2:
        return "".join(parts) or "idle"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
