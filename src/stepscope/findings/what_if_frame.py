"""The answers of what-if as a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from stepscope.analyses.simulation.estimates import Answer
from stepscope.findings.what_if import WhatIf
from stepscope.findings.what_if_job import JobAnswer, JobWhatIf

_FRAME = {
    "rank": pl.Int64,
    "change": pl.String,
    "before_ns": pl.Int64,
    "after_ns": pl.Int64,
    "saving_pct": pl.Float64,
    "saving_low_pct": pl.Float64,
    "saving_high_pct": pl.Float64,
    "bottleneck_before": pl.String,
    "bottleneck_after": pl.String,
}


def what_if_frame(found: Sequence[WhatIf], job: JobWhatIf | None = None) -> pl.DataFrame:
    """The answers as rows: of the job, then of each rank, one per change, then, of several, one of all together.

    Columns: rank (null for the job), change, before_ns, after_ns, saving_pct, saving_low_pct, saving_high_pct,
    bottleneck_before, bottleneck_after (null for the job). Times are of a step without the profiler.
    """
    rows = [_row(None, *one) for one in _asked(job)] if job else []
    rows += [_row(of.rank, *one) for of in found for one in _asked(of)]
    return pl.DataFrame(rows, schema=_FRAME)


def _asked(one: WhatIf | JobWhatIf) -> list[tuple[str, Answer | JobAnswer]]:
    """Each change with its answer, then all together."""
    alone: Sequence[Answer | JobAnswer] = one.alone
    together = [("together", one.together)] if len(one.changes) > 1 else []
    return [*zip(one.changes, alone, strict=True), *together]


def _row(rank: int | None, change: str, answered: Answer | JobAnswer) -> dict[str, Any]:
    saved = answered.saving_pct
    return {
        "rank": rank,
        "change": change,
        "before_ns": round(answered.before.best),
        "after_ns": round(answered.after.best),
        "saving_pct": saved.best,
        "saving_low_pct": saved.low,
        "saving_high_pct": saved.high,
        "bottleneck_before": answered.bound_before[0] if isinstance(answered, Answer) else None,
        "bottleneck_after": answered.bound_after[0] if isinstance(answered, Answer) else None,
    }
