"""The stack of every forward operator, which autograd's anomaly detection keeps."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import NOWHERE, Case, outermost
from stepscope.store.autograd import backward_pass

_FORMATTED = r"(?:^|[/\\])traceback\.py\(\d+\): (?:format_stack|extract_stack)$"

_QUANTILE = (0.02, 0.25, 0.5)
"""By effort, among the forward operators: as long as a stack takes, and hardly longer, are those with little work."""

_MOST_OF_OPERATOR = 0.9


def kept_stacks(case: Case, effort: int) -> Ranges:
    """Where the stacks are taken: in Python as recorded, else at the beginning of each forward operator.

    Without Python frames only the operators are known, and that a stack was taken in each of those that have a
    backward function. The shorter ones of them (views, additions of small tensors) do little else.
    """
    frames = outermost(case.named(_FORMATTED, "python"))
    if len(frames.start) and case.model.host.clocks:
        return _with_what_is_around(case, frames, effort)
    forward = case.rows("operator", backward_pass(case.rank).differentiated)
    forward = forward.chosen(forward.start >= case.model.window[0])
    if len(forward.start) == 0:
        return NOWHERE
    duration = forward.end - forward.start
    taken = float(np.quantile(duration, _QUANTILE[effort]))
    length = np.minimum(_MOST_OF_OPERATOR * duration, taken).astype(np.int64)
    return outermost(Ranges(forward.thread, forward.start, forward.start + length))


def _with_what_is_around(case: Case, frames: Ranges, effort: int) -> Ranges:
    """Ranges from where something was last recorded before them: autograd's node is made between.

    The text is handed over behind them, before the operator's own work: at best, all up to the next event is that.
    """
    clock = case.model.host.clocks[0]
    mine, last = frames.thread == clock.thread, len(clock.at) - 1
    before = clock.at[np.maximum(np.searchsorted(clock.at, frames.start) - 1, 0)]
    behind = clock.at[np.minimum(np.searchsorted(clock.at, frames.end) + (effort == 2), last)]
    return Ranges(frames.thread, np.where(mine, before, frames.start), np.where(mine, behind, frames.end))
