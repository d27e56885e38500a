"""Step time as recorded and without profiler overhead, and the bottleneck (see docs/tables/).

The steps are simulated without what the profiler added to the host's work. The bottleneck follows from that, not from
the recording: with profiler overhead, a step may look host-bound although the GPU is busy all the time.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.critical_path.launching_threads import several_launch
from stepscope.analyses.needs import is_kineto
from stepscope.analyses.simulation.bottleneck_sides import SIDES
from stepscope.analyses.simulation.measured_steps import measured_step
from stepscope.analyses.simulation.model import step_model
from stepscope.analyses.simulation.profiler_overhead import host_speed
from stepscope.analyses.simulation.representative import examined
from stepscope.analyses.simulation.unprofiled import unprofiled_shares, unprofiled_step
from stepscope.analyses.steps.steps import lacks_whole_step
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank


def step_time(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``step_time``, by rank."""
    rows = [row for rank in profile.ranks if (row := rank_step_time(rank)) is not None]
    return pl.DataFrame(rows, schema=TABLES["step_time"].schema)


@per_rank
def rank_step_time(rank: Rank) -> dict[str, Any] | None:
    """The row of a rank, or None where there is nothing to simulate."""
    rank = examined(rank)
    model = step_model(rank)
    if model is None:
        return None
    found = unprofiled_step(rank, model) if is_kineto(rank) else None
    measured = measured_step(rank)
    shares = unprofiled_shares(rank, model)
    return {
        "rank": rank.number,
        "steps": model.of_steps,
        "recorded_ns": round(model.recorded_ns),
        "unprofiled_low_ns": round(found.low) if found else None,
        "unprofiled_ns": round(found.best) if found else None,
        "unprofiled_high_ns": round(found.high) if found else None,
        "measured_low_ns": round(measured.low) if measured else None,
        "measured_ns": round(measured.best) if measured else None,
        "measured_high_ns": round(measured.high) if measured else None,
        "bound": max(SIDES, key=lambda side: shares[side]),
        **{f"{side}_pct": shares[side] for side in SIDES},
        "host_speed": host_speed(rank) if found else None,
    }


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What the estimate rests on."""
    if len(frame) and frame["unprofiled_ns"].null_count() == len(frame):
        return [Message("path-overhead-unknown")]
    if len(frame):
        is_measured = frame["measured_ns"].null_count() == 0
        return [Message("path-measured") if is_measured else Message("path-estimate")]
    if any(map(lacks_whole_step, profile.ranks)):
        return [Message("note-no-rows-because", reason=Message("error-no-whole-step"))]
    several = any(several_launch(rank.whole) for rank in profile.ranks)
    return [Message("path-several-launch") if several else Message("path-no-steps")]
