"""What no change of a step can take away: the work of the GPU that it leaves as it is."""

from __future__ import annotations

from stepscope.analyses.simulation.edits import busy_by_stream
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.analyses.simulation.unprofiled import unprofiled_step
from stepscope.store.profile import Rank


def most_saved_pct(rank: Rank, model: StepModel, edit: Edit) -> float:
    """How much of a step an edit can save at most, in per cent of the step without the profiler.

    Activities that the edit leaves as they are run one after another on their stream, however early they are launched:
    the step stays at least as long as the busiest stream. Of the range of the step, this takes the longest.
    """
    longest = unprofiled_step(rank, model).high
    return 100 * (1 - _kept_ns(model, edit) / longest) if longest > 0 else 100.0


def _kept_ns(model: StepModel, edit: Edit) -> float:
    """Time of one step that the busiest stream takes for what an edit leaves as it is."""
    before = model.gpu.activities
    same = ~edit.gone & (edit.activities.duration == before.duration)
    return float(busy_by_stream(model, before.stream, before.duration * same)[1].max(initial=0.0))
