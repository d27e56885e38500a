"""Kernels by their metrics: one without a fault, what is different of each fault, and a report of two of them."""

from __future__ import annotations

from pathlib import Path

from readers.ncu_building import MadeKernel, MadeRule, Value, report

ELAPSED = "pct_of_peak_sustained_elapsed"
WELL: dict[str, Value] = {
    "gpu__time_duration.sum": 100_000.0,
    f"sm__throughput.avg.{ELAPSED}": 30.0,
    f"gpu__compute_memory_throughput.avg.{ELAPSED}": 80.0,
    f"gpu__dram_throughput.avg.{ELAPSED}": 80.0,
    f"lts__throughput.avg.{ELAPSED}": 85.0,
    "l1tex__throughput.avg.pct_of_peak_sustained_active": 40.0,
    "sm__maximum_warps_per_active_cycle_pct": 100.0,
    "sm__warps_active.avg.pct_of_peak_sustained_active": 90.0,
    "smsp__thread_inst_executed_per_inst_executed.ratio": 32.0,
    "smsp__issue_active.avg.pct_of_peak_sustained_active": 30.0,
    "launch__waves_per_multiprocessor": 60.0,
    "launch__registers_per_thread": 32,
    "memory_l2_theoretical_sectors_global": 1000,
    "memory_l2_theoretical_sectors_global_ideal": 1000,
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": 0.0,
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": 500.0,
}
"""A kernel without a fault, which DRAM limits."""

IDLE: dict[str, Value] = {f"gpu__compute_memory_throughput.avg.{ELAPSED}": 10.0, f"sm__throughput.avg.{ELAPSED}": 20.0}
"""No unit is busy."""

SHARED = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared"
SLICE = f"lts__d_atomic_input_cycles_active.{{}}.{ELAPSED}"
PEAK = "sm__sass_thread_inst_executed_op_{}_pred_on.sum.peak_sustained"

CASES: dict[str, tuple[dict[str, Value], float]] = {
    "uncoalesced": ({"memory_l2_theoretical_sectors_global": 4000}, 75.0),
    "bank_conflicts": (
        {
            f"{CONFLICTS}.sum": 450.0,
            f"{CONFLICTS}_op_ld.sum": 450.0,
            f"{SHARED}_op_ld.sum": 500.0,
            f"{SHARED}.sum.{ELAPSED}": 90.0,
        },
        81.0,
    ),
    "divergence": (
        {
            "smsp__thread_inst_executed_per_inst_executed.ratio": 8.0,
            "smsp__issue_active.avg.pct_of_peak_sustained_active": 80.0,
        },
        60.0,
    ),
    "occupancy": (
        {
            **IDLE,
            "sm__maximum_warps_per_active_cycle_pct": 12.5,
            "launch__occupancy_limit_registers": 8.0,
            "launch__occupancy_limit_shared_mem": 1.0,
        },
        80.0,
    ),
    "small_grid": ({**IDLE, "launch__waves_per_multiprocessor": 0.25, "launch__grid_size": 33}, 75.0),
    "tail": ({**IDLE, "launch__waves_per_multiprocessor": 1.25}, 37.5),
    "atomics": (
        {
            "lts__t_sectors_srcunit_tex.sum": 1000.0,
            "lts__t_sectors_srcunit_tex_op_red.sum": 800.0,
            SLICE.format("avg"): 1.0,
            SLICE.format("max"): 50.0,
        },
        78.4,
    ),
    "local_memory": (
        {
            "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum": 300.0,
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 700.0,
        },
        30.0,
    ),
    "double_precision": (
        {
            "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active": 90.0,
            PEAK.format("ffma"): 128.0,
            PEAK.format("dfma"): 2.0,
        },
        90.0 * 63 / 64,
    ),
}
"""By cause: what is different from `WELL`, and what removing it would save at most."""

STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"


def write_report(path: Path) -> None:
    """A kernel with bank conflicts, which waits for shared memory, and a shorter one that DRAM limits."""
    waits = {STALL.format("mio_throttle"): 6.0, STALL.format("selected"): 2.0}
    waits["smsp__average_warp_latency_per_inst_issued.ratio"] = 8.0
    rule = MadeRule("MemoryWorkloadAnalysis_Tables", "SharedMemoryConflicts", 4, "A 10-way bank conflict.", 2, 62.5)
    long = WELL | CASES["bank_conflicts"][0] | waits | {"gpu__time_duration.sum": 300_000.0}
    kernels = [MadeKernel("well(float *)", WELL), MadeKernel("transpose(float *)", long, rules=[rule])]
    path.write_bytes(report(kernels))
