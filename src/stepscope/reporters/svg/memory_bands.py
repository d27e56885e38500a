"""Memory over time by category, one band on the other, of ``memory_categories --by point``."""

from __future__ import annotations

import math

import polars as pl

from stepscope.messages.quantities import bytes_text, time_text
from stepscope.messages.rendering import say
from stepscope.reporters.svg.drawing import CATEGORY_COLOURS, LINE, MARGIN, QUIET, WIDTH, Drawing

_LABELS = 90
_LEFT, _ROOM, _HIGH = MARGIN + _LABELS, WIDTH - 2 * MARGIN - _LABELS, 360
_TICKS = 5


def memory_bands(points: pl.DataFrame) -> str:
    """The device with the most allocated: bands from the longest-lived category up to the shortest-lived one."""
    levels = points.group_by("rank", "device", "point").agg(pl.col("bytes").sum(), pl.col("at_ns").first())
    tops = levels.group_by("rank", "device").agg(pl.col("bytes").max().alias("most"))
    tops = tops.sort("most", "rank", "device", descending=[True, False, False])
    if len(tops) == 0:
        return Drawing(say("picture-peak-nothing")).document()
    rank, device, most = tops.row(0)
    drawing = Drawing(say("picture-bands", rank=str(rank), device=device, peak_bytes=int(most)))
    if len(tops) > 1:
        drawing.line(say("picture-peak-others", devices=len(tops) - 1))
    own = points.filter((pl.col("rank") == rank) & (pl.col("device") == device))
    wide = own.pivot("category", index="point", values="bytes", aggregate_function="sum").fill_null(0)
    wide = wide.join(own.group_by("point").agg(pl.col("at_ns").first()), "point").sort("point")
    names = [name for name in CATEGORY_COLOURS if name in wide.columns]
    drawing.legend([(CATEGORY_COLOURS[name], name) for name in names])
    drawing.y += 10
    _axes(drawing, wide, int(most))
    _bands(drawing, wide, names, int(most))
    drawing.y += _HIGH + 30
    return drawing.document()


def _places(wide: pl.DataFrame) -> list[float]:
    """Where each point lies, by time where all are known, else by number."""
    at = wide["at_ns"] if wide["at_ns"].null_count() == 0 else wide["point"]
    first, last = int(at[0]), int(at[-1])
    return [_LEFT + _ROOM * (one - first) / max(last - first, 1) for one in at.to_list()]


def _bands(drawing: Drawing, wide: pl.DataFrame, names: list[str], most: int) -> None:
    xs, below = _places(wide), [0] * len(wide)
    bottom = drawing.y + _HIGH
    for name in names:
        above = [low + size for low, size in zip(below, wide[name].to_list(), strict=True)]
        upper, lower = (
            [(x, bottom - _HIGH * value / most) for x, value in _stairs(xs, edge)] for edge in (above, below)
        )
        title = f"{name}: {bytes_text(max(wide[name].to_list()))}"
        drawing.area(upper + lower[::-1], CATEGORY_COLOURS[name], title)
        below = above


def _stairs(xs: list[float], values: list[int]) -> list[tuple[float, int]]:
    """A level holds until the next one begins."""
    found = []
    for at, (x, value) in enumerate(zip(xs, values, strict=True)):
        found.append((x, value))
        if at + 1 < len(xs):
            found.append((xs[at + 1], value))
    return found


def _axes(drawing: Drawing, wide: pl.DataFrame, most: int) -> None:
    """Lines at round sizes, and the time at both ends."""
    top, bottom = drawing.y, drawing.y + _HIGH
    step = _round_step(most)
    for size in range(0, most + 1, step):
        y = bottom - _HIGH * size / most
        drawing.box(_LEFT, y, _ROOM, 0.6, LINE)
        drawing.text(_LEFT - 8, y + 4, bytes_text(size), colour=QUIET, end=True, room=_LABELS)
    at = wide["at_ns"]
    if at.null_count() == 0:
        drawing.text(_LEFT, bottom + 16, time_text(0), colour=QUIET)
        drawing.text(_LEFT + _ROOM, bottom + 16, time_text(int(at[-1]) - int(at[0])), colour=QUIET, end=True)
    else:
        drawing.text(_LEFT, bottom + 16, say("picture-by-entry"), colour=QUIET)
    drawing.y = top


def _round_step(most: int) -> int:
    """A round size of which about five fit.

    >>> _round_step(5 << 30) >> 20
    1024
    """
    rough = max(most / _TICKS, 1)
    power = 1 << max(0, int(math.log2(rough)))
    return int(power)
