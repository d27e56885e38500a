"""What each GPU took and how fast it ran: power, energy a step, clocks, temperature, throttling (see docs/tables/).

Samples count that lie in the steps, as the GPU sees them; of telemetry alone all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.gpu.counter_samples import SampledCounter, is_telemetry
from stepscope.analyses.gpu.metrics import (
    ENERGY,
    PCIE_GENERATION,
    PCIE_LANES,
    PCIE_RX,
    PCIE_TX,
    POWER,
    POWER_LIMIT,
    REASONS,
    SM_CLOCK,
    TEMPERATURE,
    UTILIZATION,
    measured,
)
from stepscope.analyses.gpu.throttling import throttled
from stepscope.analyses.steps.steps import rank_steps, step_windows, uncut
from stepscope.messages import Message
from stepscope.numeric.intervals import Union, contains, covered_within, length, union
from stepscope.schema import TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

Floats = npt.NDArray[np.float64]

LEAST_SAMPLES = 5
"""No energy of a step is given from fewer samples in the steps."""

_LEAST_COVERAGE_PCT = 80.0
_BUSY_PCT = 50.0

_LANE_BYTES_PER_S = {1: 0.25e9, 2: 0.5e9, 3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.563e9}
"""What a lane of each generation of PCIe carries in a direction at most (PCI Express Base Specification)."""


def hardware(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``hardware``, by rank and GPU."""
    rows = [row for rank in profile.ranks for row in hardware_rows(rank)]
    return pl.DataFrame(rows, schema=TABLES["hardware"].schema)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Of which GPUs the samples are too few for the energy of a step."""
    few = frame.filter(pl.col("energy_step_j").is_null() & pl.col("power_w").is_not_null() & (pl.col("steps") > 0))
    if len(few) == 0:
        return []
    return [Message("note-hardware-few-samples", least=LEAST_SAMPLES, gpus=sorted(set(few["gpu"])))]


@per_rank
def hardware_rows(rank: Rank) -> list[dict[str, Any]]:
    """A row for each GPU that anything known was sampled of."""
    counters = measured(rank)
    return [
        _row(rank, gpu, {metric: one for (of, metric), one in counters.items() if of == gpu})
        for gpu in sorted({gpu for gpu, _ in counters})
    ]


def windows_of(rank: Rank) -> Union | None:
    """The steps as the GPU sees them; None of telemetry alone, of which all counts."""
    return None if is_telemetry(rank) and rank.chosen is None else union(*step_windows(uncut(rank_steps(rank))))


def values_in(counter: SampledCounter | None, window: Union | None) -> Floats:
    """Known values of a counter in some time."""
    if counter is None:
        return np.zeros(0)
    inside = counter.value if window is None else counter.value[contains(window, counter.at)]
    return inside[~np.isnan(inside)]


def _row(rank: Rank, gpu: int, by: dict[str, SampledCounter]) -> dict[str, Any]:
    window = windows_of(rank)
    main = by.get(POWER) or by.get(SM_CLOCK) or next(iter(by.values()))
    power, clock = values_in(by.get(POWER), window), _busy_clock(by, window)
    slowed = next((one for one in throttled(rank) if one.gpu == gpu), None)
    energy, steps = (None, 0) if window is None else _energy(rank, by, window)
    return {
        "rank": rank.number,
        "gpu": gpu,
        "steps": steps,
        "samples": len(values_in(main, window)),
        "interval_ns": main.interval_ns,
        "energy_step_j": energy,
        "power_w": _mean(power),
        "power_max_w": _most(power),
        "power_limit_w": _most(values_in(by.get(POWER_LIMIT), None)),
        "sm_clock_mhz": _mean(clock),
        "sm_clock_min_mhz": float(clock.min()) if len(clock) else None,
        "temperature_c": _most(values_in(by.get(TEMPERATURE), window)),
        "utilization_pct": _mean(values_in(by.get(UTILIZATION), window)),
        "throttled_pct": slowed.share_pct if slowed else 0.0 if len(values_in(by.get(REASONS), window)) else None,
        "reason": slowed.reason if slowed else None,
        "pcie_pct": _pcie_pct(by, window),
    }


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _most(values: Floats) -> float | None:
    return float(values.max()) if len(values) else None


def _busy_clock(by: dict[str, SampledCounter], window: Union | None) -> Floats:
    """SM clocks while the GPU worked: in the steps, or where its utilization was sampled with the clock, when high."""
    clock, used = by.get(SM_CLOCK), by.get(UTILIZATION)
    if clock is None or window is not None or used is None or not np.array_equal(clock.at, used.at):
        return values_in(clock, window)
    busy = (used.value >= _BUSY_PCT) & ~np.isnan(clock.value)
    found: Floats = clock.value[busy]
    return found


def _energy(rank: Rank, by: dict[str, SampledCounter], window: Union) -> tuple[float | None, int]:
    """Energy of a step in J, and how many steps it is of: by the counter of energy, else as the integral of power.

    Null from few samples, or where they leave much of the steps out; what they leave out is taken to be like the rest.
    """
    steps = len(uncut(rank_steps(rank)))
    energy = by.get(ENERGY)
    counted = None if energy is None else _counted(energy, window)
    if counted is not None:
        return counted / steps, steps
    power = by.get(POWER)
    if power is None or power.interval_ns is None or len(values_in(power, window)) < LEAST_SAMPLES:
        return None, steps
    known = ~np.isnan(power.value)
    at, value = power.at[known], power.value[known]
    reach = np.append(np.minimum(np.diff(at), 2 * power.interval_ns), power.interval_ns)
    held = covered_within(window, at, at + reach)
    covered, whole = int(held.sum()), length(window)
    if whole <= 0 or 100.0 * covered < _LEAST_COVERAGE_PCT * whole:
        return None, steps
    return float((held * value).sum() / 1e9) * whole / covered / steps, steps


def _counted(energy: SampledCounter, window: Union) -> float | None:
    """Energy in some time by a counter that only grows, in J; None where it does not, or does not reach so far."""
    known = ~np.isnan(energy.value)
    at, value = energy.at[known], energy.value[known]
    inside = contains(window, at)
    reaches = len(at) > 0 and at[0] <= window[0][0] and at[-1] >= window[1][-1]
    if not reaches or inside.sum() < LEAST_SAMPLES or (np.diff(value) < 0).any():
        return None
    origin = at[0]
    begin, end = (np.interp((times - origin).astype(float), (at - origin).astype(float), value) for times in window)
    return float((end - begin).sum())


def _pcie_pct(by: dict[str, SampledCounter], window: Union | None) -> float | None:
    """95th percentile of the traffic in the direction with more, as a share of what the link carries, where known."""
    generation, lanes = _most(values_in(by.get(PCIE_GENERATION), None)), _most(values_in(by.get(PCIE_LANES), None))
    traffic = [values_in(by.get(name), window) for name in (PCIE_TX, PCIE_RX)]
    peaks = [float(np.quantile(values, 0.95)) for values in traffic if len(values)]
    if not peaks or not lanes or generation is None or int(generation) not in _LANE_BYTES_PER_S:
        return None
    return 100.0 * max(peaks) / (_LANE_BYTES_PER_S[int(generation)] * lanes)
