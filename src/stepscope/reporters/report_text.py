"""The report for a terminal: verdict, what is wrong with the trace, then its sections."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from stepscope.analyses.communication_log.samples import is_communication_log
from stepscope.analyses.compilation.logs import is_compile_log
from stepscope.analyses.gpu.counter_samples import is_telemetry
from stepscope.analyses.hangs.records import is_flight_recorder
from stepscope.analyses.host.host_samples import is_host_samples
from stepscope.analyses.input_pipeline.recorded import is_input_pipeline
from stepscope.analyses.kernel_reports.reports import is_kernel_report
from stepscope.analyses.memory.snapshot import is_snapshot
from stepscope.analyses.recording.recorded import is_foreign
from stepscope.findings.report import Report
from stepscope.findings.sparing import spared
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.annotations import annotations as named_ranges
from stepscope.reporters.sections.closing import (
    closing,
    closing_compilation,
    closing_foreign,
    closing_hangs,
    closing_kernels,
    closing_logs,
    closing_pipeline,
    closing_samples,
    closing_snapshot,
)
from stepscope.reporters.sections.communication import communication
from stepscope.reporters.sections.communication_log import bandwidths, lateness
from stepscope.reporters.sections.compilation import compilations, compiled_kernels, graph_breaks, recompiles
from stepscope.reporters.sections.counters import counters
from stepscope.reporters.sections.critical_path import critical_path
from stepscope.reporters.sections.data_loading import data_loading
from stepscope.reporters.sections.findings import findings
from stepscope.reporters.sections.fusion import fusion
from stepscope.reporters.sections.gpu import ranks, utilization
from stepscope.reporters.sections.graphs import graphs
from stepscope.reporters.sections.hangs import hang_ranks, hangs
from stepscope.reporters.sections.host_samples import host_samples
from stepscope.reporters.sections.idle import idle
from stepscope.reporters.sections.input_pipeline import input_pipeline
from stepscope.reporters.sections.kernel_reports import kernel_reports
from stepscope.reporters.sections.kernels import copies, kernels, short_kernels
from stepscope.reporters.sections.launches import launches, waits
from stepscope.reporters.sections.memory import memory
from stepscope.reporters.sections.memory_snapshot import (
    fragmentation,
    growth,
    out_of_memory,
    peak_by_category,
    peaks_of_ranks,
)
from stepscope.reporters.sections.modules import modules
from stepscope.reporters.sections.npu import npu_kernels, npu_memory, npu_steps
from stepscope.reporters.sections.opening import health, title, verdict
from stepscope.reporters.sections.operators import operators
from stepscope.reporters.sections.roofline import roofline
from stepscope.reporters.sections.step_trace import step_trace
from stepscope.reporters.sections.steps import steps
from stepscope.reporters.sections.telemetry import telemetry
from stepscope.reporters.sections.text_lines import Line

_SECTIONS: tuple[Callable[[Report, int], Iterator[Line]], ...] = (
    title,
    verdict,
    hangs,
    findings,
    health,
    ranks,
    utilization,
    steps,
    step_trace,
    idle,
    waits,
    launches,
    critical_path,
    operators,
    host_samples,
    named_ranges,
    modules,
    kernels,
    short_kernels,
    npu_kernels,
    npu_memory,
    npu_steps,
    fusion,
    graphs,
    recompiles,
    graph_breaks,
    compilations,
    compiled_kernels,
    communication,
    bandwidths,
    roofline,
    counters,
    copies,
    data_loading,
    input_pipeline,
    memory,
    peaks_of_ranks,
    peak_by_category,
    growth,
    out_of_memory,
    fragmentation,
    closing,
)

_SNAPSHOT = (
    *(title, verdict, health, out_of_memory, growth, peaks_of_ranks, peak_by_category, memory, fragmentation),
    closing_snapshot,
)
"""Of memory snapshots alone there is nothing but memory to tell."""


_TELEMETRY = (title, verdict, health, telemetry, closing_foreign)
"""Of telemetry alone there are counters to tell of."""

_KERNELS = (title, verdict, health, kernel_reports, closing_kernels)
"""Of kernel reports alone there are kernels without a timeline to tell of."""

_DUMPS = (title, verdict, hangs, hang_ranks, health, closing_hangs)
"""Of dumps of the flight recorder alone there are collectives and no steps to tell of."""

_PIPELINE = (title, verdict, health, input_pipeline, closing_pipeline)
"""Of an input pipeline alone there is nothing of a step to tell."""

_LOGS = (title, verdict, bandwidths, lateness, health, closing_logs)
"""Of logs of NCCL Inspector alone there are bandwidths to tell of."""

_COMPILATION = (
    *(title, verdict, health, recompiles, graph_breaks, compilations, compiled_kernels),
    closing_compilation,
)
"""Of logs of torch.compile alone there are compilations to tell of."""

_SAMPLES = (title, verdict, health, host_samples, closing_samples)
"""Of samples of Python stacks alone there are functions to tell of."""

_FOREIGN = (title, verdict, health, step_trace, input_pipeline, closing_foreign)
"""Of another tool's trace little is known but its timeline; of MindSpore's files steps and the input pipeline."""

_ALONE = (
    (is_snapshot, _SNAPSHOT),
    (is_telemetry, _TELEMETRY),
    (is_kernel_report, _KERNELS),
    (is_flight_recorder, _DUMPS),
    (is_input_pipeline, _PIPELINE),
    (is_communication_log, _LOGS),
    (is_compile_log, _COMPILATION),
    (is_host_samples, _SAMPLES),
)
"""What is told where all ranks are of one kind."""

SHOWN = (
    *("summary", "utilization", "health", "steps", "step_time", "step_trace", "findings", "critical_path"),
    *("idle", "sync", "launches", "operators", "modules", "annotations"),
    *("kernels", "short_kernels", "fusion", "graphs", "communication", "roofline", "mfu", "counters", "memcpy"),
    *("data_loading", "memory_peak", "memory_ranks", "memory_leaks", "memory_oom", "memory_fragmentation", "telemetry"),
    *("kernel_reports", "kernel_stalls", "kernel_lines", "hangs", "hang_ranks", "input_pipeline", "input_batches"),
    *("collective_bandwidth", "collective_lateness", "npu_kernels", "npu_steps", "npu_memory_peak"),
    *("compilations", "recompiles", "graph_breaks", "compiled_kernels"),
    "host_samples",
)
"""Tables that sections show something of. The others need not be made for a text."""


def report_lines(report: Report, width: int = 100) -> list[Line]:
    """All lines of the report, none longer than ``width``."""
    ranks = report.profile.ranks
    usual = _FOREIGN if all(is_foreign(rank.whole) for rank in ranks) else _SECTIONS
    sections = next((own for is_kind, own in _ALONE if all(is_kind(rank) for rank in ranks)), usual)
    return [line for section in sections for line in _tried(section, report, width)]


def _tried(section: Callable[[Report, int], Iterator[Line]], report: Report, width: int) -> list[Line]:
    """The lines of a section, or what they are missing for."""

    def failed(error: str) -> list[Line]:
        text = say("section-failed", section=section.__name__, type=error)
        return [Line(""), *(Line(line, "error") for line in wrapped(text, width))]

    return spared(lambda: list(section(report, width)), failed)
