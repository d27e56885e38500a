"""Tables that scripts rely on keep their columns. New ones may be added, these must stay."""

from __future__ import annotations

import pytest

from stepscope.schema import TABLES

CONTRACT = {
    "health": "check status value detail",
    "summary": "rank device events steps span_ns busy_ns idle_ns compute_ns communication_ns exposed_communication_ns "
    "memory_ns exposed_memory_ns overlap_pct kernels memcpys memsets",
    "steps": "rank step start_ns duration_ns device_end_ns lag_ns period_ns cut compute_ns communication_ns memcpy_ns "
    "memset_ns runtime_ns data_loading_ns cpu_ns other_ns",
    "step_trace": "rank step interval_ns forward_backward_ns forward_ns backward_ns tail_ns total_ns",
    "operators": "name calls host_total_ns host_self_ns device_total_ns device_self_ns flops tensor_core_pct",
    "kernels": "name calls total_ns mean_ns min_ns max_ns share_pct kind op grid block blocks_per_sm occupancy_pct "
    "registers shared_bytes tensor_core",
    "modules": "name path calls host_total_ns host_self_ns device_total_ns device_self_ns",
    "memcpy": "kind pinned calls bytes total_ns bandwidth",
    "communication": "op group ranks calls bytes",
    "utilization": "rank gpu_util_pct sm_efficiency_pct occupancy_pct tensor_core_pct",
    "idle": "rank start_ns duration_ns cause host_event source",
    "launches": "name calls host_ns short_kernels",
    "memory": "name device allocations allocated_bytes increase_bytes self_increase_bytes",
    "memory_timeline": "allocated_bytes reserved_bytes",
    "data_loading": "rank step wait_ns exposed_ns workers verdict",
    "roofline": "flops bytes intensity achieved_flops achieved_bandwidth bound pct_of_roof modelled_pct",
    "sequences": "op kernels count total_ns",
    "critical_path": "kind name duration_ns share_pct",
    "kernel_reports": "id name grid block device duration_ns compute_throughput_pct memory_throughput_pct registers "
    "achieved_occupancy_pct theoretical_occupancy_pct bottleneck estimated_speedup_pct",
    "kernel_roofline": "id precision level intensity achieved_flops peak_flops achieved_bandwidth peak_bandwidth "
    "bound pct_of_roof",
    "kernel_memory": "id link from_unit to_unit requests transfers bytes achieved_bandwidth peak_pct hit_pct",
    "kernel_occupancy": "id limit blocks warps occupancy_pct limiting",
    "kernel_occupancy_curve": "id parameter setting warps occupancy_pct present",
    "kernel_pipes": "id pipe utilization_pct executes",
    "kernel_details": "id section label value unit text metric",
    "kernel_metrics": "id kernel metric unit value",
    "kernel_rules": "id section rule kind estimated_speedup_pct message",
    "kernel_stalls": "id reason cycles share_pct means advice",
}


@pytest.mark.parametrize("name", CONTRACT)
def test_columns_stay(name: str) -> None:
    promised = CONTRACT[name].split()
    assert [column for column in promised if column not in TABLES[name].schema] == []


def test_launch_latency_and_queueing_are_two_things() -> None:
    columns = list(TABLES["launches"].schema)
    assert [name for name in columns if name.startswith("launch_latency_")]
    assert [name for name in columns if name.startswith("queueing_")]
