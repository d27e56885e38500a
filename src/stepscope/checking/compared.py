"""Checks of a comparison with a baseline: what is counted, and the time of a step.

Counts have no noise: one that grew by more than the tolerance, of launches and of copied bytes a share of all of them,
is a regression, unless it bought a step that is clearly
shorter; a peak of memory is one in any case. Where a count differs between the steps
of one recording it is none of the program alone, and decides nothing. The step regressed where `stepscope diff` calls
it changed and it is longer; it is fine where the upper end of its interval is within the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.checking.outcome import BYTES, COUNT, FINE, NONE, NS, REGRESSED, STEP, UNKNOWN, Check
from stepscope.comparison.compare import Comparison
from stepscope.comparison.only_here import SETS
from stepscope.comparison.testing import CHANGED, SAME
from stepscope.messages import Message

_PEAK = "_peak_bytes"

_LAUNCHES = ("kernels", "collectives", "memcpy", "memset", "graph_launches")
"""A launch costs the host the same, whatever it launches."""

TOLERANCE_PCT = 5.0
"""Of the step: the share from which on `stepscope diff` takes a difference into account."""

COUNT_TOLERANCE_PCT = 10.0
"""Of counts: they are exact, but a step grows by less than its launches do."""


def compared_checks(found: Comparison, tolerance_pct: float, count_tolerance_pct: float) -> Iterator[Check]:
    """Counts in the order of the comparison, what only one side has, which decides nothing, then the step."""
    shorter = found.step["status"] == CHANGED and found.step["high_ns"] < 0
    is_set = pl.col("key").is_in(list(SETS))
    counts = found.counts.filter(~is_set)
    counted = counts.select("key", "base").rows()
    for row in counts.iter_rows(named=True):
        whole = sum(base for key, base in counted if _group(key) == _group(row["key"]))
        limit = row["base"] + whole * count_tolerance_pct / 100
        yield _count(row["key"], row["base"], row["new"], limit, row["varies"], shorter)
    for key, base, new in found.counts.filter(is_set).select("key", "base", "new").rows():
        # Other kernels or shapes are none the worse for it.
        title, why = Message(f"diff-count-{key}"), Message("gate-set-differs")
        yield Check(COUNT, key, title, NONE, base, new, None, FINE, why)
    yield _step(found, tolerance_pct)


def _group(key: str) -> str:
    """Counts that are alike: one may grow by a share of all of them."""
    if key in _LAUNCHES:
        return "launches"
    return "copied" if key.startswith("memcpy_") else key


def _count(key: str, base: float, new: float, limit: float, varies: bool, shorter: bool) -> Check:
    peak = key.endswith(_PEAK)
    if new <= limit:
        outcome, why = FINE, Message("gate-count-more" if new > base else "gate-count-no-more")
    elif varies:
        outcome, why = UNKNOWN, Message("gate-count-varies")
    elif peak and base == 0:
        why = Message("gate-count-new-peak")
        return Check(COUNT, key, Message(f"diff-count-{key}"), BYTES, None, new, None, UNKNOWN, why)
    elif shorter and not peak:
        outcome, why = FINE, Message("gate-count-traded")
    else:
        outcome, why = REGRESSED, Message("gate-count-grew")
    unit = BYTES if key.endswith("_bytes") else NONE
    return Check(COUNT, key, Message(f"diff-count-{key}"), unit, base, new, limit, outcome, why)


def _step(found: Comparison, tolerance_pct: float) -> Check:
    row = found.step
    base, new, most = row["base_ns"], row["new_ns"], row["base_ns"] * tolerance_pct / 100
    low, high = row["low_ns"], row["high_ns"]
    if row["status"] == CHANGED and low > 0 and high > most:
        outcome = REGRESSED
    elif row["status"] == SAME or high <= most:
        outcome = FINE
    else:
        outcome = UNKNOWN
    every = found.every_ns
    if outcome == FINE and found.has_others and every[1] > every[0] * (1 + tolerance_pct / 100):
        # What was not compared may be what takes longer.
        why = Message("gate-step-others", base_ns=round(every[0]), new_ns=round(every[1]))
        return Check(STEP, "step", Message("gate-step"), NS, base, new, base + most, UNKNOWN, why)
    return Check(STEP, "step", Message("gate-step"), NS, base, new, base + most, outcome, _range(found, low, high))


def _range(found: Comparison, low: int, high: int) -> Message:
    near, far = (abs(low), abs(high)) if low < 0 < high else sorted((abs(low), abs(high)))
    way = "around" if low < 0 < high else "longer" if high > 0 else "shorter"
    return Message("gate-step-range", way=way, near_ns=near, far_ns=far, factored=found.host_pct is not None)
