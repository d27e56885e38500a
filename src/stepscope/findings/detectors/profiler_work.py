"""Profiler overhead inside the recorded steps."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from stepscope.analyses.needs import NEEDS
from stepscope.analyses.recording.reading_checks import QUEUE_FULL, kinds_by_time
from stepscope.analyses.simulation.typical_steps import typical_pace
from stepscope.analyses.simulation.unprofiled import unprofiled
from stepscope.findings.detector_context import NOWHERE, Case, Note
from stepscope.messages import Message
from stepscope.numeric.intervals import covered_within, union

_LEAST_PCT = 1.0
_LEAST_TIMES = 1.5
_LINKS = ("https://docs.pytorch.org/docs/stable/profiler.html",)


def detect(case: Case) -> list[Note]:
    """A note on the profiler's own events."""
    codes = case.rank.trace.codes(lambda text: text == "overhead")
    waits = case.rank.trace.codes(lambda text: text == QUEUE_FULL)
    frame = case.rank.trace.frame("other", ["category", "name", "start_ns", "duration_ns", "broken"])
    own = pl.col("category").is_in(codes.implode()) & ~pl.col("name").is_in(waits.implode()).fill_null(False)
    frame = frame.filter(own & (pl.col("broken") == 0))
    frame = frame.with_columns((pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns")).drop_nulls("end_ns")
    steps = case.rank.steps.filter(pl.col("end_ns") > case.model.window[0])
    within = covered_within(
        union(frame["start_ns"].to_numpy(), frame["end_ns"].to_numpy()),
        steps["start_ns"].to_numpy(),
        steps["end_ns"].to_numpy(),
    )
    total = case.a_step(float(within.sum()))
    if 100 * total < _LEAST_PCT * case.model.recorded_ns:
        return []
    kinds = kinds_by_time(case.rank.trace, frame)[:3]
    return [
        Note(
            id="profiler-overhead",
            category="profiler",
            title=Message("finding-profiler-overhead-title", spent_ns=round(total), events=kinds),
            claims=NOWHERE,
            spent_ns=total,
            advice=Message("finding-profiler-overhead-advice"),
            links=_LINKS,
            change="profile(activities=[...], with_stack=False, profile_memory=False)  # was: with them",
            unknown=Message("finding-profiler-overhead-unknown"),
        )
    ]


def detect_slowdown(case: Case) -> list[Note]:
    """A note on steps that recording made much longer."""
    if not NEEDS["stacks"].present(case.rank.whole) or case.rank.trace.rows("python") == 0:
        return []
    base = unprofiled(case.rank, case.model)
    without, is_measured = base.step_ns[0], base.measured is not None
    recorded = _typical_ns(case)
    if without <= 0 or recorded < _LEAST_TIMES * without:
        return []
    return [
        Note(
            id="recorded-with-stacks",
            category="profiler",
            title=Message("finding-recorded-with-stacks-title", times=recorded / without),
            claims=NOWHERE,
            spent_ns=recorded - without,
            advice=Message("finding-recorded-with-stacks-advice", is_measured=is_measured),
            links=_LINKS,
            change="profile(activities=[...], with_stack=False)  # was: with_stack=True",
            unknown=None if is_measured else Message("finding-recorded-with-stacks-unknown"),
        )
    ]


def _typical_ns(case: Case) -> float:
    """Time of the typical step as recorded, which is what a step without the profiler compares with.

    A pause in one step makes the mean longer, and is no profiler overhead.
    """
    return case.model.step_ns(replace(case.model.unchanged(), pace=typical_pace(case.rank, case.model)))
