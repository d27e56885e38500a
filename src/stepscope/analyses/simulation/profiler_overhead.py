"""How much the profiler slowed the host down, and how long the steps would take without it.

The profiler records something whenever an event begins or ends, so each interval between two of those timestamps
contains a part of its work. An interval is shortened by that, but never below a share of its length: in one of a
microsecond there is hardly anything else, and a long one is work that is not subdivided. Both figures depend on what
was recorded. They were fitted to steps timed with and without the profiler (see docs/what-if.md); a host on which the
same calls take longer than on that one is taken to be slower in all of its profiling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from stepscope.analyses.needs import is_kineto
from stepscope.analyses.simulation.host_clock import Floats, HostClock
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.numeric.intervals import contains
from stepscope.numeric.replay import Activities
from stepscope.numeric.worked import shortened
from stepscope.store.profile import Rank

NODE_NS = 450
"""Between two nodes of a graph; measured with and without the profiler."""


@dataclass(frozen=True)
class Slowdown:
    """What the profiler adds to each interval of the host.

    Attributes:
        divisor: an interval is never shortened to less than its length divided by this.
        most_ns: nor by more than this.
        python_divisor, python_most_ns: the same between events of Python functions.
        node_ns: what is added between two nodes of a CUDA graph.
    """

    divisor: float
    most_ns: float
    python_divisor: float
    python_most_ns: float
    node_ns: int = NODE_NS

    def pace(self, clock: HostClock, typical: Floats) -> Floats:
        """By what to multiply the length of each interval, without what the profiler took for buffers of its own.

        Args:
            typical: by interval, by what to multiply it for a typical step.
        """
        share = np.where(clock.python, 1 - 1 / self.python_divisor, 1 - 1 / self.divisor)
        most = np.where(clock.python, self.python_most_ns, self.most_ns)
        return shortened(clock.length, clock.of_program(), typical, share, most)

    def scaled(self, by: float) -> Slowdown:
        """The same with more or less added."""
        divisor, python_divisor = (1 + (one - 1) * by for one in (self.divisor, self.python_divisor))
        return Slowdown(divisor, self.most_ns * by, python_divisor, self.python_most_ns * by, self.node_ns)

    def removed(self, model: StepModel, typical: Sequence[Floats]) -> Edit:
        """The recorded steps without it, each as long as is typical."""
        pace = tuple(self.pace(clock, own) for clock, own in zip(model.host.clocks, typical, strict=True))
        return replace(
            model.unchanged(), pace=pace, own=1 / self.divisor, activities=_without_node_time(model, self.node_ns)
        )


def _without_node_time(model: StepModel, node_ns: int) -> Activities:
    """Activities without what the profiler adds to each node of a CUDA graph."""
    launches = model.host.items.filter(pl.col("last") - pl.col("first") > 1)
    first, last = launches["first"].to_numpy(), launches["last"].to_numpy()
    in_graph = contains((first, last), np.arange(len(model.gpu.rows)))
    activities = model.gpu.activities
    return activities._replace(gap=np.where(in_graph, np.maximum(activities.gap - node_ns, 0), activities.gap))


WITH_STACKS = Slowdown(2.5, 1_500, 3.0, 1_250)
WITHOUT_STACKS = Slowdown(1.45, 2_500, 1.45, 2_500)

LEAST, MOST = 0.5, 1.7
"""The slowdown may have been this much smaller or larger: what nine of ten steps lie in, with and without stacks."""

COMPILED_WITH_STACKS = Slowdown(2.54, 5_500, 7.6, 5_500)
COMPILED_WITHOUT_STACKS = Slowdown(1.99, 5_500, 1.99, 5_500)
COMPILED_LEAST, COMPILED_MOST = 0.45, 2.3
"""Under torch.compile more is added, since its wrappers do work of their own for the profiler; how much differs. Fitted
to two programs only, so the range is wide."""

_COMPILED = r"^Torch-Compiled Region|^## Call CompiledFxGraph"

_REFERENCES = (
    ("runtime", r"^cudaLaunchKernel(?:ExC)?$", 6_000.0),
    ("operator", r"^aten::empty$", 4_000.0),
    ("python", r"^<built-in function (?:isinstance|len)>$|^<built-in method append of list", 120.0),
)
"""Events that do the same everywhere, and their median length on the host of the fit, in ns."""

_ENOUGH = 50
_OF_SPEED = 1.5
"""The profiler's own work takes longer on a slow host by this power of what other work does."""

_SLOWEST, _FASTEST = 1.6, 1.0
"""A host is not taken to be further from that of the fit than the recordings of the fit were from each other."""


NOTHING_KNOWN = Slowdown(1.0, 0.0, 1.0, 0.0, 0)
"""Of another recorder than Kineto: nothing was measured of its work, so the recorded steps stand as they are."""


def slowdowns(rank: Rank) -> tuple[Slowdown, Slowdown, Slowdown]:
    """What the profiler added in this recording as far as is known, the most and the least that it may have been."""
    if not is_kineto(rank):
        return (NOTHING_KNOWN,) * 3
    usual = slowdown(rank)
    most, least = (COMPILED_MOST, COMPILED_LEAST) if is_compiled(rank) else (MOST, LEAST)
    return usual, usual.scaled(most), usual.scaled(least)


def slowdown(rank: Rank) -> Slowdown:
    """What the profiler added in this recording, as far as is known."""
    compiled = is_compiled(rank)
    if not rank.trace.rows("python"):
        return COMPILED_WITHOUT_STACKS if compiled else WITHOUT_STACKS
    usual = COMPILED_WITH_STACKS if compiled else WITH_STACKS
    return usual.scaled(host_speed(rank) ** _OF_SPEED)


def is_compiled(rank: Rank) -> bool:
    """Whether some of the program was compiled by torch.compile."""
    codes = rank.trace.codes(lambda text: text.str.contains(_COMPILED)).implode()
    tables = ("operator", "annotation")
    return any(rank.trace.frame(table, ["name"])["name"].is_in(codes).fill_null(False).any() for table in tables)


def host_speed(rank: Rank) -> float:
    """How much longer the same events take than on the host of the fit: 1 where that is unknown."""
    found = []
    for table, pattern, usual in _REFERENCES:
        codes = rank.trace.codes(lambda text, pattern=pattern: text.str.contains(pattern))  # type: ignore[misc]
        frame = rank.trace.frame(table, ["name", "duration_ns"])
        lengths = frame.filter(pl.col("name").is_in(codes.implode()))["duration_ns"]
        if len(lengths) >= _ENOUGH:
            found.append(np.log(max(1.0, float(lengths.median())) / usual))  # type: ignore[arg-type]
    return float(np.clip(np.exp(np.mean(found)), _FASTEST, _SLOWEST)) if found else 1.0
