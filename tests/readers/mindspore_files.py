"""Small files as MindSpore's profiler and MindData write them, made after their formats.

No recording of MindSpore on a GPU lies among those beside the repository: files of its GPU profiler are made here.
"""

from __future__ import annotations

import json
from typing import Any

KERNEL = 'void cub::Fill<signed char>("a", int; long)'
"""A name with what separates cells in it: commas, quotes, a semicolon."""

GPU = {
    # Two operators; the first runs twice. Times of operators are the host's, in us.
    "gpu_op_execute_timestamp_0.txt": (
        "Default/FillV2-op5;GpuOps;1000000,60.5 1200000,40.25 \nDefault/MatMul-op1;GpuOps;1100000,50 \n"
    ),
    "cpu_op_execute_timestamp_0.txt": "Default/Cast-op0;HostCpuOps;400000,0.0125,7 \n",
    "start_time_0.txt": "host_monotonic_raw_time(ns): 300000\ngpu_start_time(ns): 900000\n",
    "activity_execute_timestamp_0.txt": (
        f"{KERNEL};0;1010000;2.5\n{KERNEL};0;1210000;2.25\nsgemm_32x32;3;1120000;10.125\n"
    ),
    "gpu_op_detail_info_0.csv": (
        "op_side,op_type,op_name,op_full_name,op_occurrences,op_total_time(us),op_avg_time(us),total_proportion,"
        "cuda_activity_cost_time(us),cuda_activity_call_count\n"
        "Device,FillV2,FillV2-op5,Default/FillV2-op5,2,100.75,50.375,0.668325,9.5,6\n"
        "Device,MatMul,MatMul-op1,Default/MatMul-op1,1,50,50,0.331675,10.125,1\n"
    ),
    "gpu_activity_data_0.csv": (
        "name,type,op_full_name,stream_id,block_dim,grid_dim,occurrences,total_duration(us),avg_duration(us),"
        "max_duration(us),min_duration(us)\n"
        f'"{KERNEL}",cuLaunchKernel,Default/FillV2-op5,0,"512,1,1","8,1,1",2,4.75,2.375,2.5,2.25\n'
        '"sgemm_32x32",cudaLaunchKernel,Default/MatMul-op1,3,"128,1,1","4,4,1",1,10.125,10.125,10.125,10.125\n'
    ),
    # In units of 10 ns: the forward pass begins, the last operator of the backward pass, the end.
    "step_trace_profiling_0.txt": (
        "Default/FillV2-op5 100000,106050 120000,124025\nDefault/MatMul-op1 110000,115000 125000,128000\n"
        "Default/Assign-op9 116000,118000 129000,130000\n"
    ),
}
"""A run on one GPU with two steps."""

BY_STEP = (
    "GetNext-op0,1000 Default/FillV2-op5,1500 Default/MatMul-op1,5000 Assign-op9,6000 AllReduce-op2,4000,4500\n"
    "GetNext-op0,6000 Default/FillV2-op5,6400 Default/MatMul-op1,9000 Assign-op9,9900\n"
)
"""``step_trace_profiling`` in its other form, in ns."""


def timeline() -> list[dict[str, Any]]:
    """``trace_view.json`` of a CPU: processes, two runs of an operator, the scope that they lie in."""
    names = [("process_name", 2, {"name": "CPU OP"}), ("process_name", 3, {"name": "Scope Layer"})]
    labels = [{"ph": "M", "name": name, "pid": pid, "tid": 0, "args": args} for name, pid, args in names]
    ran = {"ph": "X", "name": "Default/net/Conv2D-op0", "pid": 2, "tid": 0, "cat": "", "args": {"type": "HostCpuOps"}}
    scope = {"ph": "X", "name": "Default", "pid": 3, "tid": 0, "cat": "", "args": {}}
    return [
        *labels,
        ran | {"ts": "1795182072202369.500", "dur": "14.361"},
        ran | {"ts": "1795182072202400.001", "dur": "10.000"},
        scope | {"ts": "1795182072202369.500", "dur": "40.501"},
    ]


def queue(*sizes: int) -> dict[str, Any]:
    return {"output_queue": {"length": 16, "size": list(sizes)}}


def pipeline(*operators: tuple[int, str, int, list[int], dict[str, Any] | None]) -> str:
    """``pipeline_profiling`` of operators: number, type, workers, numbers of those that feed it, queue."""
    made = [
        {"op_id": number, "op_type": kind, "num_workers": workers, "children": children or None, "metrics": metrics}
        for number, kind, workers, children, metrics in operators
    ]
    return json.dumps({"sampling_interval": 20, "op_info": made})


def iterator(*sizes: int, capacity: int = 16, name_type: int = 1) -> str:
    """``dataset_iterator_profiling`` of batches that each found so many in the queue; the first 20 ms apart."""
    lines = []
    for batch, size in enumerate(sizes, start=1):
        at = 1000 + 20 * batch
        lines += [f"0 1 {batch} 0 {at}", f"0 2 {batch} 3 {at}", f"0 0 {batch} 3 {at}"]
        lines.append(f"{name_type} {capacity} {batch} {size} {at}")
    return "\n".join(lines) + "\n"


CPU = json.dumps(
    {
        "cpu_processor_num": 2,
        "sampling_interval": 20,
        "time_stamp": [1000, 1020, 1040],
        "device_info": {
            "user_utilization": [0, 0, 50],
            "sys_utilization": [0, 0, 10],
            "io_utilization": [0, 0, 4, 0, 6, 0],
            "idle_utilization": [0, 0, 36, 0, 54, 0],
            "runnable_process": [3, 3, 5, 5, 7, 7],
            "context_switch_count": [0, 0, 400, 0, 200, 0],
        },
        "process_info": {"user_utilization": [90, 100, 110], "sys_utilization": [10, 10]},
        "op_info": [
            {"op_id": -1, "metrics": {"user_utilization": [1, 1, 1], "sys_utilization": [0, 0, 0]}},
            {"op_id": 1, "metrics": {"user_utilization": [150, 170, 160], "sys_utilization": [0, 10, 20]}},
        ],
    }
)
"""``minddata_cpu_utilization`` as MindSpore 2.10 writes it, each sample of the machine twice."""

DATA = {
    "pipeline_profiling_0.json": pipeline(
        (0, "BatchOp", 1, [1], queue(0, 0, 0)),
        (1, "MapOp", 2, [2], queue(0, 0, 1)),
        (2, "GeneratorOp", 1, [], queue(16, 15, 16)),
    ),
    "dataset_iterator_profiling_0.txt": iterator(0, 0, 0, 3),
    "minddata_cpu_utilization_0.json": CPU,
    "minddata_getnext_profiling_0.txt": "GetNext 5000 25000 0\nGetNext 30000 31000 2\n",
}
"""A pipeline whose map is slow."""
