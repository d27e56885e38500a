"""Kernels that Nsight Compute profiled, and what limits each (see docs/tables/)."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.kernel_reports.diagnosis import METRICS, diagnosed
from stepscope.analyses.kernel_reports.figures import (
    ACHIEVED,
    COMPUTE,
    DURATION,
    HITS,
    MEMORY,
    REGISTERS,
    THEORETICAL,
    UNITS,
)
from stepscope.analyses.kernel_reports.joined import joined
from stepscope.analyses.kernel_reports.kernel_occupancy import METRICS as OCCUPANCY
from stepscope.analyses.kernel_reports.kernel_occupancy import occupancy_sentence
from stepscope.analyses.kernel_reports.reports import ReportOf, Values, reports_of
from stepscope.readers.ncu.rows import RANGE
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_SHARES = {
    "compute_throughput_pct": COMPUTE,
    "memory_throughput_pct": MEMORY,
    **{f"{unit}_throughput_pct": metric for unit, metric in UNITS.items()},
    "achieved_occupancy_pct": ACHIEVED,
    "theoretical_occupancy_pct": THEORETICAL,
    **HITS,
}
_WHOLE = {"duration_ns": DURATION, "registers": REGISTERS}
_WANTED = (*METRICS, *OCCUPANCY, *_SHARES.values(), *_WHOLE.values())
_KERNEL = "global"
"""Scope of an estimate that is of the whole kernel."""


def kernel_reports(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_reports``, in the order of the reports."""
    schema = TABLES["kernel_reports"].schema
    parts = [pl.DataFrame(schema=schema)]
    for rank in profile.ranks:
        for report in reports_of(rank):
            known = _kernels(report)
            missing = [pl.lit(None, schema[name]).alias(name) for name in ("calls", "trace_ns", "what_if")]
            found = joined(known, rank) if rank.trace.rows("activity") else known.with_columns(missing)
            parts.append(found.select(list(schema)).sort("id"))
    return pl.concat(parts)


def _kernels(report: ReportOf) -> pl.DataFrame:
    """The kernels of a report with all that it says itself."""
    schema = TABLES["kernel_reports"].schema
    values = report.values(_WANTED)
    rows = [_row(kernel, values[kernel["id"]]) for kernel in report.kernels().iter_rows(named=True)]
    known = pl.DataFrame(rows, schema={name: dtype for name, dtype in schema.items() if name not in _ADDED})
    return known.join(_speedups(report), "id", "left", maintain_order="left").with_columns(report.of)


_ADDED = ("rank", "report", "estimated_speedup_pct", "calls", "trace_ns", "what_if")


def _row(kernel: dict[str, Any], values: Values) -> dict[str, Any]:
    first, occupancy = diagnosed(values, kernel["kind"] == RANGE)[0], occupancy_sentence(values)
    return {
        **{name: kernel[name] for name in ("id", "name", "kind", "kernels", "grid", "block", "device")},
        **{name: values.get(metric) for name, metric in _SHARES.items()},
        **{name: round(values[metric]) if metric in values else None for name, metric in _WHOLE.items()},
        "occupancy": None if occupancy is None else occupancy.encoded(),
        "bottleneck": first.id,
        "finding": first.says.encoded(),
        "advice": first.advice.encoded(),
        "bound_pct": first.bound_pct,
    }


def _speedups(report: ReportOf) -> pl.DataFrame:
    """The largest estimate of a rule for each whole kernel: columns id, estimated_speedup_pct."""
    rules = report.rules().filter(pl.col("scope") == _KERNEL)
    return rules.group_by("id").agg(pl.col("speedup_pct").max().alias("estimated_speedup_pct"))
