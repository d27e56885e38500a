"""Two kernels as Nsight Compute reports them, and the units and labels of its pages."""

from __future__ import annotations

from readers.ncu_building import MadeKernel, MadeRule

_SPEED = "GPU Speed Of Light Throughput"

LABELS = {
    "gpu__time_duration.sum": (_SPEED, "Duration", "us", 1e3),
    "dram__bytes.sum.per_second": ("Memory Workload Analysis", "Memory Throughput", "Gbyte/s", 1e9),
    "launch__registers_per_thread": ("Launch Statistics", "Registers Per Thread", "register/thread", 1.0),
    "launch__func_cache_config": ("Launch Statistics", "Function Cache Configuration", "", 1.0),
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed": (_SPEED, "Memory Throughput", "%", 1.0),
}
UNITS = {name: (unit, divisor) for name, (_, _, unit, divisor) in LABELS.items()}


def _kernel(name: str, duration_ns: float, busy_pct: float, rules: tuple[MadeRule, ...] = ()) -> MadeKernel:
    metrics = {
        "gpu__time_duration.sum": duration_ns,
        "dram__bytes.sum.per_second": 2.5e12,
        "launch__registers_per_thread": 24,
        "launch__func_cache_config": "CachePreferNone",
        "launch__device_id": 0,
        "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed": busy_pct,
        "numa__cpu_affinity": None,
    }
    return MadeKernel(name, metrics, rules=rules, instances={"launch__registers_per_thread": (1, 2, 3)})


_SAID = "Look at the @section:LaunchStats:Launch Statistics@ section."
_PRINTED = "Look at the Launch Statistics section."
TWO = (
    _kernel("scale(float *)", 1500.0, 62.5, (MadeRule("SpeedOfLight", "SOLBottleneck", 4, _SAID, 2, 12.5, _PRINTED),)),
    _kernel("void add<int>(int *, int)", 2_000_000.0, 1.25),
)
