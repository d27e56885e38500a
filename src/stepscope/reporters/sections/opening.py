"""What was opened, the verdict, and what is wrong with the trace."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.analyses.communication_log.samples import is_communication_log
from stepscope.analyses.compilation.logs import is_compile_log
from stepscope.analyses.gpu.counter_samples import is_telemetry
from stepscope.analyses.hangs.records import is_flight_recorder
from stepscope.analyses.host.host_samples import is_host_samples
from stepscope.analyses.input_pipeline.recorded import is_input_pipeline
from stepscope.analyses.kernel_reports.reports import every_report, is_kernel_report
from stepscope.analyses.memory.snapshot import is_snapshot
from stepscope.analyses.recording.check import NOT_RECORDED
from stepscope.analyses.recording.rank_checks import world_size
from stepscope.findings.report import Report
from stepscope.messages.frames import in_words
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import render, say
from stepscope.reporters.display_width import middle_cut, wrapped
from stepscope.reporters.sections.findings import best_saving
from stepscope.reporters.sections.text_lines import Line, heading
from stepscope.reporters.sections.verdict_of_ranks import incomplete, said_of, verdicts_once
from stepscope.schema import TABLES

_MOST_RANKS = 4
_MARKS = {"error": "x", "warning": "!", "ok": "+"}


_MEASURED_CALLS = "collective_time"
"""The stored table of what NCCL Inspector measured."""


def title(report: Report, width: int) -> Iterator[Line]:
    yield Line(middle_cut(one_line(report.profile.path), width), "heading")
    yield from (Line(line, "dim") for line in wrapped(facts(report), width))


def _profiled_facts(report: Report) -> str:
    """GPUs, and how many kernels and ranges of them were profiled."""
    reports = list(every_report(report.profile))
    both, ranges = sum(len(one.kernels()) for one in reports), sum(len(one.ranges()) for one in reports)
    kernels = say("section-profiled", kernels=both, ranges=ranges)
    heads = [rank.trace.head.get("deviceProperties", []) for rank in report.profile.ranks]
    named = dict.fromkeys(str(device["name"]) for head in heads for device in head if device.get("name"))
    return " · ".join([", ".join(named) or say("section-kernel-report"), kernels])


def facts(report: Report) -> str:
    """Device, ranks, steps and events, in one line."""
    summary = report.tables["summary"]
    devices = sorted({name for name in summary["device"].to_list() if name})
    if all(is_kernel_report(rank) for rank in report.profile.ranks):
        return _profiled_facts(report)
    if all(is_flight_recorder(rank) for rank in report.profile.ranks):
        ranks = say("section-ranks", ranks=len(summary), world=_missing_of(report))
        return " · ".join([say("section-dumps"), ranks, say("section-collectives", count=int(summary["events"].sum()))])
    if all(is_communication_log(rank) for rank in report.profile.ranks):
        measured_calls = sum(rank.trace.rows(_MEASURED_CALLS) for rank in report.profile.ranks)  # no damaged lines
        logs = say("section-logs", logs=len(summary), count=measured_calls)
        return " · ".join(["NCCL Inspector", logs])
    if all(is_compile_log(rank) for rank in report.profile.ranks):
        logs = say("section-compile-logs", logs=len(summary), count=len(report.tables["compilations"]))
        return " · ".join(["torch.compile", logs])
    if all(is_host_samples(rank) for rank in report.profile.ranks):
        return say("section-samples", count=int(report.tables["host_samples"]["samples"].sum()))
    snapshots = all(is_snapshot(rank) for rank in report.profile.ranks)
    measured = all(is_telemetry(rank) for rank in report.profile.ranks)
    unnamed = (
        "section-measured"
        if measured
        else "section-piped"
        if all(is_input_pipeline(rank) for rank in report.profile.ranks)
        else "section-snapshot"
        if snapshots
        else "section-gpu-unnamed"
        if _worked(summary)
        else "section-no-gpu"
    )
    found = [
        ", ".join(devices) or say(unnamed),
        say("section-ranks", ranks=len(summary), world=_missing_of(report)),
        _step_count(summary["steps"].to_list()),
        say("section-events", events=int(summary["events"].sum())),
    ]
    return " · ".join(found)


def _missing_of(report: Report) -> int:
    """How many ranks the job has, where some of them are not here; else 0."""
    size = world_size(report.profile)
    return size if size is not None and size > len(report.profile.everyone.ranks) else 0


def _worked(summary: pl.DataFrame) -> bool:
    """Whether a GPU did anything."""
    return bool(summary.select(pl.sum_horizontal("kernels", "memcpys", "memsets").sum()).item())


def _step_count(counts: list[int]) -> str:
    if len(counts) > 1 and len(set(counts)) == 1:
        return say("section-steps-each", steps=counts[0])
    return say("section-step-count", steps=sum(counts))


def verdict_sentences(report: Report) -> list[str]:
    """The sentences of the verdict: of several ranks those about the job, then the bottleneck of each."""
    lacking = incomplete(report)
    if not report.job and len(report.verdicts) == 1:
        return [*lacking, *(one_line(render(one)) for one in report.verdicts[0].sentences)]
    said = (said_of(report, group, 1) for group in verdicts_once(report, 1))
    of_ranks = (whose + sentences[0] for whose, sentences in said)
    return [*lacking, *(one_line(text) for text in (*map(render, report.job), *of_ranks))]


def verdict(report: Report, width: int) -> Iterator[Line]:
    yield from heading(say("section-verdict"))
    several = len(report.verdicts) > 1
    for text in incomplete(report):
        yield from (Line(line, "error") for line in wrapped(text, width, "  ", "  "))
    for i, sentence in enumerate(map(render, report.job)):
        yield from (Line(line, "strong" if i == 0 else "") for line in wrapped(one_line(sentence), width, "  "))
    if all(is_flight_recorder(rank) or is_communication_log(rank) for rank in report.profile.ranks):
        return  # where each rank is stands in a table below
    shown = verdicts_once(report, 2, _MOST_RANKS) if several else [tuple(report.verdicts)]
    for group in shown:
        label, sentences = said_of(report, group, 2) if several else ("", [render(one) for one in group[0].sentences])
        for i, sentence in enumerate(sentences):
            text = f"{label if i == 0 else ''}{sentence}"
            style = "strong" if i < 2 else ""
            yield from (Line(line, style) for line in wrapped(text, width, "  ", "  " if several and i == 0 else ""))
    count = sum(map(len, shown))
    if count < len(report.verdicts):
        yield Line("  " + say("section-slowest", shown=count, ranks=len(report.verdicts)), "dim")
    if len(report.detailed) < len(report.profile.ranks):
        text = say("section-detailed", ranks=", ".join(map(str, report.detailed)))
        yield from (Line(line, "dim") for line in wrapped(text, width, "  "))
    saving = best_saving(report)
    if saving:
        yield from (Line(line, "strong") for line in wrapped(saving, width, "  "))


def health(report: Report, width: int) -> Iterator[Line]:
    # What captures name belongs beside what the recording itself does not.
    bad = report.tables["health"].filter((pl.col("status") != "ok") | (pl.col("check") == "graph_captures"))
    missing = bad.filter(pl.col("value") == NOT_RECORDED.encoded())
    bad = in_words(bad.filter(pl.col("value") != NOT_RECORDED.encoded()), TABLES["health"].messages)
    yield from heading(say("section-health"))
    if len(bad) == 0:
        yield Line("  " + say("section-healthy"))
    several = len(report.profile.ranks) > 1
    for check in bad["check"].unique(maintain_order=True):
        rows = bad.filter(pl.col("check") == check)
        first = rows.sort("status").row(0, named=True)
        where = ""
        if several and first["rank"] is not None:
            ranks = rows["rank"].to_list()
            where = say("section-on-rank", every=len(ranks) == len(report.profile.ranks), rank=first["rank"]) + " "
        mark = _MARKS[first["status"]]
        text = f"{mark} {check.replace('_', ' ')}: {where}{first['value']}, {first['detail']}"
        yield from (Line(line, first["status"]) for line in wrapped(one_line(text), width, "  ", "  "))
    if len(missing):
        cut = any(rank.trace.truncated is not None for rank in report.profile.ranks)
        names = ", ".join(missing["check"].unique(maintain_order=True))
        text = say("section-not-recorded", checks=names, cut=cut)
        yield from (Line(line, "dim") for line in wrapped(text, width, "  ", "  "))
