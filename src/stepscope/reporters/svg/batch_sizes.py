"""Throughput, memory and use of the peak against batch size, of what ``stepscope.sweep`` measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from stepscope.messages.quantities import bytes_text
from stepscope.messages.rendering import say
from stepscope.reporters.svg.drawing import LINE, MARGIN, QUIET, WIDTH, Drawing

_LABELS, _HIGH, _BELOW = 90, 150, 44
_LEFT, _ROOM = MARGIN + _LABELS, WIDTH - 2 * MARGIN - _LABELS
_MOST_SIZES = 60
_COLOUR, _LOST = "#1f45a8", "#9a4a1a"


class Rows(Protocol):
    """What `stepscope.sweep` returns."""

    def dicts(self) -> list[dict[str, Any]]: ...


@dataclass(frozen=True)
class _Panel:
    """One curve.

    Attributes:
        key: member of a row.
        title: id of the message above it.
        text: of one value.
    """

    key: str
    title: str
    text: Callable[[float], str]


_THROUGHPUT = _Panel("samples_per_s", "picture-sweep-throughput", lambda value: f"{value:,.1f}")
_MEMORY = _Panel("peak_bytes", "picture-sweep-memory", lambda value: bytes_text(round(value)))
_MFU = _Panel("mfu_pct", "picture-sweep-mfu", lambda value: f"{value:.1f} %")
_PACE = _Panel("tflops_per_s", "picture-sweep-tflops", lambda value: f"{value:,.3f}")


def draw(sweep: Rows, path: str) -> None:
    """Write a sweep as a picture: SVG, that browsers, editors and wikis show.

    Raises:
        OSError: the file cannot be written.
    """
    Path(path).write_text(batch_sizes(sweep.dicts()), encoding="utf-8")


def batch_sizes(rows: Sequence[Mapping[str, Any]]) -> str:
    """A curve for each thing that was measured, one below the other.

    Args:
        rows: see `stepscope.capture.in_code.timing.BatchSize`.
    """
    ordered = sorted(rows, key=lambda row: int(row["batch_size"]))[:_MOST_SIZES]
    fit = [row for row in ordered if row["samples_per_s"] is not None]
    best = max(fit, key=lambda row: float(row["samples_per_s"]), default=None)
    drawing = Drawing(_title(ordered, best))
    if len(rows) > len(ordered):
        drawing.line(say("picture-sweep-left-out", sizes=len(rows) - len(ordered)))
    for panel in (_THROUGHPUT, _MEMORY, _MFU if any(row["mfu_pct"] is not None for row in fit) else _PACE):
        if any(row[panel.key] is not None for row in fit):
            _curve(drawing, panel, ordered)
    return drawing.document()


def _title(rows: Sequence[Mapping[str, Any]], best: Mapping[str, Any] | None) -> str:
    sizes = {"first": str(rows[0]["batch_size"]), "last": str(rows[-1]["batch_size"])} if rows else {}
    if not rows or best is None:
        return say("picture-sweep-nothing")
    return say("picture-sweep", best=str(best["batch_size"]), **sizes)


def _curve(drawing: Drawing, panel: _Panel, rows: Sequence[Mapping[str, Any]]) -> None:
    drawing.line(say(panel.title), gap=18)
    top, bottom = drawing.y, drawing.y + _HIGH
    most = max(float(row[panel.key]) for row in rows if row[panel.key] is not None) or 1.0
    for share in (0.0, 0.5, 1.0):
        y = bottom - _HIGH * share
        drawing.box(_LEFT, y, _ROOM, 0.6, LINE)
        drawing.text(_LEFT - 8, y + 4, panel.text(most * share), colour=QUIET, end=True, room=_LABELS)
    xs = [_LEFT + _ROOM * (at + 0.5) / len(rows) for at in range(len(rows))]
    points = []
    for x, row in zip(xs, rows, strict=True):
        size, value = str(row["batch_size"]), row[panel.key]
        drawing.text(x - 4 * len(size), bottom + 16, size, colour=QUIET)
        if value is None:
            lost = row["samples_per_s"] is None
            _mark(drawing, x, bottom, f"{size}: {row['outcome']}" if lost else "", _ROOM / len(rows))
            continue
        points.append((x, bottom - _HIGH * float(value) / most, f"{size}: {panel.text(float(value))}"))
    drawing.stroke([(x, y) for x, y, _ in points], _COLOUR)
    for x, y, title in points:
        drawing.dot(x, y, _COLOUR, title)
    drawing.y = top + _HIGH + _BELOW


def _mark(drawing: Drawing, x: float, bottom: float, title: str, room: float) -> None:
    """A cross for a batch that did not fit; nothing where only this figure is not known."""
    if not title:
        return
    for way in (-1, 1):
        drawing.stroke([(x - 6, bottom - 12 + 6 * way), (x + 6, bottom - 12 - 6 * way)], _LOST)
    drawing.text(x + 10, bottom - 8, say("picture-sweep-lost"), colour=_LOST, room=room / 2)
    drawing.dot(x, bottom - 12, "none", title)
