"""What the backward pass computes of operators in a loop: it goes where the loop goes."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import Case, inside
from stepscope.findings.detectors.optimizer import ACCUMULATES
from stepscope.findings.top_level_operators import TopLevelOperators, runs
from stepscope.numeric.nested import NOBODY
from stepscope.store.autograd import backward_pass


def gradients_of(case: Case, calls: TopLevelOperators, loops: Ranges, *, of_parameters: bool) -> Ranges:
    """Where the backward functions of operators in some ranges run, neighbours joined.

    Args:
        of_parameters: with the functions that hand the gradients on to parameters. Where a loop is over the parameters
            of a model, they get gradients without it, too.
    """
    number, times = host_threads(case.rank.whole).numbered(case.rank.whole, "operator")
    forward = backward_pass(case.rank).forward[calls.row]
    row = np.maximum(forward, 0)
    mine = (forward != NOBODY) & inside(loops, number[row], times["start_ns"].to_numpy()[row])
    if not of_parameters:
        mine &= ~calls.named(case, ACCUMULATES)
    first, last = runs(mine, calls.begins)
    return calls.together(first, last)
