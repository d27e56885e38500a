"""What every view of steps must say where the host runs ahead of the GPU."""

from __future__ import annotations

import polars as pl

from stepscope.messages.rendering import say


def cpu_ahead_note() -> str:
    """What is to be known of the step time there."""
    return say("section-cpu-ahead")


def host_runs_ahead(steps: pl.DataFrame) -> bool:
    """Whether a step's GPU work ends well after its host range, in a frame like the table ``steps``."""
    return bool((steps["lag_ns"] > 0.1 * steps["duration_ns"]).any())
