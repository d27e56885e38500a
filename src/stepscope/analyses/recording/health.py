"""How far a trace can be trusted. Comes before any number.

Each check is a small function of a rank that returns a `Check` or None where it does not apply. What cannot be shown
because it was not recorded is a warning that names the profiler option that records it.
"""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from stepscope.analyses.communication_log.samples import is_communication_log
from stepscope.analyses.compilation.logs import is_compile_log
from stepscope.analyses.gpu.counter_samples import is_telemetry
from stepscope.analyses.hangs.records import is_flight_recorder
from stepscope.analyses.host.host_samples import is_host_samples
from stepscope.analyses.input_pipeline.recorded import is_input_pipeline
from stepscope.analyses.kernel_reports.reports import is_kernel_report
from stepscope.analyses.memory.snapshot import is_snapshot
from stepscope.analyses.recording import (
    counter_checks,
    gpu_checks,
    log_checks,
    nsys_checks,
    plausible,
    reading_checks,
    step_checks,
)
from stepscope.analyses.recording.check import Check
from stepscope.analyses.recording.compile_checks import COMPILATION
from stepscope.analyses.recording.hang_checks import DUMPS
from stepscope.analyses.recording.kernel_checks import KERNELS
from stepscope.analyses.recording.perfetto_checks import PERFETTO
from stepscope.analyses.recording.pipeline_checks import PIPELINE
from stepscope.analyses.recording.rank_checks import across
from stepscope.analyses.recording.recorded import RECORDED, window
from stepscope.analyses.recording.snapshot_checks import SNAPSHOT
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank


def health(profile: Profile) -> pl.DataFrame:
    """One row per check and rank (rank null for the whole profile), columns of `schema.TABLES` ``health``."""
    rows: list[dict[str, object]] = []
    for rank in profile.ranks:
        for make in _checks(rank):
            check = make(rank)
            if check is not None:
                rows.append(check.row(rank.number))
    return pl.concat([of_profile(profile), pl.DataFrame(rows, schema=TABLES["health"].schema)])


def _checks(rank: Rank) -> list[Callable[[Rank], Check | None]]:
    """What is checked of a rank, by what was recorded of it."""
    if is_snapshot(rank):
        return _OF_SNAPSHOT
    if is_telemetry(rank):
        return _OF_TELEMETRY
    if is_communication_log(rank):
        return _OF_LOGS
    if is_host_samples(rank):
        return _OF_SAMPLES
    if is_compile_log(rank):
        return _OF_COMPILATION
    if is_flight_recorder(rank):
        return _OF_DUMPS
    if is_input_pipeline(rank):
        return _OF_PIPELINE
    return _OF_KERNELS if is_kernel_report(rank) else _CHECKS


def of_profile(profile: Profile) -> pl.DataFrame:
    """The rows of the profile as a whole, which come first."""
    rows: list[dict[str, object]] = [check.row(None) for check in across(profile)]
    return pl.DataFrame(rows, schema=TABLES["health"].schema)


_OF_READING: list[Callable[[Rank], Check | None]] = [
    reading_checks.events,
    reading_checks.complete,
    reading_checks.damaged,
    reading_checks.beside,
]
"""How complete a recording is: of every kind."""

_CHECKS: list[Callable[[Rank], Check | None]] = [
    *_OF_READING,
    reading_checks.doubled,
    reading_checks.broken,
    reading_checks.clock,
    plausible.times,
    plausible.stream_overlaps,
    plausible.kernel_details,
    gpu_checks.gpu_activity,
    gpu_checks.linked,
    gpu_checks.lost_activity,
    gpu_checks.attributed,
    gpu_checks.graph_dependencies,
    window,
    step_checks.steps_found,
    step_checks.steps_repeated,
    step_checks.steps_cut,
    step_checks.inside_steps,
    step_checks.host_ahead,
    reading_checks.overlapping,
    gpu_checks.communication,
    reading_checks.unknown,
    counter_checks.unread,
    counter_checks.counters,
    reading_checks.overhead,
    nsys_checks.diagnostics,
    nsys_checks.other_programs,
    nsys_checks.whole_graphs,
    *PERFETTO,
    *PIPELINE,
    *COMPILATION,
    *RECORDED,
    *SNAPSHOT,
]

_OF_TELEMETRY: list[Callable[[Rank], Check | None]] = [
    *_OF_READING,
    counter_checks.assumed_times,
    counter_checks.counters,
]
"""Where nothing but telemetry was recorded."""

_OF_PIPELINE: list[Callable[[Rank], Check | None]] = [
    *_OF_READING,
    *PIPELINE,
]
"""Where nothing but an input pipeline was recorded."""

_OF_KERNELS: list[Callable[[Rank], Check | None]] = [
    *_OF_READING,
    *KERNELS,
]
"""Where nothing but kernel reports was recorded: there is no time line and no step."""

_OF_DUMPS: list[Callable[[Rank], Check | None]] = [
    *_OF_READING,
    *DUMPS,
]
"""Where nothing but a dump of the flight recorder was recorded."""

_OF_LOGS: list[Callable[[Rank], Check | None]] = [
    *_OF_READING,
    log_checks.timing,
    log_checks.complete,
]
"""Where nothing but a log of NCCL Inspector was recorded."""

_OF_COMPILATION: list[Callable[[Rank], Check | None]] = [
    *_OF_READING,
    *COMPILATION,
]
"""Where nothing but logs of torch.compile was recorded."""

_OF_SAMPLES: list[Callable[[Rank], Check | None]] = [
    *_OF_READING,
]
"""Where nothing but samples of Python stacks was recorded."""

_OF_SNAPSHOT: list[Callable[[Rank], Check | None]] = [
    *_OF_READING,
    step_checks.steps_found,
    step_checks.steps_cut,
    *SNAPSHOT,
]
"""Where nothing but a memory snapshot was recorded: there is no GPU activity, nothing is launched and nothing nests."""
