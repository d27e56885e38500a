"""How busy each pipe of the SMs was in each profiled kernel (see docs/tables/)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.analyses.kernel_reports.emptiness import why_empty
from stepscope.analyses.kernel_reports.figures import PIPES
from stepscope.analyses.kernel_reports.kernel_stalls import dashed
from stepscope.analyses.kernel_reports.reports import Values, rows_of
from stepscope.messages import Message
from stepscope.store.profile import Profile


def kernel_pipes(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_pipes``, by kernel, the busiest first."""
    return rows_of(profile, "kernel_pipes", tuple(PIPES), pipes)


notes = why_empty("kernel_pipes")


def pipes(values: Values) -> Iterator[dict[str, Any]]:
    """The pipes that executed anything, the busiest first."""
    found = sorted(((values.get(metric, 0.0), pipe) for metric, pipe in PIPES.items()), key=lambda one: -one[0])
    for busy, pipe in found:
        if busy > 0:
            executes = Message(f"kernel-pipe-{dashed(pipe)}")
            yield {"pipe": pipe, "utilization_pct": busy, "executes": executes.encoded()}
