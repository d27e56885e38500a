"""What counters over time say, in sentences: what slowed the GPUs down, and the power that they took."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.gpu.counter_samples import SampledCounter, is_telemetry, sampled_counters
from stepscope.analyses.gpu.hardware import hardware_rows
from stepscope.analyses.gpu.throttling import throttled
from stepscope.findings.hardware_verdict import energy_sentences, link_sentences, uneven
from stepscope.messages import Message
from stepscope.store.profile import Rank

_WORTH_PCT = 5.0
_WATTS = {"W": 1.0, "mW": 1e-3}


def telemetry_sentences(rank: Rank) -> tuple[Message, ...]:
    """The sentences on a recording that is telemetry alone."""
    counters = sampled_counters(rank)
    gpus = {counter.gpu for counter in counters if counter.gpu is not None}
    at = np.concatenate([counter.at for counter in counters]) if counters else np.zeros(1, np.int64)
    lead = Message(
        "verdict-telemetry",
        gpus=len(gpus),
        counters=len({one.name for one in counters}),
        span_ns=int(at.max() - at.min()),
    )
    return (
        lead,
        *_power(counters),
        *_host(counters),
        *throttling_sentences(rank),
        *link_sentences(rank),
        *uneven(hardware_rows(rank)),
    )


def throttling_sentences(rank: Rank) -> tuple[Message, ...]:
    """What slowed a rank's GPUs down for more than a few per cent of the time."""
    return tuple(
        Message(f"verdict-throttled-{one.reason}", gpu=one.gpu, share_pct=one.share_pct, samples=one.samples)
        for one in throttled(rank)
        if one.share_pct >= _WORTH_PCT
    )


def of_telemetry(rank: Rank) -> tuple[Message, ...]:
    """What stands behind the verdict on a rank: nothing where the verdict is about telemetry anyway."""
    if is_telemetry(rank):
        return ()
    return (*throttling_sentences(rank), *link_sentences(rank), *energy_sentences(rank))


def _power(counters: list[SampledCounter]) -> tuple[Message, ...]:
    """Power of the GPU that took most."""
    found = [(one, _WATTS[one.unit]) for one in counters if one.unit in _WATTS and one.gpu is not None]
    means = [
        (float(np.nanmean(one.value)) * scale, one, scale) for one, scale in found if not np.isnan(one.value).all()
    ]
    if not means:
        return ()
    mean, counter, scale = max(means, key=lambda one: one[0])
    most = float(np.nanmax(counter.value)) * scale
    return (Message("verdict-telemetry-power", gpu=counter.gpu, mean_watt=round(mean), most_watt=round(most)),)


def _host(counters: list[SampledCounter]) -> tuple[Message, ...]:
    """How busy the cores were, and how long work waited for one, as ``stepscope telemetry`` samples it."""
    means = {
        one.name: float(np.nanmean(one.value)) for one in counters if one.gpu is None and not np.isnan(one.value).all()
    }
    if "cpu.busy" not in means:
        return ()
    waited, throttled_pct = means.get("pressure.cpu_some", 0.0), means.get("cgroup.throttled", 0.0)
    return (
        Message(
            "verdict-host",
            busy_pct=means["cpu.busy"],
            waited="yes" if waited >= _WORTH_PCT else "no",
            waited_pct=waited,
            limited="yes" if throttled_pct >= _WORTH_PCT else "no",
            throttled_pct=throttled_pct,
        ),
    )
