"""How often GPUs ran below the clock that they could have, and why, by the reasons that their driver sampled.

The reasons are bits of one number: ``clocks_event_reasons.active`` of nvidia-smi (``clocks_throttle_reasons.active``
before), ``CLOCKS_EVENT_REASONS`` of DCGM, ``nvmlDeviceGetCurrentClocksEventReasons`` of NVML.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stepscope.analyses.gpu.counter_samples import SampledCounter, sampled_counters
from stepscope.analyses.gpu.metrics import REASONS, metric_of
from stepscope.numeric.intervals import contains, union
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_REASONS = {
    "power-cap": 0x4,
    "hardware": 0x8,
    "thermal": 0x20 | 0x40,
    "power-brake": 0x80,
}
"""Bits of what takes performance away. An idle GPU, a clock that was set and clocks in step with others are none."""

_IDLE = 0x1


@dataclass(frozen=True)
class Throttled:
    """What a GPU lost clock to.

    Attributes:
        gpu: its number.
        reason: a key of `_REASONS`.
        share_pct: of the samples in which it was not idle.
        samples: these.
    """

    gpu: int
    reason: str
    share_pct: float
    samples: int


def reason_of(bits: int) -> str:
    """What slows a GPU down, by bits of reasons; "" where nothing does.

    >>> reason_of(0x4), reason_of(0x1)
    ('power-cap', '')
    """
    return next((reason for reason, mask in _REASONS.items() if bits & mask), "")


@per_rank
def throttled(rank: Rank) -> list[Throttled]:
    """Why GPUs were slowed down, most first; of the selected steps where there are any, else of all samples."""
    found = [one for counter in sampled_counters(rank) for one in _of_counter(rank, counter)]
    return sorted(found, key=lambda one: (-one.share_pct, one.gpu, one.reason))


def _of_counter(rank: Rank, counter: SampledCounter) -> list[Throttled]:
    if counter.gpu is None or metric_of(counter.name, counter.unit) != REASONS:
        return []
    known = (counter.value >= 0) & (counter.value < 2.0**62)
    steps = rank.steps
    if rank.trace.rows("activity") and len(steps):
        known &= contains(union(steps["start_ns"].to_numpy(), steps["end_ns"].to_numpy()), counter.at)
    bits = counter.value[known].astype(np.int64)
    bits = bits[(bits & _IDLE) == 0]
    shares = {reason: float((bits & mask != 0).mean()) if len(bits) else 0.0 for reason, mask in _REASONS.items()}
    return [Throttled(counter.gpu, reason, 100 * share, len(bits)) for reason, share in shares.items() if share > 0]
