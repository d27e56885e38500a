"""Which function makes which table. A new table is a name here, an entry in `schema`, and its module.

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

_SUBJECTS = {
    "steps": ("summary", "steps", "step_trace", "iterations"),
    "gpu": (
        "utilization",
        "kernels",
        "short_kernels",
        "kernel_lengths",
        "graphs",
        "memset",
        "memcpy",
        "sequences",
        "fusion",
        "counters",
        "hardware",
        "telemetry",
        "activity_totals",
    ),
    "compilation": ("compilations", "recompiles", "graph_breaks", "compiled_kernels"),
    "communication_log": ("collective_bandwidth", "collective_lateness"),
    "npu": ("npu_kernels", "npu_steps", "npu_collectives", "npu_links", "npu_pairs", "npu_memory", "npu_memory_peak"),
    "hangs": ("hangs", "hang_ranks", "hang_calls", "collective_records"),
    "kernel_reports": (
        "kernel_reports",
        "kernel_roofline",
        "kernel_memory",
        "kernel_occupancy",
        "kernel_occupancy_curve",
        "kernel_pipes",
        "kernel_stalls",
        "kernel_lines",
        "kernel_instructions",
        "kernel_details",
        "kernel_rules",
        "kernel_metrics",
    ),
    "host": (
        "launches",
        "api_calls",
        "cpu_samples",
        "host_samples",
        "thread_scheduling",
        "operators",
        "operator_totals",
        "annotations",
        "modules",
        "flame_graph",
    ),
    "durations": ("instances", "durations"),
    "idle": ("idle", "sync", "queue_depth"),
    "critical_path": ("critical_path",),
    "simulation": ("step_time",),
    "memory": (
        "page_faults",
        "cuda_memory",
        "memory",
        "memory_peak",
        "memory_timeline",
        "memory_events",
        "memory_categories",
        "memory_alive",
        "memory_diff",
        "memory_ranks",
        "memory_blocks",
        "memory_segments",
        "memory_fragmentation",
        "memory_leaks",
        "memory_oom",
    ),
    "data_loading": ("data_loading",),
    "input_pipeline": ("input_pipeline", "input_batches", "cpu_utilization"),
    "roofline": ("roofline", "mfu"),
    "communication": ("communication", "message_sizes", "collectives", "links", "pipeline", "experts"),
    "ranks": ("stragglers", "rank_waits", "rank_matrix", "job", "clocks"),
    "recording": ("health", "metadata", "recordings"),
}
"""The tables of each folder. A table is made by the function of its name in the module of its name."""

_MODULES = {table: f"stepscope.analyses.{subject}.{table}" for subject, tables in _SUBJECTS.items() for table in tables}
_MODULES |= {
    "os_runtime": "stepscope.analyses.host.api_calls",
    "findings": "stepscope.findings.findings",
    "occurrences": "stepscope.findings.occurrences",
}
"""One stands beside its sibling; two are made from the others, in a layer above that this one cannot import from."""


@dataclass(frozen=True)
class Analysis:
    """What makes one table.

    Attributes:
        make: from a profile, with ``by`` and ``source`` where the schema says that the table offers them.
        notes: what a reader must know beside its rows, given the table: `notes` of its module, where it has that.
        of_profile: rows of the profile as a whole, which come before those of its ranks: `of_profile` of its module.
    """

    make: Callable[..., pl.DataFrame]
    notes: Notes | None = None
    of_profile: Callable[[Profile], pl.DataFrame] | None = None


def analysis(table: str) -> Analysis:
    """What makes a table of `schema.TABLES`.

    Raises:
        LookupError: nothing does.
    """
    if table not in _MODULES:
        raise LookupError(f"no analysis makes the table {table}")
    module = import_module(_MODULES[table])
    return Analysis(getattr(module, table), getattr(module, "notes", None), getattr(module, "of_profile", None))


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
