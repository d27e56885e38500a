"""Tensors that grow by `torch.cat` piece by piece: each call copies all that is there already."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed, stretched
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause
from stepscope.findings.top_level_operators import TopLevelOperators, runs, top_level_operators
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.store.autograd import backward_pass

_CAT = r"^aten::cat$"
_FUNCTION = r"^autograd::engine::evaluate_function: CatBackward\d+$"

_TWO = r"^\[\[\[([\d, ]+)\], \[([\d, ]+)\]\]"
"""The recorded shapes of two tensors that are joined."""

_MARGIN = 10.0
"""Points: memory that is allocated and freed in another size each time costs what no event shows."""

_VIEWS = r"^aten::(?:unsqueeze|view|reshape)$"
"""What makes a row of a piece."""

_AROUND_NS = 20_000
"""Of Python around a call that belongs to it, at most."""

_DIMENSIONS = [str(number) for number in range(8)]
"""More than tensors have; missing ones count as -1."""

_LEAST = 8
"""Pieces that one tensor grows by; a few are cheap."""

_LEFT = (4.0, 2.0, 1.0)
"""What one call for all pieces at the end costs, in calls of usual length, by effort."""


def detect(case: Case) -> list[Cause]:
    """A cause where the result of a call is the first input of the next, again and again."""
    calls = top_level_operators(case)
    places = np.flatnonzero(calls.named(case, _CAT))
    if len(places) < _LEAST:
        return []
    step = case.step_of(calls.ranges.start[places])
    apart = np.append(True, (step[1:] != step[:-1]) | ~_grows(case, calls, places))
    first, last = runs(np.ones(len(places), np.bool_), apart)
    long = last + 1 - first >= _LEAST
    if not long.any():
        return []
    chain = np.concatenate([places[one : other + 1] for one, other in zip(first[long], last[long], strict=True)])
    return [_cause(case, calls, chain, int(long.sum()))]


def _grows(case: Case, calls: TopLevelOperators, places: Ints) -> Flags:
    """Of each call but the last, whether the next one's first input has the shape that this one makes."""
    first, second = _shapes(case, calls, places)
    now, later, added = first[:-1], first[1:], second[:-1]
    along = later != now
    same_elsewhere = ((now == added) | along).all(axis=1)
    joined = np.where(along, now + added == later, True).all(axis=1)
    known = (now[:, 0] >= 0) & (later[:, 0] >= 0)
    grows: Flags = known & (along.sum(axis=1) == 1) & same_elsewhere & joined
    return grows


def _shapes(case: Case, calls: TopLevelOperators, places: Ints) -> tuple[Ints, Ints]:
    """Shapes of the two inputs of each call, a row a call; -1 where they are not two, or not recorded."""
    dims = calls.input_dims(case).gather(places).to_frame()
    codes = dims["input_dims"].unique().drop_nulls()
    both = case.rank.trace.text(codes).str.extract_groups(_TWO).struct.unnest()
    sizes = [
        both.to_series(which).str.split(", ").list.eval(pl.element().cast(pl.Int64)).list.to_struct(fields=_DIMENSIONS)
        for which in range(2)
    ]
    known = pl.DataFrame([codes, *(one.alias(name) for one, name in zip(sizes, ("first", "second"), strict=True))])
    mine = dims.join(known, "input_dims", "left", maintain_order="left")
    first, second = (mine[name].struct.unnest().fill_null(-1).to_numpy() for name in ("first", "second"))
    return first, second


def _cause(case: Case, calls: TopLevelOperators, chain: Ints, tensors: int) -> Cause:
    forward = _with_what_prepares(case, calls, chain)
    ranges = forward.and_those(_backward(case, calls.row[chain]))
    which = launched_inside(case.rank, case.model, ranges)
    spent = max(case.gpu_ns(which), case.host_ns(ranges))
    pieces = len(chain)

    def fix(edit: Edit, effort: int) -> Edit:
        left = min(1.0, _LEFT[effort] * tensors / pieces)
        edit = stretched(slowed(edit, shares(case.model, ranges), left), which, left)
        return case.freed(edit, ranges)

    count = case.a_step(pieces)
    return Cause(
        id="growing-cat",
        category="memory",
        title=Message("finding-growing-cat-title", calls=round(count), spent_ns=round(spent)),
        fix=fix,
        claims=ranges,
        spent_ns=spent,
        advice=Message("finding-growing-cat-advice"),
        change="rows.append(row) ... all_rows = torch.stack(rows)  # was: all_rows = torch.cat([all_rows, row[None]])",
        links=("https://docs.pytorch.org/docs/stable/generated/torch.stack.html",),
        unknown=Message("finding-growing-cat-unknown"),
        unsure=True,
        where=case.where(forward),
        count=count,
        margin=_MARGIN,
    )


def _with_what_prepares(case: Case, calls: TopLevelOperators, chain: Ints) -> Ranges:
    """Some calls with the view in front of each, and the Python around both, which frees the smaller tensor."""
    thread, start, end = calls.ranges.thread[chain], calls.ranges.start, calls.ranges.end
    first = np.where(calls.named(case, _VIEWS)[chain - 1] & ~calls.begins[chain], chain - 1, chain)
    since, until = np.append(0, end)[first], np.append(start, end[-1])[chain + 1]
    begins, ends = np.append(calls.begins, True)[first], np.append(calls.begins, True)[chain + 1]
    since = np.where(begins, start[first], np.maximum(since, start[first] - _AROUND_NS))
    until = np.where(ends, end[chain], np.minimum(until, end[chain] + _AROUND_NS))
    # Python between two calls belongs to the first.
    since[1:] = np.where(thread[1:] == thread[:-1], np.maximum(since[1:], until[:-1]), since[1:])
    return Ranges(thread, since, until)


def _backward(case: Case, rows: Ints) -> Ranges:
    """The backward functions of some calls."""
    passes = backward_pass(case.rank)
    codes = case.rank.trace.codes(lambda text: text.str.contains(_FUNCTION))
    function = case.rank.trace.marked("operator", codes)
    return case.rows("operator", function & np.isin(passes.forward, rows))
