"""What the backward pass computes of operators in a loop: it goes where the loop goes."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags
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
    mine = _functions_of(case, calls, loops)
    if not of_parameters:
        mine &= ~calls.named(case, ACCUMULATES)
    first, last = runs(mine, calls.begins)
    return calls.together(first, last)


def parameters_of(case: Case, calls: TopLevelOperators, loops: Ranges) -> int:
    """How many gradients are handed on to parameters by operators in some ranges."""
    return int((_functions_of(case, calls, loops) & calls.named(case, ACCUMULATES)).sum())


def _functions_of(case: Case, calls: TopLevelOperators, loops: Ranges) -> Flags:
    """Which operators are backward functions of operators in some ranges."""
    number, times = host_threads(case.rank.whole).numbered(case.rank.whole, "operator")
    forward = backward_pass(case.rank).forward[calls.row]
    row = np.maximum(forward, 0)
    mine: Flags = (forward != NOBODY) & inside(loops, number[row], times["start_ns"].to_numpy()[row])
    return mine
