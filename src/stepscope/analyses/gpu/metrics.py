"""What counters measure: nvidia-smi, dmon, DCGM, NVML and torch have a name each for the power of a GPU.

Names: ``nvidia-smi --help-query-gpu``, ``nvidia-smi dmon -h``, ``dcgm_fields.h``, and what torch's monitor writes.
"""

from __future__ import annotations

import re
from dataclasses import replace

from stepscope.analyses.gpu.counter_samples import SampledCounter, sampled_counters
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

POWER, ENERGY, SM_CLOCK, TEMPERATURE, UTILIZATION, REASONS = (
    "power",
    "energy",
    "sm_clock",
    "temperature",
    "utilization",
    "throttle_reasons",
)
PCIE_TX, PCIE_RX, POWER_LIMIT, PCIE_GENERATION, PCIE_LANES = (
    "pcie_tx",
    "pcie_rx",
    "power_limit",
    "pcie_generation",
    "pcie_lanes",
)

_NAMES = {
    POWER: r"power(_draw)?(_average|_instant)?|pwr|power_usage",
    ENERGY: r"(total_)?energy(_consumption)?",
    SM_CLOCK: r"(clocks_)?(current_|max_)?sm(_clock)?|sm_clock|pclk",
    TEMPERATURE: r"temp|temperature(_gpu)?|gtemp|gpu_temp(erature)?",
    UTILIZATION: r"gpu_util(ization)?|utilization_gpu|sm",
    REASONS: r"(clocks?_?)?(throttle|event)_?reasons(_?active)?",
    "memory_used": r"mem(ory)?_used|fb_used|fb",
    "memory_utilization": r"mem_util|utilization_memory|mem_copy_util",
    PCIE_TX: r"pcie_tx|txpci|pcie_tx_(bytes|throughput)",
    PCIE_RX: r"pcie_rx|rxpci|pcie_rx_(bytes|throughput)",
    "nvlink": r"nvlink_(tx|rx)(_bytes)?|nvlink_bandwidth_total",
    "sm_active": r"sms?_active",
    "tensor_active": r"tensor_active|pipe_tensor_active",
    "dram_active": r"dram_active",
    POWER_LIMIT: r"(enforced_)?power_limit|power_mgmt_limit|enforced_power_limit",
    PCIE_GENERATION: r"pcie_link_gen(_gpu)?(_current)?",
    PCIE_LANES: r"pcie_link_width(_current)?",
}
_PATTERNS = {metric: re.compile(names) for metric, names in _NAMES.items()}

_UNITS_OF = {UTILIZATION: ("%", None), SM_CLOCK: ("MHz", "GHz", "Hz", None)}
"""dmon's ``sm`` is a utilization in per cent, nvidia-smi's ``clocks.sm`` a clock."""

_SCALES = {"mW": ("W", 1e-3), "mJ": ("J", 1e-3), "GHz": ("MHz", 1e3), "Hz": ("MHz", 1e-6)} | {
    "KB/s": ("B/s", 1e3),
    "MB/s": ("B/s", 1e6),
    "GB/s": ("B/s", 1e9),
    "KiB": ("B", 2.0**10),
    "MiB": ("B", 2.0**20),
    "GiB": ("B", 2.0**30),
}


def metric_of(name: str, unit: str | None) -> str | None:
    """What a counter measures; None where that is not known.

    >>> metric_of("power.draw", "W"), metric_of("DEV_SM_CLOCK", "MHz"), metric_of("sm", "%"), metric_of("fan", None)
    ('power', 'sm_clock', 'utilization', None)
    """
    plain = re.sub(r"[\s.-]+", "_", name.lower())
    plain = re.sub(r"^(dev|prof)_", "", plain)
    for metric, pattern in _PATTERNS.items():
        if pattern.fullmatch(plain) and unit in _UNITS_OF.get(metric, (unit,)):
            return metric
    return None


@per_rank(whole=True)
def measured(rank: Rank) -> dict[tuple[int, str], SampledCounter]:
    """The counter of each metric of each GPU; of several the one with most samples, then the first by name."""
    found: dict[tuple[int, str], SampledCounter] = {}
    for counter in sampled_counters(rank):
        metric = metric_of(counter.name, counter.unit)
        if metric is None or counter.gpu is None:
            continue
        known = found.get((counter.gpu, metric))
        if known is None or len(counter.at) > len(known.at):
            found[counter.gpu, metric] = in_base_unit(counter)
    return found


def in_base_unit(counter: SampledCounter) -> SampledCounter:
    """The same counter in W, J, MHz, B or B/s."""
    unit, scale = _SCALES.get(counter.unit or "", (counter.unit, 1.0))
    return replace(counter, unit=unit, value=counter.value * scale) if scale != 1.0 else counter
