"""Work on a whole tensor before a few of its rows are picked, as a data set that is converted whole for each batch."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause
from stepscope.findings.top_level_operators import TopLevelOperators, top_level_operators
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.autograd import backward_pass

_BY_ELEMENT = (
    r"^aten::(?:to|_to_copy|div|mul|add|sub|rsub|pow|square|sqrt|abs|neg|exp|log|log1p|clamp|clamp_min|clamp_max|relu"
    r"|sigmoid|tanh|where|masked_fill|clone|contiguous)$"
)
"""What is computed element by element: of some rows alone it is the same. In place, it may be for later steps."""
_PICKS = r"^aten::(?:index|index_select)$"
_FIRST_SHAPE = r"^\[(\[\d+(?:, \d+)*\])"

_LONGEST = 8
"""Operators in front of the one that picks rows, at most."""

_MOST_PICKED = 0.25
"""Time of picking the rows beside that of the longest of these operators, at most: to pick all takes at least as long,
for they are copied from any place."""

_SHORT_NS = 50_000


def detect(case: Case) -> list[Cause]:
    """A cause for operators of the CPU without gradients on a tensor, where shapes were recorded, of whose result few
    rows are taken right behind them, in half of the steps."""
    calls = top_level_operators(case)
    if case.on_gpu or not calls.named(case, _PICKS).any():
        return []
    found, left = _in_front(case, calls)
    if len(found) == 0 or 2 * len(np.unique(case.step_of(calls.ranges.start[found]))) < case.model.steps:
        return []
    return [_cause(case, calls.ranges.chosen(found), left)]


def _in_front(case: Case, calls: TopLevelOperators) -> tuple[Ints, float]:
    """Places of these operators, and what share of their time is left if they work on the rows that are picked."""
    length, shape = calls.ranges.end - calls.ranges.start, _first_shapes(case, calls)
    part, computes = np.cumsum(calls.begins), calls.named(case, _BY_ELEMENT) & ~_differentiated(case, calls)
    found: list[int] = []
    picks: list[int] = []
    left = 0.0
    for pick in np.flatnonzero(calls.named(case, _PICKS) & (shape >= 0)).tolist():
        first = pick
        while first > max(0, pick - _LONGEST) and computes[first - 1]:
            if shape[first - 1] != shape[pick] or part[first - 1] != part[pick]:
                break
            first -= 1
        longest, whole = int(length[first:pick].max(initial=0)), int(length[first:pick].sum())
        if whole >= _SHORT_NS and length[pick] <= _MOST_PICKED * longest:
            found += range(first, pick)
            picks.append(pick)
            left += whole * float(length[pick]) / longest
    places = np.array(found, np.int64)
    if len(places) == 0 or _takes_more(case, calls, places, np.array(picks, np.int64)):
        return places[:0], 0.0
    return places, left / int(length[places].sum())


def _takes_more(case: Case, calls: TopLevelOperators, places: Ints, picks: Ints) -> bool:
    """Whether other operators take a tensor of such a shape as any input: it may be the same one, with all its rows."""
    others = np.ones(len(calls.row), np.bool_)
    others[places] = others[picks] = False
    dims = calls.input_dims(case)
    whole = case.rank.trace.text(dims.gather(picks).unique()).str.extract(_FIRST_SHAPE, 1).drop_nulls().unique()
    rest = case.rank.trace.text(dims.filter(others).drop_nulls().unique())
    return any(rest.str.contains(shape, literal=True).any() for shape in whole.to_list())


def _first_shapes(case: Case, calls: TopLevelOperators) -> Ints:
    """A number for the shape of each operator's first input; `NOBODY` where it is none, or was not recorded."""
    dims = calls.input_dims(case)
    kinds = pl.DataFrame([dims.unique().drop_nulls().alias("dims")])
    shapes = case.rank.trace.text(kinds["dims"]).str.extract(_FIRST_SHAPE)
    numbers = kinds.with_columns(shapes.rank("dense").cast(pl.Int64).alias("shape"))
    found = pl.DataFrame([dims.alias("dims")]).join(numbers, "dims", "left", maintain_order="left")["shape"]
    return found.fill_null(NOBODY).to_numpy()


def _differentiated(case: Case, calls: TopLevelOperators) -> Flags:
    """Which operators have a backward function: what is not picked gets a gradient, too, if it is but zeros."""
    marked: Flags = backward_pass(case.rank).differentiated[calls.row]
    return marked


def _cause(case: Case, ranges: Ranges, left: float) -> Cause:
    spent = case.host_ns(ranges)

    def fix(edit: Edit, effort: int) -> Edit:
        if effort == 0:
            return edit  # The other rows may be used as well: no recording shows it.
        return slowed(edit, shares(case.model, ranges), left / effort)

    return Cause(
        id="unused-rows",
        category="host",
        title=Message("finding-unused-rows-title", spent_ns=round(spent)),
        fix=fix,
        claims=ranges,
        spent_ns=spent,
        advice=Message("finding-unused-rows-advice"),
        change="x = stored[rows].float() / 255  # was: (stored.float() / 255)[rows]",
        links=("https://docs.pytorch.org/docs/stable/generated/torch.index_select.html",),
        unknown=Message("finding-unused-rows-unknown"),
        where=case.where(ranges),
        count=case.a_step(float(len(ranges.start))),
    )
