"""What the details page calls metrics, by the names that the raw page and reports have."""

from __future__ import annotations

_PEAK = "pct_of_peak_sustained_elapsed"

SECTIONS: dict[str, dict[str, str]] = {
    "GPU Speed Of Light Throughput": {
        "DRAM Frequency": "dram__cycles_elapsed.avg.per_second",
        "SM Frequency": "gpc__cycles_elapsed.avg.per_second",
        "Elapsed Cycles": "gpc__cycles_elapsed.max",
        "Memory Throughput": f"gpu__compute_memory_throughput.avg.{_PEAK}",
        "DRAM Throughput": f"gpu__dram_throughput.avg.{_PEAK}",
        "Duration": "gpu__time_duration.sum",
        "L1/TEX Cache Throughput": "l1tex__throughput.avg.pct_of_peak_sustained_active",
        "L2 Cache Throughput": f"lts__throughput.avg.{_PEAK}",
        "SM Active Cycles": "sm__cycles_active.avg",
        "Compute (SM) Throughput": f"sm__throughput.avg.{_PEAK}",
    },
    "Compute Workload Analysis": {
        "Executed Ipc Active": "sm__inst_executed.avg.per_cycle_active",
        "Executed Ipc Elapsed": "sm__inst_executed.avg.per_cycle_elapsed",
        "Issue Slots Busy": f"sm__inst_issued.avg.{_PEAK}",
        "Issued Ipc Active": "sm__inst_issued.avg.per_cycle_active",
        "SM Busy": f"sm__instruction_throughput.avg.{_PEAK}",
    },
    "Memory Workload Analysis": {
        "Local Memory Spilling Requests": "derived__local_spilling_requests",
        "Local Memory Spilling Request Overhead": "derived__local_spilling_requests_pct",
        "Memory Throughput": "dram__bytes.sum.per_second",
        "Mem Busy": f"gpu__compute_memory_access_throughput.avg.{_PEAK}",
        "Max Bandwidth": f"gpu__compute_memory_request_throughput.avg.{_PEAK}",
        "L1/TEX Hit Rate": "l1tex__t_sector_hit_rate.pct",
        "L2 Persisting Size": "launch__persisting_l2_cache_size",
        "L2 Compression Success Rate": "lts__average_gcomp_input_sector_success_rate.pct",
        "L2 Compression Ratio": "lrc__average_ilc_output_sector_compression_achieved_rate.pct",
        "L2 Compression Input Sectors": "lrc__ilc_input_sectors.sum",
        "L2 Hit Rate": "lts__t_sector_hit_rate.pct",
        "Mem Pipes Busy": f"sm__memory_throughput.avg.{_PEAK}",
    },
    "Scheduler Statistics": {
        "One or More Eligible": "smsp__issue_active.avg.pct_of_peak_sustained_active",
        "Issued Warp Per Scheduler": "smsp__issue_active.avg.per_cycle_active",
        "No Eligible": "smsp__issue_inst0.avg.pct_of_peak_sustained_active",
        "Active Warps Per Scheduler": "smsp__warps_active.avg.per_cycle_active",
        "Eligible Warps Per Scheduler": "smsp__warps_eligible.avg.per_cycle_active",
    },
    "Warp State Statistics": {
        "Warp Cycles Per Issued Instruction": "smsp__average_warp_latency_per_inst_issued.ratio",
        "Warp Cycles Per Executed Instruction": "smsp__average_warps_active_per_inst_executed.ratio",
        "Avg. Active Threads Per Warp": "smsp__thread_inst_executed_per_inst_executed.ratio",
        "Avg. Not Predicated Off Threads Per Warp": "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
    },
    "Instruction Statistics": {
        "Avg. Executed Instructions Per Scheduler": "smsp__inst_executed.avg",
        "Executed Instructions": "smsp__inst_executed.sum",
        "Avg. Issued Instructions Per Scheduler": "smsp__inst_issued.avg",
        "Issued Instructions": "smsp__inst_issued.sum",
    },
    "Launch Statistics": {
        "Block Size": "launch__block_size",
        "Cluster Scheduling Policy": "launch__cluster_scheduling_policy",
        "Cluster Size": "launch__cluster_size",
        "Function Cache Configuration": "launch__func_cache_config",
        "Grid Size": "launch__grid_size",
        "Registers Per Thread": "launch__registers_per_thread",
        "Shared Memory Configuration Size": "launch__shared_mem_config_size",
        "Driver Shared Memory Per Block": "launch__shared_mem_per_block_driver",
        "Dynamic Shared Memory Per Block": "launch__shared_mem_per_block_dynamic",
        "Static Shared Memory Per Block": "launch__shared_mem_per_block_static",
        "# SMs": "launch__sm_count",
        "Stack Size": "launch__stack_size",
        "Threads": "launch__thread_count",
        "# TPCs": "launch__tpc_count",
        "Enabled TPC IDs": "launch__tpc_enabled",
        "Uses Green Context": "launch__uses_green_context",
        "Waves Per SM": "launch__waves_per_multiprocessor",
    },
    "Occupancy": {
        "Max Active Clusters": "launch__cluster_max_active",
        "Max Cluster Size": "launch__cluster_max_potential_size",
        "Overall GPU Occupancy": "launch__occupancy_cluster_gpu_pct",
        "Cluster Occupancy": "launch__occupancy_cluster_pct",
        "Block Limit Barriers": "launch__occupancy_limit_barriers",
        "Block Limit SM": "launch__occupancy_limit_blocks",
        "Block Limit Registers": "launch__occupancy_limit_registers",
        "Block Limit Shared Mem": "launch__occupancy_limit_shared_mem",
        "Block Limit Warps": "launch__occupancy_limit_warps",
        "Theoretical Active Warps per SM": "sm__maximum_warps_avg_per_active_cycle",
        "Theoretical Occupancy": "sm__maximum_warps_per_active_cycle_pct",
        "Achieved Occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
        "Achieved Active Warps Per SM": "sm__warps_active.avg.per_cycle_active",
    },
    "GPU and Memory Workload Distribution": {
        "Average DRAM Active Cycles": "dram__cycles_active.avg",
        "Total DRAM Elapsed Cycles": "dram__cycles_elapsed.sum",
        "Average L1 Active Cycles": "l1tex__cycles_active.avg",
        "Total L1 Elapsed Cycles": "l1tex__cycles_elapsed.sum",
        "Average L2 Active Cycles": "lts__cycles_active.avg",
        "Total L2 Elapsed Cycles": "lts__cycles_elapsed.sum",
        "Average SM Active Cycles": "sm__cycles_active.avg",
        "Total SM Elapsed Cycles": "sm__cycles_elapsed.sum",
        "Average SMSP Active Cycles": "smsp__cycles_active.avg",
        "Total SMSP Elapsed Cycles": "smsp__cycles_elapsed.sum",
    },
    "Source Counters": {
        "Branch Instructions Ratio": "derived__smsp__inst_executed_op_branch_pct",
        "Branch Instructions": "smsp__inst_executed_op_branch.sum",
        "Branch Efficiency": "smsp__sass_average_branch_targets_threads_uniform.pct",
        "Avg. Divergent Branches": "smsp__sass_branch_targets_threads_divergent.avg",
    },
}
"""By section of the page, in its order: the labels of its metrics, and which each one is."""

_BY_LABEL = {label: metric for labels in SECTIONS.values() for label, metric in labels.items()}


def metric_of(section: str, label: str) -> str:
    """The metric that a row of the details page holds; one that is not known keeps its section and label.

    >>> metric_of("GPU Speed Of Light Throughput", "Duration")
    'gpu__time_duration.sum'
    >>> metric_of("PM Sampling", "# Pass Groups")
    'PM Sampling: # Pass Groups'
    """
    return SECTIONS.get(section, {}).get(label) or _BY_LABEL.get(label) or f"{section}: {label}"
