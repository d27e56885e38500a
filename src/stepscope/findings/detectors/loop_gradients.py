"""What the backward pass computes of operators in a loop: it goes where the loop goes."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import Case, inside
from stepscope.findings.top_level_operators import TopLevelOperators, runs
from stepscope.numeric.nested import NOBODY
from stepscope.store.autograd import ACCUMULATES, backward_pass


def gradients_of(case: Case, calls: TopLevelOperators, loops: Ranges) -> Ranges:
    """Where the backward functions of operators in some ranges run, neighbours joined.

    Adding a gradient to that of a parameter is not among them: parameters get one without the loop, too.
    """
    number, times = host_threads(case.rank.whole).numbered(case.rank.whole, "operator")
    forward = backward_pass(case.rank).forward[calls.row]
    row = np.maximum(forward, 0)
    mine = (forward != NOBODY) & inside(loops, number[row], times["start_ns"].to_numpy()[row])
    first, last = runs(mine & ~calls.named(case, f"{ACCUMULATES}$"), calls.begins)
    return calls.together(first, last)
