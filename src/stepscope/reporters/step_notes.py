"""What every view of steps must say where the host runs ahead of the GPU."""

from __future__ import annotations

import polars as pl

HOST_AHEAD_NOTE = "the host runs ahead of the GPU: the GPU's period, not the host's range, is the step's time"


def host_runs_ahead(steps: pl.DataFrame) -> bool:
    """Whether a step's GPU work ends well after its host range, in a frame like the table ``steps``."""
    return bool((steps["lag_ns"] > 0.1 * steps["duration_ns"]).any())
