"""Which Python function the time of some ranges goes to."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import Case, inside, outermost_rows

_LEAST_SHARE = 0.3
"""A function with less of it does not stand for the rest."""


@dataclass(frozen=True)
class HotFunction:
    """A function, such as ``__getitem__ (data.py:73)``, and its share of the time."""

    function: str
    share_pct: float


def hottest_function(case: Case, ranges: Ranges, through: str = r"$^") -> HotFunction | None:
    """The function that most time goes to; None where none has much of the time, or none was recorded.

    Args:
        through: pattern of the frames that are looked through to those they call.
    """
    total = int((ranges.end - ranges.start).sum())
    if total <= 0 or case.rank.trace.rows("python") == 0:
        return None
    number, times = host_threads(case.rank).numbered(case.rank, "python")
    start = times["start_ns"].to_numpy()
    end = start + times["duration_ns"].to_numpy()
    names = case.rank.trace.frame("python", ["name"])["name"]
    codes = case.rank.trace.codes(lambda text: text.str.contains(through))
    looked_at = (
        inside(ranges, number, start) & (end > start) & ~names.is_in(codes.implode()).fill_null(False).to_numpy()
    )
    looked_at[looked_at] = inside(ranges, number[looked_at], end[looked_at] - 1)
    # In the order of nesting, so that of equal ones the outer is taken.
    order = case.rank.nesting("python").nesting.order
    row = order[looked_at[order]]
    row = row[outermost_rows(Ranges(number[row], start[row], end[row]))]
    spent = pl.DataFrame({"name": names.gather(row), "time": (end - start)[row]}).drop_nulls().group_by("name").sum()
    if len(spent) == 0:
        return None
    spent = spent.with_columns(case.rank.trace.text(spent["name"]))
    name, most = spent.sort("time", "name", descending=[True, False]).row(0)
    return HotFunction(shown_function(name), 100 * most / total) if most >= _LEAST_SHARE * total else None


def shown_function(name: str) -> str:
    """The name of a frame as a sentence has it.

    >>> shown_function("/home/me/data.py(73): __getitem__")
    '__getitem__ (data.py:73)'
    """
    return re.sub(r"^(?:.*[/\\])?([^/\\]+)\((\d+)\): (.+)$", r"\3 (\1:\2)", name)
