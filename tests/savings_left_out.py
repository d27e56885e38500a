"""Parameters of the profiler overhead, fitted without one program: what its recordings are judged with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

import stepscope
from stepscope.analyses.simulation import profiler_overhead
from stepscope.analyses.simulation.model import step_model
from stepscope.analyses.simulation.profiler_overhead import Slowdown, is_compiled, slowdown
from stepscope.analyses.simulation.typical_steps import typical_pace

DEEP = "WITH_STACKS"
LIGHT = "WITHOUT_STACKS"

PYTHON = ((2.0, 1_500), (3.0, 1_000), (3.0, 1_250), (4.0, 1_000), (6.0, 1_000))

GRID = {
    DEEP: [
        Slowdown(divisor, most, *python)
        for divisor, most, python in product((2.0, 2.5, 3.0), (1_000, 1_500, 2_500), PYTHON)
    ],
    LIGHT: [Slowdown(each, most, each, most) for each, most in product((1.35, 1.4, 1.45, 1.5), (2_000, 2_500, 4_000))],
}
"""What is chosen from, with stacks and without; the product's own are among them."""


@dataclass(frozen=True)
class Timed:
    """A recording whose steps were also timed without the profiler, in ns."""

    program: str
    path: Path
    truth_ns: float


@cache
def errors(recordings: tuple[Timed, ...], kind: str) -> np.ndarray:
    """Logarithm of estimated over measured, by the parameters of the grid and by recording."""
    return np.array([_errors_of(one, kind) for one in recordings]).T


def _errors_of(recording: Timed, kind: str) -> list[float]:
    rank = stepscope.open(str(recording.path)).profile.ranks[0]
    model = step_model(rank)
    assert model is not None
    if is_compiled(rank):  # has parameters of its own
        return [np.nan] * len(GRID[kind])
    typical = typical_pace(rank, model)
    found = []
    for each in GRID[kind]:
        with fitted(kind, each):
            found.append(float(np.log(model.step_ns(slowdown(rank).removed(model, typical)) / recording.truth_ns)))
    return found


def fitted_without(program: str, recordings: tuple[Timed, ...], kind: str) -> Slowdown:
    """The parameters that suit all other programs best: by the mean error, and half of the ninth of ten."""
    others = [one.program != program for one in recordings]
    left = np.abs(errors(recordings, kind)[:, others])
    score = np.nanmean(left, axis=1) + 0.5 * np.nanquantile(left, 0.9, axis=1)
    return GRID[kind][int(np.argmin(score))]


@contextmanager
def fitted(kind: str, parameters: Slowdown) -> Iterator[None]:
    """Estimate with other parameters."""
    usual = getattr(profiler_overhead, kind)
    setattr(profiler_overhead, kind, parameters)
    try:
        yield
    finally:
        setattr(profiler_overhead, kind, usual)
