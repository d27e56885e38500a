"""What the hardware says, in sentences: energy of a step, GPUs that differ, links that are full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from stepscope.analyses.gpu.hardware import hardware_rows
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

_LEAST_SAMPLES = 10
"""Nothing is said of a GPU from fewer."""

_UNEVEN_POINTS = 20.0
"""So many points of utilization below the other GPUs' median are worth a sentence."""

_UNEVEN_CLOCK, _UNEVEN_POWER = 0.95, 0.8
"""Below such a share of the others' median."""

_FULL_PCT = 80.0
"""A link whose 95th percentile is beyond this share of what it carries is full: protocol takes the rest."""


def energy_sentences(rank: Rank) -> tuple[Message, ...]:
    """What a step takes, over all GPUs of a rank whose samples tell."""
    known = [row for row in hardware_rows(rank) if row["energy_step_j"] is not None]
    if not known:
        return ()
    joule, steps = sum(row["energy_step_j"] for row in known), known[0]["steps"]
    samples = sum(row["samples"] for row in known) / len(known) / steps
    gpus = len(known)
    return (Message("verdict-energy", joule=round(joule, 1), gpus=gpus, steps=steps, samples=round(samples, 1)),)


def link_sentences(rank: Rank) -> tuple[Message, ...]:
    """Links to the host that are full."""
    return tuple(
        Message("verdict-pcie-full", gpu=row["gpu"], share_pct=row["pcie_pct"], samples=row["samples"])
        for row in hardware_rows(rank)
        if row["pcie_pct"] is not None and row["pcie_pct"] >= _FULL_PCT and row["samples"] >= _LEAST_SAMPLES
    )


def uneven_over_ranks(profile: Profile) -> tuple[Message, ...]:
    """GPUs of different ranks that differ; of one rank nothing, as a log may hold GPUs of other programs."""
    rows = [row for rank in profile.ranks for row in hardware_rows(rank)]
    return uneven(rows) if len({row["rank"] for row in rows}) > 1 else ()


def uneven(rows: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
    """The GPU that differs most from the others: in how long it worked, else in its clock, else in its power."""
    enough = [row for row in rows if row["samples"] >= _LEAST_SAMPLES]
    for column, message, points, share in (
        ("utilization_pct", "verdict-uneven-utilization", _UNEVEN_POINTS, 1.0),
        ("sm_clock_mhz", "verdict-uneven-clock", 0.0, _UNEVEN_CLOCK),
        ("power_w", "verdict-uneven-power", 0.0, _UNEVEN_POWER),
    ):
        known = [row for row in enough if row[column] is not None]
        if len(known) < 2:
            continue
        least = min(known, key=lambda row: (row[column], row["rank"], row["gpu"]))
        usual = median(row[column] for row in known if row is not least)
        if least[column] < usual * share and least[column] <= usual - points:
            several = len({row["rank"] for row in known}) > 1
            facts = {"own": round(least[column]), "usual": round(usual), "gpus": len(known)}
            return (Message(message, gpu=least["gpu"], rank=str(least["rank"]) if several else None, **facts),)
    return ()
