"""The flame graph of memory: which lines, down to operators, hold what at the peak, of ``memory_peak --by stack``."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import polars as pl

from stepscope.messages.quantities import bytes_text, percent_text
from stepscope.messages.rendering import say
from stepscope.reporters.svg.drawing import CATEGORY_COLOURS, FREE, MARGIN, QUIET, WIDTH, Drawing, on_colour

_ROOM = WIDTH - 2 * MARGIN
_HIGH = 19
_MOST_FRAMES = 3_000
_NARROWEST = 1.0
_BETWEEN = " < "
_NO_CATEGORY = "unknown"


@dataclass
class _Frame:
    """A line or operator below another.

    Attributes:
        sizes: bytes by category.
    """

    name: str
    sizes: dict[str, int] = field(default_factory=dict)
    inner: dict[str, _Frame] = field(default_factory=dict)

    @property
    def bytes(self) -> int:
        return sum(self.sizes.values())

    def add(self, category: str, size: int) -> None:
        self.sizes[category] = self.sizes.get(category, 0) + size


def flame_graph(peak: pl.DataFrame) -> str:
    """The device with the highest peak from its outermost lines down to the operators, wide as what they hold."""
    sums = peak.group_by("rank", "device").agg(pl.col("alive_bytes").sum().alias("whole"))
    sums = sums.sort("whole", "rank", "device", descending=[True, False, False])
    if len(sums) == 0:
        drawing = Drawing(say("picture-peak-nothing"))
        return drawing.document()
    rank, device, whole = sums.row(0)
    own = peak.filter((pl.col("rank") == rank) & (pl.col("device") == device) & (pl.col("alive_bytes") > 0))
    root = _tree(own, f"{device}: {bytes_text(whole)}")
    drawing = Drawing(say("picture-peak", rank=str(rank), device=device, peak_bytes=int(whole)))
    drawing.line(say("picture-peak-how"))
    if len(sums) > 1:
        drawing.line(say("picture-peak-others", devices=len(sums) - 1))
    names = {name: size for name, size in root.sizes.items() if name in CATEGORY_COLOURS}
    drawing.legend(
        [(CATEGORY_COLOURS[name], f"{name} {bytes_text(names[name])}") for name in CATEGORY_COLOURS if name in names]
    )
    left_out = _draw(drawing, root)
    if left_out:
        drawing.line(say("picture-frames-left-out", frames=left_out))
    return drawing.document()


def _tree(rows: pl.DataFrame, name: str) -> _Frame:
    root = _Frame(name)
    for lines, op, source, category, size in rows.select(
        "lines", "op", "source", "category", "alive_bytes"
    ).iter_rows():
        path = [line for line in (lines or source or "").split(_BETWEEN) if line][::-1]
        frame, kind = root, category or _NO_CATEGORY
        root.add(kind, size)
        for step in (*path, op or say("picture-no-operator")):
            frame = frame.inner.setdefault(step, _Frame(step))
            frame.add(kind, size)
    return root


def _draw(drawing: Drawing, root: _Frame) -> int:
    """Draw the widest frames, each below the one around it; returns how many are left out."""
    top, scale, deepest, left_out = drawing.y + 4, _ROOM / root.bytes, 0, 0
    waiting: list[tuple[int, int, float, int, _Frame]] = [(-root.bytes, 0, float(MARGIN), 0, root)]
    number = 0
    while waiting and number < _MOST_FRAMES:
        _, _, x, depth, frame = heapq.heappop(waiting)
        deepest = max(deepest, depth)
        _box(drawing, frame, (x, top + depth * _HIGH), scale, root.bytes)
        for inner in sorted(frame.inner.values(), key=lambda one: (-one.bytes, one.name)):
            if inner.bytes * scale >= _NARROWEST:
                number += 1
                heapq.heappush(waiting, (-inner.bytes, number, x, depth + 1, inner))
            else:
                left_out += _count(inner)
            x += inner.bytes * scale
    drawing.y = top + (deepest + 1) * _HIGH + 14
    return left_out + sum(_count(one[-1]) for one in waiting)


def _count(frame: _Frame) -> int:
    """Frames of a branch."""
    found, open_ = 0, [frame]
    while open_:
        one = open_.pop()
        found += 1
        open_.extend(one.inner.values())
    return found


def _box(drawing: Drawing, frame: _Frame, place: tuple[float, float], scale: float, whole: int) -> None:
    """A frame in the colour of what most of it is for."""
    x, y = place
    category = max(sorted(frame.sizes), key=lambda name: frame.sizes[name])
    colour, width = CATEGORY_COLOURS.get(category, QUIET), frame.bytes * scale
    parts = ", ".join(f"{name} {bytes_text(size)}" for name, size in sorted(frame.sizes.items()))
    title = f"{frame.name}: {bytes_text(frame.bytes)} ({percent_text(100 * frame.bytes / whole)}) · {parts}"
    drawing.box(x, y, width, _HIGH - 1, colour, title, edge=FREE)
    drawing.text(x + 4, y + 13, frame.name, colour=on_colour(colour), room=width - 8)
