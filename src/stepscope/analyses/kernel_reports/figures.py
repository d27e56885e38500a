"""The figures of a profiled kernel that its causes are told from, by what they mean."""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.analyses.kernel_reports.reports import Values

DURATION = "gpu__time_duration.sum"
COMPUTE = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
MEMORY = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
REGISTERS = "launch__registers_per_thread"
ACHIEVED = "sm__warps_active.avg.pct_of_peak_sustained_active"
THEORETICAL = "sm__maximum_warps_per_active_cycle_pct"
WAVES = "launch__waves_per_multiprocessor"
ACTIVE_CYCLES, ELAPSED_CYCLES = "sm__cycles_active.avg", "gpc__cycles_elapsed.max"
ISSUED = "smsp__issue_active.avg.pct_of_peak_sustained_active"

HITS = {"l1_hit_pct": "l1tex__t_sector_hit_rate.pct", "l2_hit_pct": "lts__t_sector_hit_rate.pct"}
"""Hit rates of the caches."""

UNITS = {
    "dram": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "l2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1": "l1tex__throughput.avg.pct_of_peak_sustained_active",
}
"""Units of the memory side, by the name of the limit that they are."""

_PIPE = "sm__inst_executed_pipe_{}.avg.pct_of_peak_sustained_active"
PIPES = {
    _PIPE.format(pipe): pipe
    for pipe in (
        *("adu", "alu", "cbu", "fma", "fma_type_fp16", "fp16", "fp64", "lsu", "tex", "tma", "uniform", "xu"),
        *("tensor_op_dmma", "tensor_op_gmma", "tensor_op_hmma", "tensor_op_imma"),
    )
}
"""How busy each compute pipe is, and its name."""

BUSY_PCT = 60.0
"""From this share of its peak on a unit limits a kernel. Source: Nsight Compute's rule SOLBottleneck."""


@dataclass(frozen=True)
class Kernel:
    """The numbers of a kernel.

    Attributes:
        values: by metric.
    """

    values: Values

    def __call__(self, metric: str) -> float | None:
        """A number; None where it was not measured."""
        return self.values.get(metric)

    def of(self, metric: str) -> float:
        """A number; 0 where it was not measured."""
        return self.values.get(metric, 0.0)

    @property
    def busiest_pct(self) -> float | None:
        """How busy the busiest unit is; None where neither side was measured."""
        known = [value for value in (self(COMPUTE), self(MEMORY)) if value is not None]
        return max(known, default=None)

    @property
    def spare_pct(self) -> float:
        """What the busiest unit leaves: the kernel takes at least the time in which that unit works."""
        return max(0.0, 100.0 - (self.busiest_pct or 0.0))

    @property
    def memory_weight(self) -> float:
        """Share of the kernel's time that shrinks with the work of the memory side: all of it where that is busiest."""
        return 1.0 if self.of(MEMORY) >= self.of(COMPUTE) else min(1.0, self.of(MEMORY) / 100)
