"""What the difference of the step comes from: the frames in which work changed, and how much longer they make the step.

Of a frame counts what is in it and all that it calls. The search begins at the outermost frame and goes on into the
one in it that has most of the difference, as long as both sides have it. Where that ends is a cause: frames that only
one side has are one cause with what stands in their place on the other side. What a cause explains is taken off the
frames around it, and the search begins again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.simulation.bottleneck_sides import HOST
from stepscope.comparison.bound import RESOURCES
from stepscope.comparison.frames import SUMS, Frames
from stepscope.comparison.names import waits
from stepscope.comparison.sampled import Floats
from stepscope.comparison.untraced import UNTRACED
from stepscope.comparison.work import OPERATOR

MOST = 8
"""Causes that are named."""

LEAST_OF_STEP = 0.005
"""A cause explains at least this share of the step."""

_MOST_OF_IT = 0.5
_SEVERAL = 0.15
"""Of the difference of a frame, what one in it must have for the search to go on there; of several, each."""

_SMALL = 0.1
"""Of frames that only one side has, those with less than this of the largest one of that side are not named."""


@dataclass(frozen=True)
class Cause:
    """A frame whose work changed, or frames of which only one side has each.

    Attributes:
        path: names of the frames around it, outermost first.
        gone, new: frames in it that only the base has, and that only the new side has; of neither, it is the frame
            itself whose work changed.
        kind: of the frame: module, python, annotation or operator.
        effect_ns: by how much it makes the step longer.
        base, work: calls, and work of each resource in ns, a step, of the base and of the new side.
    """

    path: tuple[str, ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]
    kind: str
    effect_ns: float
    base: dict[str, float]
    work: dict[str, float]


@dataclass(frozen=True)
class Attribution:
    """Where the difference of the step comes from.

    Attributes:
        causes: largest effect first.
        host_ns: what the host as a whole being faster or slower explains.
        frames_ns: what all frames together explain, beside that.
    """

    causes: tuple[Cause, ...]
    host_ns: float
    frames_ns: float


def attribution(
    found: Frames,
    cost: Mapping[str, float],
    index: float,
    noise: float,
    step_ns: float,
    others: Collection[str] = (),
) -> Attribution:
    """Find the causes.

    Args:
        cost: of each resource, see `bound.costs`.
        index: logarithm of the host's factor from the base to the new side.
        noise: standard deviation of the logarithm of the ratio of a row of the host.
        step_ns: time of a step, the larger of both sides.
        others: operators of which a side has other inputs.
    """
    both = (found.base["calls"] > 0) & (found.new["calls"] > 0)
    half = np.exp(index / 2)
    effect, host = np.zeros(len(both)), np.zeros(len(both))
    for name in RESOURCES:
        base, new = found.base[name], found.new[name]
        plain = cost[name] * (new - base)
        if name == HOST:
            # On a host as fast as the mean of both, so that exchanging the sides changes nothing but the sign.
            level = np.where(both, cost[name] * (new / half - base * half), plain)
            level = np.where(_may_wait(found), _nearer_zero(level, plain), level)
            host, plain = plain - level, level
        effect += plain
    doubt = _doubt(found, both, cost, noise, others)
    search = _Search(found, both, found.inside(effect), doubt, _in_place(found, cost, noise))
    causes = tuple(search.causes(LEAST_OF_STEP * step_ns))
    return Attribution(
        tuple(sorted(causes, key=lambda cause: -abs(cause.effect_ns))), float(host.sum()), float(effect.sum())
    )


def _may_wait(found: Frames) -> np.ndarray:
    """Frames whose time need not follow the speed of the host: waits, and time in which nothing is recorded."""
    return found.frame.select((pl.col("kind") == UNTRACED) | waits(pl.col("name"))).to_series().to_numpy()


def _nearer_zero(one: Floats, other: Floats) -> Floats:
    """The smaller of each two amounts; nothing where their signs differ."""
    return np.where(one * other > 0, np.where(np.abs(one) < np.abs(other), one, other), 0.0)


def _doubt(found: Frames, both: np.ndarray, cost: Mapping[str, float], noise: float, others: Collection[str]) -> Floats:
    """By how much frames may differ without a change: twice the noise of the work that both sides do equally often, and
    with the same inputs."""
    is_other = ((found.frame["kind"] == OPERATOR) & found.frame["name"].is_in(list(others))).to_numpy()
    often = both & (found.base["calls"] == found.new["calls"]) & ~is_other
    shared = np.where(often, np.maximum(found.base[HOST], found.new[HOST]), 0.0)
    return 2 * noise * cost[HOST] * found.inside(shared)


def _in_place(found: Frames, cost: Mapping[str, float], noise: float) -> Floats:
    """The same of a frame that stands for another one on the other side, by its own work of the host."""
    return 2 * noise * cost[HOST] * found.inside(np.maximum(found.base[HOST], found.new[HOST]))


class _Search:
    """The search for causes in a tree."""

    def __init__(self, found: Frames, both: np.ndarray, left: Floats, doubt: Floats, in_place: Floats) -> None:
        self.found, self.both, self.left, self.doubt, self.in_place = found, both, left, doubt, in_place
        self._sides = (found.base, found.new)
        self.inner: list[list[int]] = [[] for _ in range(len(both) + 1)]
        for row, around in enumerate(found.outer.tolist()):
            self.inner[around].append(row)
        # A frame that neither side opens in a step lies around all of them.
        self.both = self.both | ((found.base["calls"] == 0) & (found.new["calls"] == 0))

    def causes(self, least: float) -> Iterator[Cause]:
        """One after another, each the largest that is left."""
        named = 0
        while named < MOST and (rows := self._next(least)):
            if not self._is_noise(rows):
                named += 1
                yield self._cause(rows)
            self._take_off(rows)

    def _next(self, least: float) -> list[int]:
        """The frame at which a search ends, or several frames of one side each; nothing where no difference is left."""
        at, inside = -1, self.inner[-1]
        while inside:
            size = abs(self.left[at]) if at >= 0 else 0.0
            single = [row for row in inside if not self.both[row] and self.left[row]]
            shared = [row for row in inside if self.both[row]]
            best = max(shared, key=lambda row: abs(self.left[row]), default=-1)
            of_best = abs(self.left[best]) if best >= 0 else 0.0
            of_single = abs(sum(self.left[row] for row in single))
            if max(of_best, of_single) < max(least, _MOST_OF_IT * size):
                large = [row for row in shared if abs(self.left[row]) >= max(least, _SEVERAL * size)]
                if len(large) < 2:
                    break
            if of_single >= of_best:
                return single if of_single >= least else []
            at, inside = best, self.inner[best]
        return [at] if at >= 0 and abs(self.left[at]) >= least else []

    def _is_noise(self, rows: list[int]) -> bool:
        """Whether rows may differ by as much without a change."""
        amount = abs(sum(self.left[row] for row in rows))
        if self.both[rows[0]]:
            return bool(amount <= self.doubt[rows[0]])
        sides = [sum(self.in_place[row] for row in rows if (side["calls"][row] > 0)) for side in self._sides]
        return bool(amount <= min(sides))

    def _take_off(self, rows: list[int]) -> None:
        """Nothing is left of some frames and of those in them; those around them have less by as much."""
        for at in rows:
            amount = self.left[at]
            stack = [at]
            while stack:
                row = stack.pop()
                self.left[row] = 0.0
                stack += self.inner[row]
            around = int(self.found.outer[at])
            while around >= 0:
                self.left[around] -= amount
                around = int(self.found.outer[around])

    def _cause(self, rows: list[int]) -> Cause:
        names, kinds = self.found.frame["name"], self.found.frame["kind"]
        shared = self.both[rows[0]]
        ordered = sorted(rows, key=lambda row: -abs(self.left[row]))
        single = (
            [[row for row in ordered if side["calls"][row] > 0] for side in self._sides] if not shared else [[], []]
        )
        gone, new = ([names[row] for row in self._large(one)] for one in single)
        path: list[str] = []
        row = rows[0] if shared else int(self.found.outer[rows[0]])
        while row >= 0:
            path.append(names[row])
            row = int(self.found.outer[row])
        inside = [self._below(row) for row in rows]
        every = np.concatenate(inside)
        sides = [{name: float(side[name][every].sum()) for name in SUMS} for side in (self.found.base, self.found.new)]
        amount = float(sum(self.left[row] for row in rows))
        return Cause(tuple(reversed(path)), tuple(gone), tuple(new), kinds[ordered[0]], amount, *sides)

    def _large(self, rows: list[int]) -> list[int]:
        """Of frames that only one side has, largest first, those that matter."""
        return [row for row in rows if abs(self.left[row]) >= _SMALL * abs(self.left[rows[0]])]

    def _below(self, at: int) -> np.ndarray:
        """A frame and all in it."""
        rows, stack = [], [at]
        while stack:
            row = stack.pop()
            rows.append(row)
            stack += self.inner[row]
        return np.array(rows)
