"""Which function makes which table. A new table is a line here, one in `schema`, and its module.

Modules are imported when their table is asked for: all of them together take longer than most tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import polars as pl

from stepscope.messages import Message
from stepscope.store.memo import KeptFrame
from stepscope.store.profile import Profile, Rank

Notes = Callable[[Profile, pl.DataFrame], list[Message]]


@dataclass(frozen=True)
class Analysis:
    """What makes one table.

    Attributes:
        make: from a profile, with ``by`` and ``source`` where the schema says that the table offers them.
        notes: what a reader must know beside its rows, given the table.
        of_profile: rows of the profile as a whole, which come before those of its ranks.
    """

    make: Callable[..., pl.DataFrame]
    notes: Notes | None = None
    of_profile: Callable[[Profile], pl.DataFrame] | None = None


def analysis(table: str) -> Analysis:
    """What makes a table of `schema.TABLES`.

    Raises:
        LookupError: nothing does.
    """
    for of_subject in (*_SUBJECTS, _above):
        found = of_subject(table)
        if found is not None:
            return found
    raise LookupError(f"no analysis makes the table {table}")


def _steps(table: str) -> Analysis | None:
    match table:
        case "summary":
            from stepscope.analyses.steps import summary

            return Analysis(summary.summary, summary.notes)
        case "steps":
            from stepscope.analyses.steps import steps

            return Analysis(steps.steps)
        case "step_trace":
            from stepscope.analyses.steps import step_trace

            return Analysis(step_trace.step_trace, step_trace.notes)
        case "iterations":
            from stepscope.analyses.steps import iterations

            return Analysis(iterations.iterations, iterations.notes)
    return None


def _gpu(table: str) -> Analysis | None:
    match table:
        case "utilization":
            from stepscope.analyses.gpu import utilization

            return Analysis(utilization.utilization, utilization.notes)
        case "kernels":
            from stepscope.analyses.gpu import kernels

            return Analysis(kernels.kernels, kernels.notes)
        case "short_kernels":
            from stepscope.analyses.gpu import short_kernels

            return Analysis(short_kernels.short_kernels, short_kernels.notes)
        case "kernel_lengths":
            from stepscope.analyses.gpu import kernel_lengths

            return Analysis(kernel_lengths.kernel_lengths)
        case "graphs":
            from stepscope.analyses.gpu import graphs

            return Analysis(graphs.graphs, graphs.notes)
        case "memset":
            from stepscope.analyses.gpu import memset

            return Analysis(memset.memset)
        case "memcpy":
            from stepscope.analyses.gpu import memcpy

            return Analysis(memcpy.memcpy)
        case "sequences":
            from stepscope.analyses.gpu import sequences

            return Analysis(sequences.sequences, sequences.notes)
        case "fusion":
            from stepscope.analyses.gpu import fusion

            return Analysis(fusion.fusion, fusion.notes)
    return None


def _counters(table: str) -> Analysis | None:
    match table:
        case "counters":
            from stepscope.analyses.gpu import counters

            return Analysis(counters.counters, counters.notes)
        case "hardware":
            from stepscope.analyses.gpu import hardware

            return Analysis(hardware.hardware, hardware.notes)
        case "telemetry":
            from stepscope.analyses.gpu import telemetry

            return Analysis(telemetry.telemetry, telemetry.notes)
    return None


def _host(table: str) -> Analysis | None:
    match table:
        case "launches":
            from stepscope.analyses.host import launches

            return Analysis(launches.launches, launches.notes)
        case "api_calls":
            from stepscope.analyses.host import api_calls

            return Analysis(api_calls.api_calls)
        case "os_runtime":
            from stepscope.analyses.host import api_calls

            return Analysis(api_calls.os_runtime)
        case "cpu_samples":
            from stepscope.analyses.host import cpu_samples

            return Analysis(cpu_samples.cpu_samples)
        case "thread_scheduling":
            from stepscope.analyses.host import thread_scheduling

            return Analysis(thread_scheduling.thread_scheduling)
        case "operators":
            from stepscope.analyses.host import operators

            return Analysis(operators.operators, operators.notes)
        case "annotations":
            from stepscope.analyses.host import annotations

            return Analysis(annotations.annotations, annotations.notes)
        case "modules":
            from stepscope.analyses.host import modules

            return Analysis(modules.modules, modules.notes)
    return None


def _idle(table: str) -> Analysis | None:
    match table:
        case "idle":
            from stepscope.analyses.idle import idle

            return Analysis(idle.idle, idle.notes)
        case "sync":
            from stepscope.analyses.idle import sync

            return Analysis(sync.sync, sync.notes)
        case "queue_depth":
            from stepscope.analyses.idle import queue_depth

            return Analysis(queue_depth.queue_depth, queue_depth.notes)
    return None


def _critical_path(table: str) -> Analysis | None:
    match table:
        case "critical_path":
            from stepscope.analyses.critical_path import critical_path

            return Analysis(critical_path.critical_path, critical_path.notes)
    return None


def _simulation(table: str) -> Analysis | None:
    match table:
        case "step_time":
            from stepscope.analyses.simulation import step_time

            return Analysis(step_time.step_time, step_time.notes)
    return None


def _memory(table: str) -> Analysis | None:
    match table:
        case "page_faults":
            from stepscope.analyses.memory import page_faults

            return Analysis(page_faults.page_faults)
        case "memory":
            from stepscope.analyses.memory import memory

            return Analysis(memory.memory, memory.notes)
        case "memory_peak":
            from stepscope.analyses.memory import memory_peak

            return Analysis(memory_peak.memory_peak, memory_peak.notes)
        case "memory_timeline":
            from stepscope.analyses.memory import memory_timeline

            return Analysis(memory_timeline.memory_timeline, memory_timeline.notes)
        case "memory_events":
            from stepscope.analyses.memory import memory_events

            return Analysis(memory_events.memory_events, memory_events.notes)
    return None


def _memory_snapshot(table: str) -> Analysis | None:
    match table:
        case "memory_categories":
            from stepscope.analyses.memory import memory_categories

            return Analysis(memory_categories.memory_categories, memory_categories.notes)
        case "memory_alive":
            from stepscope.analyses.memory import memory_alive

            return Analysis(memory_alive.memory_alive, memory_alive.notes)
        case "memory_diff":
            from stepscope.analyses.memory import memory_diff

            return Analysis(memory_diff.memory_diff, memory_diff.notes)
        case "memory_ranks":
            from stepscope.analyses.memory import memory_ranks

            return Analysis(memory_ranks.memory_ranks, memory_ranks.notes)
        case "memory_blocks":
            from stepscope.analyses.memory import memory_blocks

            return Analysis(memory_blocks.memory_blocks)
        case "memory_segments":
            from stepscope.analyses.memory import memory_segments

            return Analysis(memory_segments.memory_segments)
        case "memory_fragmentation":
            from stepscope.analyses.memory import memory_fragmentation

            return Analysis(memory_fragmentation.memory_fragmentation, memory_fragmentation.notes)
        case "memory_leaks":
            from stepscope.analyses.memory import memory_leaks

            return Analysis(memory_leaks.memory_leaks, memory_leaks.notes)
        case "memory_oom":
            from stepscope.analyses.memory import memory_oom

            return Analysis(memory_oom.memory_oom, memory_oom.notes)
    return None


def _data_loading(table: str) -> Analysis | None:
    match table:
        case "data_loading":
            from stepscope.analyses.data_loading import data_loading

            return Analysis(data_loading.data_loading, data_loading.notes)
    return None


def _roofline(table: str) -> Analysis | None:
    match table:
        case "roofline":
            from stepscope.analyses.roofline import roofline

            return Analysis(roofline.roofline, roofline.notes)
        case "mfu":
            from stepscope.analyses.roofline import mfu

            return Analysis(mfu.mfu, mfu.notes)
    return None


def _communication(table: str) -> Analysis | None:
    match table:
        case "communication":
            from stepscope.analyses.communication import communication

            return Analysis(communication.communication, communication.notes)
        case "message_sizes":
            from stepscope.analyses.communication import message_sizes

            return Analysis(message_sizes.message_sizes, message_sizes.notes)
        case "collectives":
            from stepscope.analyses.communication import collectives

            return Analysis(collectives.collectives, collectives.notes)
        case "links":
            from stepscope.analyses.communication import links

            return Analysis(links.links, links.notes)
        case "pipeline":
            from stepscope.analyses.communication import pipeline

            return Analysis(pipeline.pipeline, pipeline.notes)
        case "experts":
            from stepscope.analyses.communication import experts

            return Analysis(experts.experts, experts.notes)
    return None


def _ranks(table: str) -> Analysis | None:
    match table:
        case "stragglers":
            from stepscope.analyses.ranks import stragglers

            return Analysis(stragglers.stragglers, stragglers.notes)
        case "rank_waits":
            from stepscope.analyses.ranks import rank_waits

            return Analysis(rank_waits.rank_waits, rank_waits.notes)
        case "rank_matrix":
            from stepscope.analyses.ranks import rank_matrix

            return Analysis(rank_matrix.rank_matrix, rank_matrix.notes)
        case "job":
            from stepscope.analyses.ranks import job

            return Analysis(job.job, job.notes)
        case "clocks":
            from stepscope.analyses.ranks import clocks

            return Analysis(clocks.clocks, clocks.notes)
    return None


def _recording(table: str) -> Analysis | None:
    match table:
        case "health":
            from stepscope.analyses.recording import health

            return Analysis(health.health, of_profile=health.of_profile)
        case "metadata":
            from stepscope.analyses.recording import metadata

            return Analysis(metadata.metadata, metadata.notes)
        case "recordings":
            from stepscope.analyses.recording import recordings

            return Analysis(recordings.recordings, recordings.notes)
    return None


def _above(table: str) -> Analysis | None:
    """The one table that is made from the others, in a layer above that this one cannot import from."""
    if table != "findings":
        return None
    module = import_module("stepscope.findings.findings")
    return Analysis(module.findings, module.notes)


_SUBJECTS: tuple[Callable[[str], Analysis | None], ...] = (
    _steps,
    _gpu,
    _counters,
    _host,
    _idle,
    _critical_path,
    _simulation,
    _memory,
    _memory_snapshot,
    _data_loading,
    _roofline,
    _communication,
    _ranks,
    _recording,
)


def digest(name: str) -> KeptFrame[Rank, []]:
    """The result of a rank, kept on disk, from which tables about several ranks are made.

    Raises:
        LookupError: there is none of that name.
    """
    match name:
        case "recorded_needs":
            from stepscope.analyses.needs import recorded_needs

            return recorded_needs
        case "recorded_steps":
            from stepscope.analyses.recording.rank_checks import recorded_steps

            return recorded_steps
        case "pipeline_idle":
            from stepscope.analyses.communication.pipeline import idle_between

            return idle_between
        case "communication_calls":
            from stepscope.analyses.ranks.calls import rank_calls

            return rank_calls
        case "uncovered":
            from stepscope.analyses.ranks.exposure import uncovered_ranges

            return uncovered_ranges
        case "windows":
            from stepscope.analyses.ranks.exposure import whole_windows

            return whole_windows
    raise LookupError(f"nothing of the name {name} is kept of a rank")
