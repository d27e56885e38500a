"""Kernels by their metrics: one without a fault, what is different of each fault, and a report of two of them."""

from __future__ import annotations

from pathlib import Path

from building import Event, call, flat, kernel, operator, step, write
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
    "partial_warps": (
        {**IDLE, "launch__block_size": 48, "smsp__thread_inst_executed_per_inst_executed.ratio": 24.0},
        25.0,
    ),
    "atomics": (
        {
            **IDLE,
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

CLOCKS: dict[str, float] = {f"{unit}__cycles_elapsed.avg.per_second": 1e9 for unit in ("smsp", "sm", "lts", "l1tex")}
_OP = "smsp__sass_thread_inst_executed_op_f{}_pred_on.sum.per_cycle_elapsed"
_GLOBAL = "l1tex__t_{}_pipe_lsu_mem_global_op_ld{}.sum"
_READ = "lts__t_sectors_srcunit_tex_op_read{}.sum"
MEASURED: dict[str, Value] = {
    **CLOCKS,
    **{_OP.format(op): count for op, count in (("add", 20.0), ("mul", 0.0), ("fma", 50.0))},
    PEAK.format("ffma"): 2000.0,
    "dram__bytes.sum.per_second": 40e9,
    "dram__bytes.sum.peak_sustained": 500.0,
    "dram__cycles_elapsed.avg.per_second": 2e9,
    "lts__lts2xbar_cycles_active.sum.per_second": 2e9,
    "lts__lts2xbar_cycles_active.sum.peak_sustained": 200.0,
    "l1tex__lsu_writeback_active_mem_lgds.sum.per_second": 1e9,
    "l1tex__lsu_writeback_active_mem_lgds.sum.peak_sustained": 100.0,
    _GLOBAL.format("requests", ""): 100,
    f"{_GLOBAL.format('requests', '')}.{ELAPSED}": 5.0,
    _GLOBAL.format("sectors", ""): 400,
    _GLOBAL.format("sectors", "_lookup_hit"): 100,
    _GLOBAL.format("sectors", "_lookup_miss"): 300,
    "smsp__sass_inst_executed_op_shared_ld.sum": 10,
    f"{SHARED}_op_ld.sum": 320,
    f"{SHARED}_op_ld.sum.{ELAPSED}": 40.0,
    "l1tex__m_xbar2l1tex_read_bytes.sum": 9600,
    f"l1tex__m_xbar2l1tex_read_bytes.sum.{ELAPSED}": 7.0,
    **{_READ.format(which): count for which, count in (("", 300), ("_lookup_hit", 150), ("_lookup_miss", 150))},
    "dram__bytes_read.sum": 4800,
    "dram__sectors_read.sum": 150,
    f"dram__bytes_read.sum.{ELAPSED}": 48.0,
    "dram__bytes_write.sum": 0,
    "l1tex__t_sector_hit_rate.pct": 25.0,
    "lts__t_sector_hit_rate.pct": 50.0,
    "launch__block_size": 256,
    "launch__occupancy_per_register_count": 5,
    "device__attribute_max_warps_per_multiprocessor": 64,
    **{
        f"launch__occupancy_limit_{limit}": float(blocks)
        for limit, blocks in (("registers", 3), ("shared_mem", 3), ("warps", 8), ("blocks", 32))
    },
    "smsp__issue_active.avg.per_cycle_active": 0.3,
    "smsp__warps_eligible.avg.per_cycle_active": 0.9,
    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active": 45.0,
}
"""What a larger set of sections measures besides."""

CURVE = {"launch__occupancy_per_register_count": {0: 64, 16: 64, 32: 48, 40: 24, 48: 24, 64: 16}}
"""Warps of an SM by registers per thread."""

STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"


def write_report(path: Path) -> None:
    """A kernel with bank conflicts, which waits for shared memory, and a shorter one that DRAM limits."""
    waits = {STALL.format("mio_throttle"): 6.0, STALL.format("selected"): 2.0}
    waits["smsp__average_warp_latency_per_inst_issued.ratio"] = 8.0
    rule = MadeRule("MemoryWorkloadAnalysis_Tables", "SharedMemoryConflicts", 4, "A 10-way bank conflict.", 2, 62.5)
    long = WELL | MEASURED | CASES["bank_conflicts"][0] | waits | {"gpu__time_duration.sum": 300_000.0}
    kernels = [MadeKernel("well(float *)", WELL), MadeKernel("transpose(float *)", long, rules=[rule], instances=CURVE)]
    path.write_bytes(report(kernels))


def write_beside_trace(folder: Path) -> None:
    """Three GPU-bound steps, each 400 us of a profiled grid of load, 400 us of another grid, 100 us of copy."""
    own = {"grid": [64, 1, 1], "block": [256, 1, 1]}
    launched: tuple[tuple[str, int, dict[str, list[int]]], ...] = (
        ("void load<float>(float*)", 400_000, own),
        ("void load<float>(float*)", 400_000, own | {"grid": [8, 1, 1]}),
        ("copy(float*)", 100_000, own),
    )
    events: list[Event] = []
    for at in (0, 1_000_000, 2_000_000):
        events += [step(at // 1_000_000, at, at + 1_000_000), operator("op", at + 1_000, at + 99_000)]
        begin = at + 10_000
        for place, (name, ns, shape) in enumerate(launched):
            number = at // 100_000 + place + 1
            events.append(call(at + 2_000 + 10_000 * place, at + 4_000 + 10_000 * place, number))
            events.append(kernel(name, begin, begin + ns, number, **shape))
            begin += ns
    write(folder / "trace.json", *flat([*events]))
    kernels = [MadeKernel("void load<int>(int *)", WELL | CASES["uncoalesced"][0]), MadeKernel("copy(float *)", WELL)]
    (folder / "kernels.ncu-rep").write_bytes(report(kernels))
