"""Results in a report: kernels, and ranges of several kernels that were measured together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stepscope.numeric.wire import metric_values
from stepscope.readers.ncu.fields import Bytes, Fields, MalformedReport
from stepscope.readers.ncu.rows import KERNEL, RANGE

NAMES_OF_RANGE = "launch__kernel_name"
"""The metric whose instances are the functions of a range's kernels, in the order of their launches."""

_NAMED = 3
_LOOKED_AT = 4096
_MOST_WAITING = 64


@dataclass(frozen=True)
class Layout:
    """The numbers of a result's fields."""

    metrics: int
    created: int
    sections: int
    rules: int
    context: int


LAYOUTS = {KERNEL: Layout(13, 14, 17, 19, 22), RANGE: Layout(4, 5, 7, 20, 11)}
"""Of the kinds of results that are read."""


class Waiting:
    """Results whose metrics have names that come with a later block, and those behind them.

    With ``--replay-mode app-range`` the last names of a range stand in the block of the next one.
    """

    def __init__(self) -> None:
        self._results: list[tuple[str, Bytes, int]] = []

    def add(self, kind: str, message: Bytes) -> None:
        """Take a result."""
        self._results.append((kind, message, _names_needed(kind, message)))

    def taken(self, names: int | None) -> Iterator[tuple[str, Bytes]]:
        """Those of which so many names are enough, in their order; with None all.

        A result that waits for too long is damaged: it is read without its names.
        """
        while self._results and (names is None or self._is_due(names)):
            kind, message, _ = self._results.pop(0)
            yield kind, message

    def _is_due(self, names: int) -> bool:
        return self._results[0][2] <= names or len(self._results) > _MOST_WAITING


def _names_needed(kind: str, message: Bytes) -> int:
    """How many names a report must have for a result; 0 of a damaged one, which is counted when it is read."""
    try:
        spans = Fields(message).spans(LAYOUTS[kind].metrics)
    except MalformedReport:
        return 0
    found = np.empty((len(spans), 5), np.int64)
    metric_values(message, spans, found)
    return int(found[:, 0].max(initial=-1)) + 1


def ranged(metrics: Sequence[Fields]) -> tuple[str, int | None]:
    """The name of a range, by the functions of its kernels, and how many kernels it holds.

    Args:
        metrics: `NAMES_OF_RANGE`, or nothing.

    Raises:
        MalformedReport: an instance is damaged.
    """
    spans = [metric.spans(3) for metric in metrics]
    count = sum(map(len, spans))
    looked_at = [
        Fields(metric.buffer, *at).part(2).text(1)
        for metric, every in zip(metrics, spans, strict=True)
        for at in every[:_LOOKED_AT].tolist()
    ]
    functions = list(dict.fromkeys(filter(None, looked_at)))
    if not functions:
        return RANGE, count or None
    more = ", …" if len(functions) > _NAMED else ""
    return f"{RANGE}: {', '.join(functions[:_NAMED])}{more}", count
