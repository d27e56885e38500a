"""What is left of operators that run again and again over small parts when one call works on all parts."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.simulation.edits import Ranges
from stepscope.analyses.simulation.unprofiled import unprofiled
from stepscope.findings.detector_context import Case, inside
from stepscope.findings.top_level_operators import TopLevelOperators

_CALLING_NS, _SMALL_NS = 8_000, 33_000
"""What calling a small operator takes without the profiler, with what Python does around it; and up to what it has so
little work that a large operator does it much faster. Work beyond that takes as long in any."""

_CONVOLVING = {
    r"^aten::(?:conv\d?d?|convolution|_convolution)$": 40_000,
    r"^autograd::engine::evaluate_function: ConvolutionBackward\d+$": 50_000,
}
"""What calling a convolution takes on a CPU, by name: oneDNN prepares its weights and looks for a primitive each time
(32 to 62 us forward and 37 to 107 backward, between batches of 1 and 24, 2 and 16)."""

OF_SMALL, OF_LARGE = (0.5, 0.2, 0.1), (1.0, 0.9, 0.6)
"""What is left of such work, by effort."""

CALLS = (8, 2, 1)
"""Repetitions' worth of calls that are left, by effort."""

_BESIDE_BACKWARD = r"^autograd::engine::evaluate_function: (?:Unbind|Stack|Cat|Split|SplitWithSizes|Chunk)Backward\d+$"

_GRADIENT_OF_A_PIECE = r"^autograd::engine::evaluate_function: (?:Select|Slice|Narrow|AsStrided)Backward\d+$"
"""Writes the gradient of a piece into one of the size of the whole, which is zero elsewhere, and adds that up."""

BESIDE = r"^aten::(?:unbind|stack|cat)$"


def left_of(
    case: Case, calls: TopLevelOperators, ranges: Ranges, times: int, kept: tuple[int, ...] = CALLS
) -> tuple[float, ...]:
    """Share of the host's time in some ranges that is left, by effort.

    Args:
        times: repetitions in them.
        kept: of how many of them the calls are left, by effort.
    """
    small, large = _work(case, calls, ranges)
    by_effort = zip(kept, OF_SMALL, OF_LARGE, strict=True)
    return tuple(min(1.0, left / times + of_small * small + of_large * large) for left, of_small, of_large in by_effort)


def _work(case: Case, calls: TopLevelOperators, ranges: Ranges) -> tuple[float, float]:
    """Shares of the operators' time in some ranges that are not their calls: of small work, and of what goes beyond.

    What takes a tensor to pieces and joins the results is no work: one call for all needs no pieces.
    """
    if case.on_gpu:
        return 0.0, 0.0  # the CPU only launches
    which = inside(ranges, calls.ranges.thread, calls.ranges.start)
    mine = calls.ranges.chosen(which)
    pace = unprofiled(case.rank, case.model).edits[0].pace
    took = np.zeros(len(mine.start))
    for clock, own in zip(case.model.host.clocks, pace, strict=True):
        of = mine.thread == clock.thread
        took[of] = clock.worked(mine.end[of], own) - clock.worked(mine.start[of], own)
    total = max(1.0, float(took.sum()))
    took[calls.named(case, f"{BESIDE}|{_BESIDE_BACKWARD}|{_GRADIENT_OF_A_PIECE}")[which]] = 0.0
    calling = np.full(len(took), _CALLING_NS)
    for pattern, takes_ns in _CONVOLVING.items():
        calling[calls.named(case, pattern)[which]] = takes_ns
    work, most_small = np.maximum(took - calling, 0), _SMALL_NS - _CALLING_NS
    small = np.minimum(work, most_small)
    return float(small.sum()) / total, float((work - small).sum()) / total
