"""Where MindSpore divides its steps: start, begin of the forward pass, end of the backward pass, end.

A step begins where the one before it ends, the first one with its forward pass.
"""

from __future__ import annotations

import csv
import io

import polars as pl

from stepscope.readers.mindspore.operators import Rows

_TICK_NS = 10
_MOST = 1 << 58
_POINT = {
    "step": pl.Int64,
    "start_ns": pl.Int64,
    "forward_ns": pl.Int64,
    "backward_ns": pl.Int64,
    "end_ns": pl.Int64,
    "first": pl.String,
    "last": pl.String,
}

Point = tuple[int, int, int, int, int, str, str]


def recorded_steps(text: str) -> Rows:
    """Points of ``step_trace_profiling``, of which there are two forms.

    One has a line for each point, ``OPERATOR START,END ...`` in units of 10 ns: forward, backward, end of the step. The
    other has a line for each step, ``START_OPERATOR,T FORWARD,T BACKWARD,T END,T ...`` in ns.
    """
    lines = [line.split() for line in text.split("\n") if line.strip()]
    by_step = bool(lines) and lines[0][0].count(",") == 1
    found, odd = _by_step(lines) if by_step else _by_point(lines)
    return _frame(found), odd


def _by_step(lines: list[list[str]]) -> tuple[list[Point], int]:
    found: list[Point] = []
    for number, cells in enumerate(lines, start=1):
        points = [(name, _number(value)) for name, _, value in (cell.rpartition(",") for cell in cells[:4])]
        times = [time for _, time in points if time is not None]
        if len(times) == 4:
            start, forward, backward, end = times
            found.append((number, start, forward, backward, end, points[1][0], points[2][0]))
    return found, len(lines) - len(found)


def _by_point(lines: list[list[str]]) -> tuple[list[Point], int]:
    """The backward pass ends where its last operator ends, a step where the last operator of all does."""
    if len(lines) < 3:
        return [], len(lines)
    (first, *forwards), (last, *backwards), (_, *ends) = lines[:3]
    found: list[Point] = []
    odd, before = 0, None
    for number, cells in enumerate(zip(forwards, backwards, ends, strict=False), start=1):
        forward, backward, end = (_number(cell.split(",")[at]) for cell, at in zip(cells, (0, -1, -1), strict=True))
        if forward is None or backward is None or end is None:
            odd, before = odd + 1, None
            continue
        ticks = (forward if before is None else before, forward, backward, end)
        found.append((number, *(tick * _TICK_NS for tick in ticks), first, last))  # type: ignore[arg-type]
        before = end
    return found, odd + max(map(len, (forwards, backwards, ends))) - min(map(len, (forwards, backwards, ends)))


def derived_steps(text: str) -> Rows:
    """The same of ``step_trace_raw``, which MindSpore derives, in units of 10 ns.

    Its row of averages is left out: some versions average the steps from the second on, some all of them.
    """
    names = ("step_num", "start_point", "fp_point", "bp_point", "end_point")
    found: list[Point] = []
    odd = 0
    for row in csv.DictReader(io.StringIO(text)):
        cells = [str(row.get(name) or "") for name in names]
        numbers = [_number(cell) for cell in cells]
        if cells[0] == "-":
            continue
        if None in numbers:
            odd += 1
            continue
        step, *ticks = (number or 0 for number in numbers)
        start, forward, backward, end = (tick * _TICK_NS for tick in ticks)
        found.append((step, start, forward, backward, end, "", ""))
    return _frame(found), odd


def _number(text: str) -> int | None:
    number = int(text) if text.isdecimal() and text.isascii() and len(text) < 19 else None
    return number if number is not None and number < _MOST else None


def _frame(found: list[Point]) -> pl.DataFrame:
    return pl.DataFrame(found, schema=_POINT, orient="row")
