"""Checks of a recorded input pipeline: what its files lost."""

from __future__ import annotations

from stepscope.analyses.input_pipeline.recorded import recorded_pipeline
from stepscope.analyses.recording.check import WARNING, Check
from stepscope.messages import Message
from stepscope.store.profile import Rank


def doubled_samples(rank: Rank) -> Check | None:
    """Samples of the machine that were stored twice, with half of two series lost."""
    recorded = recorded_pipeline(rank)
    if recorded is None or not recorded.trace.meta.get("samples_doubled"):
        return None
    return Check("cpu_samples", WARNING, Message("check-samples-doubled"), Message("input-cpu-doubled"))


PIPELINE = [doubled_samples]
