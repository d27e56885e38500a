"""Two lists of calls laid against each other, where some are missing from one."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

import numpy as np
import numpy.typing as npt

from stepscope.numeric.intervals import Ints

Values = npt.NDArray[Any]

_MOST_SHIFT = 2_000
_MOST_PAIRS = 4_000_000
_LEAST_SHARE = 0.5
"""Two lists that overlap by less of the shorter one are not compared: few calls agree by chance."""


def lay(values: Values, model: Values, times: Ints, model_times: Ints) -> Ints:
    """For each value the index of the model's element that it is, ascending; -1 for none.

    Of all ways to lay them the one in which most agree; of those, that in which they lie nearest in time.

    >>> lay(np.array([1, 3, 9]), np.array([1, 2, 3]), np.array([0, 20, 30]), np.array([0, 10, 20]))
    array([ 0,  2, -1])
    >>> lay(np.array([1, 1]), np.array([1, 1, 1]), np.array([0, 21]), np.array([0, 10, 20]))
    array([0, 2])
    """
    if len(values) * len(model) > _MOST_PAIRS:
        return _lay_long(values, model)
    near = np.exp(-np.abs(times[:, None] - model_times[None, :]) / max(1.0, _spacing(model_times)))
    worth = np.where(values[:, None] == model[None, :], 1.0 + near / (len(values) + 1), 0.0)
    best = np.zeros((len(values) + 1, len(model) + 1))
    for row in range(len(values)):
        taken = np.maximum(best[row, :-1] + worth[row], best[row, 1:])
        best[row + 1, 1:] = np.maximum.accumulate(taken)
    return _traced(worth, best)


def _traced(worth: npt.NDArray[np.float64], best: npt.NDArray[np.float64]) -> Ints:
    """The way that leads to the best sum, walked back."""
    found = np.full(worth.shape[0], -1, np.int64)
    row, column = worth.shape
    while row and column:
        if best[row, column] == best[row, column - 1]:
            column -= 1
        elif best[row, column] == best[row - 1, column]:
            row -= 1
        else:
            row, column = row - 1, column - 1
            found[row] = column
    return found


def _spacing(times: Ints) -> float:
    return float(np.median(np.diff(times))) if len(times) > 1 else 1.0


def _lay_long(values: Values, model: Values) -> Ints:
    """The same without times, for lists too long to compare each with each."""
    found = np.full(len(values), -1, np.int64)
    for block in SequenceMatcher(None, values.tolist(), model.tolist(), autojunk=False).get_matching_blocks():
        found[block.a : block.a + block.size] = np.arange(block.b, block.b + block.size)
    return found


def best_shift(calls: tuple[Values, Ints, Ints], model: tuple[Values, Ints, Ints]) -> int:
    """By how much the index of a rank's calls has to be raised to be the model's.

    Of all shifts that let most names agree, the one under which most calls overlap in time; then the one under which
    they begin nearest to each other. Each argument: what the calls are, their starts and ends in ns.
    """
    (names, start, end), (model_names, model_start, model_end) = calls, model
    least = max(1, int(_LEAST_SHARE * min(len(names), len(model_names))))
    low = max(-_MOST_SHIFT, least - len(names))
    high = min(_MOST_SHIFT, len(model_names) - least)
    best = (-1.0, -1.0, float("-inf"), 0)
    for shift in range(low, high + 1):
        mine = slice(max(0, -shift), min(len(names), len(model_names) - shift))
        theirs = slice(mine.start + shift, mine.stop + shift)
        agree = names[mine] == model_names[theirs]
        overlap = (start[mine] < model_end[theirs]) & (model_start[theirs] < end[mine])
        apart = float(np.median(np.abs(start[mine] - model_start[theirs])))
        score = (float(agree.mean()), float((agree & overlap).mean()), -apart, -shift)
        best = max(best, score)
    return -int(best[3])
