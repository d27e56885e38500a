"""GPU time of each rank: computing, communicating, copying, idle (see docs/tables/).

All lengths are lengths of unions over the rank's devices, in ns. Invariant, exact:
``compute + exposed_communication + exposed_memory + idle = span``.

A kernel from 0 to 10, a collective from 6 to 16 and a copy from 20 to 24:

>>> from stepscope.analyses.steps.summary import split
>>> import numpy as np
>>> split(
...     compute=(np.array([0]), np.array([10])),
...     communication=(np.array([6]), np.array([16])),
...     memory=(np.array([20]), np.array([24])),
...     span_ns=24,
... ).exposed_communication_ns
6
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import polars as pl

from stepscope.analyses.gpu.cut_activity import cut_notes
from stepscope.analyses.steps.unions import rank_unions
from stepscope.messages import Message
from stepscope.numeric.intervals import Union, length, merge
from stepscope.schema import KERNEL, MEMCPY, MEMSET, TABLES
from stepscope.store.devices import UNNUMBERED, device_properties, used_devices
from stepscope.store.profile import Profile, Rank


@dataclass(frozen=True)
class Split:
    """How a stretch of GPU time divides, in ns; names as in the table ``summary``."""

    span_ns: int
    busy_ns: int
    idle_ns: int
    compute_ns: int
    communication_ns: int
    exposed_communication_ns: int
    memory_ns: int
    exposed_memory_ns: int
    overlap_pct: float | None


def split(compute: Union, communication: Union, memory: Union, span_ns: int) -> Split:
    """Divide a span that holds three unions."""
    kernels = merge(compute, communication)
    busy = merge(kernels, memory)
    exposed_communication = length(kernels) - length(compute)
    communicated = length(communication)
    return Split(
        span_ns=span_ns,
        busy_ns=length(busy),
        idle_ns=span_ns - length(busy),
        compute_ns=length(compute),
        communication_ns=communicated,
        exposed_communication_ns=exposed_communication,
        memory_ns=length(memory),
        exposed_memory_ns=length(busy) - length(kernels),
        overlap_pct=100.0 * (communicated - exposed_communication) / communicated if communicated else None,
    )


def span_of(activity: pl.DataFrame) -> int:
    """Time from the first start to the last end, activities of no length included, in ns."""
    row = activity.select(pl.col("start_ns").min(), pl.col("end_ns").max()).row(0)
    return int(row[1] - row[0]) if row[0] is not None else 0


def summary(profile: Profile) -> pl.DataFrame:
    """One row per rank, columns of `schema.TABLES` ``summary``."""
    return pl.DataFrame([_row(rank) for rank in profile.ranks], schema=TABLES["summary"].schema)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What of the recorded activity is not counted."""
    return cut_notes(profile)


def _row(rank: Rank) -> dict[str, object]:
    activity = rank.activity
    counts = dict(activity.group_by("activity").len().iter_rows())
    return {
        "rank": rank.number,
        "device": device_name(rank),
        "events": rank.trace.events,
        "steps": len(rank.steps) if rank.has_steps else 0,
        **asdict(split(*rank_unions(rank), span_of(activity))),
        "kernels": counts.get(KERNEL, 0),
        "memcpys": counts.get(MEMCPY, 0),
        "memsets": counts.get(MEMSET, 0),
    }


def device_name(rank: Rank) -> str:
    """Model of the GPUs that worked: "NVIDIA H200", "2 x NVIDIA H200", or "" where the trace does not say."""
    if len(rank.activity) == 0:
        return ""
    numbers = used_devices(rank) or [UNNUMBERED]
    names = [str(device_properties(rank, number).get("name") or "") for number in numbers]
    if len(set(names)) == 1:
        name = names[0] or "GPU"
        if len(names) > 1:
            return f"{len(names)} x {name}"
        return names[0]
    return ", ".join(name or "GPU" for name in names)
