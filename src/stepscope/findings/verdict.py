"""The bottleneck of a rank's steps, from what was recorded.

On the GPU's clock a step runs from the end of the previous step's last activity to the end of its own
(`period_ns`). Inside it the GPU is busy or idle; where it idles, the host's own partition says what the host did.
The profiler slows the host down, the GPU hardly: a step that waits for the host is recorded too long, and a host that
seems to starve the GPU may not do so without it. Where the steps can be simulated without the profiler
(`analyses.simulation.step_time`), that says how long a step takes and what its bottleneck is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.communication_log.samples import is_communication_log
from stepscope.analyses.compilation.logs import is_compile_log
from stepscope.analyses.critical_path.launching_threads import several_launch
from stepscope.analyses.critical_path.threads import HOST_TABLES
from stepscope.analyses.gpu.counter_samples import is_telemetry
from stepscope.analyses.hangs.records import is_flight_recorder
from stepscope.analyses.host.host_samples import is_host_samples
from stepscope.analyses.host.initialization import Initialization, initialization
from stepscope.analyses.idle.gap_causes import LATENCY_NS, gap_parts
from stepscope.analyses.idle.gap_parts import DEPENDENCY, UNKNOWN
from stepscope.analyses.idle.gaps import find_gaps
from stepscope.analyses.idle.unrecorded_work import UnrecordedWork, unrecorded_work
from stepscope.analyses.input_pipeline.recorded import is_input_pipeline, recorded_pipeline
from stepscope.analyses.kernel_reports.reports import is_kernel_report
from stepscope.analyses.memory.snapshot import is_snapshot
from stepscope.analyses.needs import is_kineto
from stepscope.analyses.recording.gpu_checks import captured, gpu_cut_off, has_no_gpu, launching_calls
from stepscope.analyses.recording.recorded import is_foreign
from stepscope.analyses.simulation.bottleneck_sides import SIDES
from stepscope.analyses.simulation.step_time import rank_step_time
from stepscope.analyses.steps.steps import lacks_whole_step, rank_steps, uncut
from stepscope.findings.compile_findings import own_compile_sentences
from stepscope.findings.detailed_ranks import few_ranks
from stepscope.findings.hang_verdict import own_hang_sentences
from stepscope.findings.incomplete import incomplete_sentences
from stepscope.findings.inspector_verdict import own_log_sentences
from stepscope.findings.kernel_findings import kernel_sentences
from stepscope.findings.path_lead import alike, differs, largest_side, path_sides, sides_of
from stepscope.findings.pipeline_findings import of_pipeline, pipeline_bound, pipeline_sentences
from stepscope.findings.recorded_steps import divided_steps
from stepscope.findings.samples_verdict import sample_sentences
from stepscope.findings.snapshot_verdict import snapshot_sentences, trouble_sentences
from stepscope.findings.sparing import VERDICT, spared
from stepscope.findings.telemetry_verdict import of_telemetry, telemetry_sentences
from stepscope.findings.verdict_facts import MEDIAN, GpuFacts, StepLength, gpu_facts, host_shares, step_length
from stepscope.findings.verdict_messages import (
    COPIES_BOUND,
    FOREIGN,
    GPU_BOUND_PCT,
    INITIALIZATION_PCT,
    NO_GPU,
    NO_HOST,
    NOTHING_TIMED,
    SEVERAL_THREADS,
    Range,
    bound_by,
    bound_without_gpu,
    exposed_communication,
    gpu_bound,
    gpu_clock,
    host_only,
    initializing,
    lead_in,
    no_length,
    step_time,
    tensor_cores,
    two_bounds,
    waiting,
    while_idle,
)
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import WHOLE


@dataclass(frozen=True)
class Verdict:
    """What the recording says about one rank.

    Attributes:
        rank: its number.
        bound: ``gpu``, ``copies``, ``communication``, ``data loading``, ``host`` or ``unknown``.
        step_ns: a step's time as recorded, or None without a whole step. Where the steps could be timed again it is
            their mean (``recorded_ns`` of the table ``step_time``), else a median, on the GPU's clock if that is known.
        steps: steps it was taken over.
        gpu_busy_pct: share of the step in which the GPU is busy, or None without GPU activity.
        sentences: what it says, most important first: the bottleneck, then the step time.
        compute_pct: share of the step in which kernels compute, or None without GPU activity.
        exposed_pct: share of it that is exposed communication, or None without GPU activity.
        unprofiled_ns: low end, best figure and high end of the step time without the profiler, or None if unknown.
        averaged: whether step_ns is a ``mean`` or a ``median``.
        median_ns: the median beside a mean of steps that differ much, else None.
        incomplete: what a file that was cut off lacks, to be said before anything else.
    """

    rank: int
    bound: str
    step_ns: int | None
    steps: int
    gpu_busy_pct: float | None
    sentences: tuple[Message, ...]
    compute_pct: float | None = None
    exposed_pct: float | None = None
    unprofiled_ns: Range | None = None
    averaged: str = MEDIAN
    median_ns: int | None = None
    incomplete: tuple[Message, ...] = ()


def verdict(rank: Rank, used: Mapping[str, Any] | None = None) -> Verdict:
    """The verdict on one rank.

    Args:
        used: its row of the table ``utilization``, where the verdict is to speak of tensor cores.
    """
    if is_snapshot(rank):
        return Verdict(rank.number, "unknown", None, len(rank.steps), None, snapshot_sentences(rank))
    if is_telemetry(rank):
        return Verdict(rank.number, "unknown", None, 0, None, telemetry_sentences(rank))
    if is_kernel_report(rank):
        return Verdict(rank.number, "unknown", None, 0, None, kernel_sentences(rank))
    if is_communication_log(rank):
        return Verdict(rank.number, "unknown", None, 0, None, own_log_sentences(rank))
    if is_host_samples(rank):
        return Verdict(rank.number, "unknown", None, 0, None, sample_sentences(rank))
    if is_compile_log(rank):
        return Verdict(rank.number, "unknown", None, 0, None, own_compile_sentences(rank))
    if is_flight_recorder(rank):
        return Verdict(rank.number, "unknown", None, 0, None, own_hang_sentences(rank))
    if is_input_pipeline(rank):
        return Verdict(rank.number, pipeline_bound(rank), None, 0, None, pipeline_sentences(rank))
    whole = uncut(rank_steps(rank))
    unit = "trace" if rank.all_steps.source == WHOLE else "step"
    into_graphs = captured(rank.whole)
    if into_graphs is not None:
        capture = Message("verdict-captured", captured=into_graphs[0], launches=into_graphs[1])
        return Verdict(rank.number, "unknown", None, len(whole), None, (capture,))
    if lacks_whole_step(rank):
        return Verdict(rank.number, "unknown", None, 0, None, (Message("verdict-no-whole-step"),))
    if len(rank.activity) == 0:
        return _host_only(rank, whole, unit)
    return _of_gpu(rank, whole, unit, used)


def _of_gpu(rank: Rank, whole: pl.DataFrame, unit: str, used: Mapping[str, Any] | None) -> Verdict:
    """The verdict where a GPU's work was recorded."""
    again = rank_step_time(rank) if _host_recorded(rank) else None
    facts = gpu_facts(rank, whole, again)
    if min(facts.step.ns, facts.gpu_ns) <= 0:
        return Verdict(rank.number, "unknown", 0, facts.step.steps, None, (no_length(unit),))
    bound, idle = _bound(rank, facts, again), _idle(rank, facts)
    if bound == "host" and (max(idle.queued_pct, idle.unknown_pct) > 50 or idle.unrecorded is not None):
        bound = "unknown"  # its launches had returned, or what it waits for is not recorded: the CPU cannot be blamed
    once = initialization(rank)
    cold = bound == "unknown" and again is not None and once.share_pct >= INITIALIZATION_PCT
    if cold:
        bound = "host"  # the calls that take so long are recorded, though not why the GPU begins within them
    if bound == "gpu" and _copies_lead(facts, again):
        bound = COPIES_BOUND
    if bound in ("gpu", COPIES_BOUND, "communication"):
        sentences = [*gpu_bound(bound, unit, facts, again, idle.queued_pct > 50), *lead_in(facts, unit)]
    elif again is None:
        sentences = [SEVERAL_THREADS if several_launch(rank.whole) else NO_HOST]
    else:
        sentences = _waiting(bound, facts, unit, idle, host_shares(rank, whole), again)
    sentences[:1] = _headlines(sentences[0], bound, unit, facts, again, once)
    if again is not None and bound != "unknown" and not cold:
        sentences[1:1] = bound_by(unit, again, is_kineto(rank))
        why = differs(rank, bound)
        sentences = [
            *(one for one in sentences if one.id != "verdict-only-profiled" or not (why or not is_kineto(rank))),
            *why,
        ]
    if bound == "gpu" and used is not None:
        sentences[1:1] = tensor_cores(used)
    headline, *rest = sentences
    said = (
        headline,
        step_time(unit, facts.step, _range(again), _is_measured(again)),
        *gpu_clock(facts, len(whole)),
        *rest,
    )
    shares = (facts.compute_pct, facts.exposed_pct)
    return _of_step(rank, bound, facts.step, said, again, (facts.busy_pct, *shares))


def _headlines(
    headline: Message,
    bound: str,
    unit: str,
    facts: GpuFacts,
    again: Mapping[str, Any] | None,
    once: Initialization,
) -> list[Message]:
    """The headline, or a truer one: where neither of two sides leads, or much of what was recorded occurs once."""
    said, cold = [headline], once.share_pct >= INITIALIZATION_PCT
    if again is not None and bound != "unknown" and facts.busy_pct < GPU_BOUND_PCT:
        shares = _simulated(again)
        shares["host"] = max(0.0, shares["host"] - (once.share_pct if cold else 0.0))
        said = two_bounds(unit, facts, alike(shares)) or said
    if not cold:
        return said
    return [initializing(bound, unit, once)] if bound == "host" else [*said, initializing(bound, unit, once)]


def _of_step(
    rank: Rank,
    bound: str,
    step: StepLength,
    said: tuple[Message, ...],
    again: Mapping[str, Any] | None,
    shares: tuple[float, float, float] | tuple[None, None, None],
) -> Verdict:
    busy_pct, compute_pct, exposed_pct = shares
    return Verdict(
        rank.number,
        bound,
        step.ns,
        step.steps,
        busy_pct,
        said,
        compute_pct,
        exposed_pct,
        _range(again),
        step.averaged,
        step.median_ns,
    )


def verdicts_of(profile: Profile, utilization: pl.DataFrame) -> tuple[Verdict, ...]:
    """The verdict on each rank of a profile, of many on a few (`few`), given its table ``utilization``."""
    used = {row["rank"]: row for row in utilization.iter_rows(named=True)}
    return tuple(_tried(rank, used.get(rank.number)) for rank in few_ranks(profile).ranks)


def _tried(rank: Rank, used: Mapping[str, Any] | None) -> Verdict:
    """The verdict, or one that says why there is none: the other ranks keep theirs."""

    def failed(error: str) -> Verdict:
        return Verdict(rank.number, "unknown", None, 0, None, (Message(VERDICT, type=error),))

    def made() -> Verdict:
        found, trouble = verdict(rank, used), () if is_snapshot(rank) else trouble_sentences(rank)
        said = (*found.sentences, *trouble, *of_pipeline(rank), *of_telemetry(rank))
        return replace(found, sentences=tuple(dict.fromkeys(said)), incomplete=incomplete_sentences(rank))

    return spared(made, failed)


_SAID = ("sentences", "incomplete")


def verdict_json(one: Verdict, said: Callable[[Message], dict[str, Any]]) -> dict[str, Any]:
    """A verdict as JSON values.

    Args:
        said: how its sentences are written.
    """
    values = {field.name: getattr(one, field.name) for field in fields(one)}
    return values | {name: [said(sentence) for sentence in values[name]] for name in _SAID}


def verdict_of_json(values: Mapping[str, Any]) -> Verdict:
    """A verdict from what `verdict_json` gave with sentences as `Message.json`.

    Raises:
        KeyError, TypeError: it was not.
    """
    return Verdict(**{**values, **{name: tuple(map(Message.of_json, values[name])) for name in _SAID}})


def _host_recorded(rank: Rank) -> bool:
    """Whether anything tells what the host did; the GPU's copies of annotations do not."""
    gpu = rank.trace.codes(lambda text: text == "gpu_user_annotation").implode()
    frames = (rank.trace.frame(table, ["category"]) for table in HOST_TABLES)
    return any((~frame["category"].is_in(gpu).fill_null(False)).any() for frame in frames)


def _bound(rank: Rank, facts: GpuFacts, again: Mapping[str, Any] | None) -> str:
    """What the steps wait for most, simulated without the profiler; a GPU that is busy all the time is waited for.

    How far the CPU runs ahead says nothing of that: a GPU with work queued idles when the loader is late for once.
    """
    if facts.busy_pct >= GPU_BOUND_PCT or again is None:
        talks = facts.exposed_pct >= 0.5 * facts.busy_pct
        return "unknown" if facts.busy_pct < GPU_BOUND_PCT else "communication" if talks else "gpu"
    shares = _simulated(again)
    largest = largest_side(shares, path_sides(rank))
    return largest if shares[largest] >= 100 - sum(shares.values()) else "unknown"


def _copies_lead(facts: GpuFacts, again: Mapping[str, Any] | None) -> bool:
    """Whether memcpys and memsets, rather than kernels, are the GPU's work that the steps wait for."""
    if again is None:
        return facts.copies_pct > facts.compute_pct
    return bool(again["copies_pct"] > again["compute_pct"])


def _simulated(again: Mapping[str, Any]) -> dict[str, float]:
    """Shares of what bounds the simulated steps, by what a verdict names."""
    return sides_of({side: again[f"{side}_pct"] for side in SIDES})


def _waiting(
    bound: str, facts: GpuFacts, unit: str, idle: _Idle, parts: Mapping[str, float], again: Mapping[str, Any]
) -> list[Message]:
    """The GPU waits: for the loader, for the CPU, or for what is not recorded."""
    if bound == "unknown":
        headline = _unclear(idle, again)
    else:
        headline = waiting(bound, unit, facts, parts["data_loading_ns"], again)
    return [headline, while_idle(unit, parts), *lead_in(facts, unit), *exposed_communication(unit, facts)]


def _unclear(idle: _Idle, again: Mapping[str, Any]) -> Message:
    """What is known of a GPU that idles although nothing recorded is waited for."""
    if idle.unrecorded is not None:
        return Message("verdict-unclear-unrecorded", call=idle.unrecorded.name, wait_ns=idle.unrecorded.time_ns)
    if idle.queued_pct > 50:
        return Message("verdict-unclear-queued", share_pct=idle.queued_pct)
    if idle.unknown_pct > 50:
        return Message("verdict-unclear-cause", share_pct=idle.unknown_pct)
    return Message("verdict-unclear-delays", share_pct=100 - sum(again[f"{side}_pct"] for side in SIDES))


@dataclass(frozen=True)
class _Idle:
    """Shares of the GPU's idle time in the whole steps, in per cent.

    Attributes:
        queued_pct: before activities whose launch had returned long before.
        unknown_pct: without a recorded cause.
        unrecorded: waits for work that was not recorded, if they are most of it.
    """

    queued_pct: float
    unknown_pct: float
    unrecorded: UnrecordedWork | None


def _idle(rank: Rank, facts: GpuFacts) -> _Idle:
    gaps, parts = find_gaps(rank), gap_parts(rank)
    between = int((gaps["end_ns"] - gaps["start_ns"]).sum())
    # Gaps lie between activities; the CPU's lead before the first one of a single step is idle time, too.
    total = max(1, between, round(facts.gpu_ns * facts.step.steps * (1 - facts.busy_pct / 100)))
    early = gaps.filter(pl.col("queued") | (pl.col("call_end_ns") < pl.col("start_ns") - LATENCY_NS))
    waits = int((early["end_ns"] - early["start_ns"]).sum())
    of_cause = {cause: int(amount) for cause, amount in parts.group_by("cause").agg(pl.col("part_ns").sum()).rows()}
    queued = max(waits, of_cause.get(DEPENDENCY, 0))
    elsewhere = unrecorded_work(rank)
    unrecorded = elsewhere if elsewhere is not None and 2 * elsewhere.time_ns > total else None
    return _Idle(100.0 * queued / total, 100.0 * of_cause.get(UNKNOWN, 0) / total, unrecorded)


def _range(again: Mapping[str, Any] | None) -> Range | None:
    """Step time without the profiler from a row of the table ``step_time``."""
    if again is None or again["unprofiled_ns"] is None:
        return None
    return again["unprofiled_low_ns"], again["unprofiled_ns"], again["unprofiled_high_ns"]


def _is_measured(again: Mapping[str, Any] | None) -> bool:
    return again is not None and again["measured_ns"] is not None


def _host_only(rank: Rank, table: pl.DataFrame, unit: str) -> Verdict:
    if is_foreign(rank.whole) and rank.trace.rows("step_point"):
        found, said = divided_steps(rank)
        return _of_step(rank, "unknown", found, said, None, (None, None, None))
    if is_foreign(rank.whole) and recorded_pipeline(rank) is not None:
        return Verdict(rank.number, pipeline_bound(rank), None, 0, None, pipeline_sentences(rank))
    if is_foreign(rank.whole):
        nothing = FOREIGN if is_kineto(rank) else NOTHING_TIMED
        return Verdict(rank.number, "unknown", None, 0, None, (nothing,))
    single = table["duration_ns"].to_numpy()
    if len(table) == 0 or np.median(single) <= 0:
        return Verdict(rank.number, "unknown", 0 if len(table) else None, len(table), None, (NO_GPU,))
    again = rank_step_time(rank)
    step = step_length(single, again)
    launches = len(launching_calls(rank))
    shares = host_shares(rank, table)
    gpu = (launches, has_no_gpu(rank), gpu_cut_off(rank))
    said = tuple(host_only(unit, step, shares, _range(again), _is_measured(again), *gpu))
    return _of_step(rank, bound_without_gpu(shares, launches), step, said, again, (None, None, None))
