"""What the details page calls metrics, by the names that the raw page and reports have."""

from __future__ import annotations

_SPEED_OF_LIGHT = "GPU Speed Of Light Throughput"
_PEAK = "pct_of_peak_sustained_elapsed"

_BY_SECTION = {
    (_SPEED_OF_LIGHT, "Memory Throughput"): f"gpu__compute_memory_throughput.avg.{_PEAK}",
    ("Memory Workload Analysis", "Memory Throughput"): "dram__bytes.sum.per_second",
}
"""One label stands for two metrics."""

_BY_LABEL = {
    "Achieved Active Warps Per SM": "sm__warps_active.avg.per_cycle_active",
    "Achieved Occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "Active Warps Per Scheduler": "smsp__warps_active.avg.per_cycle_active",
    "Avg. Active Threads Per Warp": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "Avg. Divergent Branches": "smsp__sass_branch_targets_threads_divergent.avg",
    "Avg. Not Predicated Off Threads Per Warp": "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
    "Block Limit Barriers": "launch__occupancy_limit_barriers",
    "Block Limit Registers": "launch__occupancy_limit_registers",
    "Block Limit SM": "launch__occupancy_limit_blocks",
    "Block Limit Shared Mem": "launch__occupancy_limit_shared_mem",
    "Block Limit Warps": "launch__occupancy_limit_warps",
    "Block Size": "launch__block_size",
    "Branch Efficiency": "smsp__sass_average_branch_targets_threads_uniform.pct",
    "Branch Instructions": "smsp__inst_executed_op_branch.sum",
    "Cluster Size": "launch__cluster_size",
    "Compute (SM) Throughput": f"sm__throughput.avg.{_PEAK}",
    "DRAM Frequency": "dram__cycles_elapsed.avg.per_second",
    "DRAM Throughput": f"gpu__dram_throughput.avg.{_PEAK}",
    "Driver Shared Memory Per Block": "launch__shared_mem_per_block_driver",
    "Duration": "gpu__time_duration.sum",
    "Dynamic Shared Memory Per Block": "launch__shared_mem_per_block_dynamic",
    "Elapsed Cycles": "gpc__cycles_elapsed.max",
    "Eligible Warps Per Scheduler": "smsp__warps_eligible.avg.per_cycle_active",
    "Executed Instructions": "smsp__inst_executed.sum",
    "Executed Ipc Active": "sm__inst_executed.avg.per_cycle_active",
    "Executed Ipc Elapsed": "sm__inst_executed.avg.per_cycle_elapsed",
    "Function Cache Configuration": "launch__func_cache_config",
    "Grid Size": "launch__grid_size",
    "Issued Instructions": "smsp__inst_issued.sum",
    "Issued Ipc Active": "sm__inst_issued.avg.per_cycle_active",
    "Issued Warp Per Scheduler": "smsp__issue_active.avg.per_cycle_active",
    "L1/TEX Cache Throughput": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "L1/TEX Hit Rate": "l1tex__t_sector_hit_rate.pct",
    "L2 Cache Throughput": f"lts__throughput.avg.{_PEAK}",
    "L2 Hit Rate": "lts__t_sector_hit_rate.pct",
    "Max Bandwidth": f"gpu__compute_memory_request_throughput.avg.{_PEAK}",
    "Mem Busy": f"gpu__compute_memory_access_throughput.avg.{_PEAK}",
    "Mem Pipes Busy": f"sm__memory_throughput.avg.{_PEAK}",
    "No Eligible": "smsp__issue_inst0.avg.pct_of_peak_sustained_active",
    "One or More Eligible": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "Registers Per Thread": "launch__registers_per_thread",
    "SM Active Cycles": "sm__cycles_active.avg",
    "SM Frequency": "gpc__cycles_elapsed.avg.per_second",
    "Shared Memory Configuration Size": "launch__shared_mem_config_size",
    "Static Shared Memory Per Block": "launch__shared_mem_per_block_static",
    "Theoretical Active Warps per SM": "sm__maximum_warps_avg_per_active_cycle",
    "Theoretical Occupancy": "sm__maximum_warps_per_active_cycle_pct",
    "Threads": "launch__thread_count",
    "Warp Cycles Per Executed Instruction": "smsp__average_warps_active_per_inst_executed.ratio",
    "Warp Cycles Per Issued Instruction": "smsp__average_warp_latency_per_inst_issued.ratio",
    "Waves Per SM": "launch__waves_per_multiprocessor",
    "# SMs": "launch__sm_count",
}


def metric_of(section: str, label: str) -> str:
    """The metric that a row of the details page holds; one that is not known keeps its section and label.

    >>> metric_of("GPU Speed Of Light Throughput", "Duration")
    'gpu__time_duration.sum'
    >>> metric_of("PM Sampling", "# Pass Groups")
    'PM Sampling: # Pass Groups'
    """
    return _BY_SECTION.get((section, label)) or _BY_LABEL.get(label) or f"{section}: {label}"
