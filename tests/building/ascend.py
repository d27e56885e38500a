"""A small run on an Ascend NPU, in the files that torch_npu's analysis writes, made as their documentation says.

Two steps of 100 us. In each an operator enqueues a product, a thread of the queue takes it, and CANN launches it;
a collective runs on a stream of its own, its parts on planes as well; then a slow operator runs on an AI CPU.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

EPOCH_US = 1_700_000_000_000_000
HOST, QUEUE = 900, 901
HARDWARE, CANN, HCCL, OVERLAP = (
    (HOST << 10) | (place << 5) | device for place, device in ((13, 2), (7, 31), (15, 2), (23, 2))
)
STREAM, SECOND = 2, 4

Event = dict[str, Any]


def stamp(us: float) -> str:
    """A time as the files have it: us since 1970 as a text with three decimals."""
    return f"{EPOCH_US + int(us)}.{round((us - int(us)) * 1000):03d}"


def event(pid: int, tid: int, name: str, start: float, duration: float, **more: Any) -> Event:
    """A timed event."""
    return {"ph": "X", "name": name, "pid": pid, "tid": tid, "ts": stamp(start), "dur": duration, **more}


def label(pid: int, name: str, tid: int = 0, kind: str = "process_name", key: str = "name") -> Event:
    """A name of a process or thread."""
    return {"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": {key: name}}


def flow(phase: str, category: str, number: int, place: tuple[int, int], at: float) -> Event:
    """One end of an arrow; ids of HostToDevice are texts."""
    known = str(number) if category == "HostToDevice" else number
    return {
        "ph": phase,
        "name": category,
        "id": known,
        "pid": place[0],
        "tid": place[1],
        "ts": stamp(at),
        "cat": category,
    }


def launched(number: int, at: float, work: Event) -> list[Event]:
    """An operator that enqueues, a thread that dequeues, a call of CANN, the work, and the arrow between these."""
    name = work["name"]
    call = at + 11
    place = (work["pid"], work["tid"])
    start = float(work["ts"].removeprefix(str(EPOCH_US)[:6])) - float(str(EPOCH_US)[6:])
    return [
        event(HOST, HOST, f"aten::{name}", at, 8, cat="cpu_op", args={"Sequence number": number, "Fwd thread id": 0}),
        event(HOST, HOST, "Enqueue", at + 2, 2, cat="enqueue", args={"correlation_id": number}),
        event(HOST, QUEUE, f"Dequeue@{name}", at + 10, 6, cat="dequeue", args={"correlation_id": number}),
        event(CANN, QUEUE, "Node@launch", call, 4, args={"level": "node", "connection_id": number}),
        flow("s", "HostToDevice", number << 32, (CANN, QUEUE), call),
        work,
        flow("f", "HostToDevice", number << 32, place, round(start, 3)),
    ]


def task(name: str, start: float, duration: float, kind: str, connection: int, stream: int = STREAM) -> Event:
    """A task of a stream."""
    args = {"Model Id": 4294967295, "Task Type": kind, "Physic Stream Id": stream, "connection_id": connection}
    return event(HARDWARE, stream, name, start, duration, args=args)


def one_step(step: int, at: float) -> list[Event]:
    """A step: 30 us of a product, 20 us of a collective of which 10 are beside it, 15 us on an AI CPU, 5 of a copy."""
    first = 10 * step
    name = f"hcom_allReduce__586_{step}_1"
    collective = event(
        HCCL,
        0,
        name,
        at + 40,
        20,
        args={"connection_id": first + 2, "data_type": "FP32", "count": 1000, "rank_size": 2},
    )
    return [
        event(HOST, HOST, f"ProfilerStep#{step}", at, 95, cat="cpu_op", args={}),
        *launched(first + 1, at + 1, task("MatMul", at + 20, 30, "AI_CORE", first + 1)),
        *launched(first + 2, at + 12, collective),
        task("SDMA", at + 40, 8, "SDMA", first + 2, SECOND),
        task("Notify Wait", at + 48, 12, "Notify Wait", first + 2, SECOND),
        event(HCCL, 1, "Memcpy", at + 40, 8, args={"stream id": SECOND, "task type": "Memcpy", "size(Byte)": 4000}),
        *launched(first + 3, at + 24, task("Cast", at + 62.5, 15, "AI_CPU", first + 3)),
        *launched(first + 4, at + 36, task("MEMCPY_ASYNC", at + 78, 5, "SDMA_SQE", first + 4)),
        task("EVENT_RECORD", at + 83, 0.02, "EVENT_RECORD_SQE", first + 5),
        event(CANN, HOST, "AscendCL@aclrtSynchronizeStream", at + 60, 25, args={"level": "acl", "connection_id": 0}),
        event(OVERLAP, 0, "Computing", at + 20, 30),
    ]


def timeline() -> list[Event]:
    """All events of the run."""
    names = {HOST: "Python", CANN: "CANN", HARDWARE: "Ascend Hardware", HCCL: "HCCL", OVERLAP: "Overlap Analysis"}
    return [
        *one_step(1, 0),
        *one_step(2, 100),
        *(label(pid, name) for pid, name in names.items()),
        label(HARDWARE, "NPU", kind="process_labels", key="labels"),
        label(HARDWARE, "Stream 2", STREAM, "thread_name"),
        label(HCCL, "Group 0 Communication", 0, "thread_name"),
        label(HCCL, "Plane 0", 1, "thread_name"),
        {"ph": "C", "name": "AI Core Freq", "pid": OVERLAP, "tid": 0, "ts": stamp(0), "args": {"MHz": 1800}},
    ]


KERNEL_HEADER = (
    "Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),"
    "Wait Time(us),Block Num,Mix Block Num,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,"
    "Output Data Types,Output Formats,Context ID,aicore_time(us),aic_mac_ratio,aic_mte2_ratio,aiv_time(us),"
    "aiv_vec_ratio,cube_utilization(%)"
)
_NONE = ",".join(["N/A"] * 12)


def kernel_details() -> str:
    """``kernel_details.csv``."""
    rows = [KERNEL_HEADER]
    for step, at in ((1, 0.0), (2, 100.0)):
        shapes = '"""64,32;32,16""",DT_BF16;DT_BF16,ND;ND,"""64,16""",DT_BF16,ND'
        first = f'{step},2,4294967295,7,2,MatMul,MatMulV3,dynamic,AI_CORE,"{stamp(at + 20)}\t",30.0,1.5,20,0,NO,'
        rows.append(f"{first}{shapes},N/A,28.0,0.{6 + step},0.5,0,0,90.5")
        name = f"hcom_allReduce__586_{step}_1,hcom_allReduce_,N/A,COMMUNICATION"
        rows.append(f'{step},2,4294967295,N/A,N/A,{name},"{stamp(at + 40)}\t",20.0,0.0,0,N/A,N/A,{_NONE},N/A')
        third = f'{step},2,4294967295,8,2,Cast,Cast,dynamic,AI_CPU,"{stamp(at + 62.5)}\t",15.0,12.5,0,0,NO,'
        rows.append(third + '"""8""",FLOAT,ND,"""8""",DT_BF16,ND,N/A,0,0,0,0,0,0')
    return "\n".join(rows) + "\n"


STEPS = (
    "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
    "Communication(Not Overlapped and Exclude Receive),Preparing\n"
    "2,1,45.0,10.0,10.0,20.0,2.5,57.5,0,10.0,20.0\n"
    "2,2,45.0,10.000000000000002,10.0,20.0,2.5,57.5,0,10.0,20.0\n"
)


GROUP = "1752268860347708586"


def communication() -> dict[str, Any]:
    """``communication.json``."""

    def link(size: float, time: float, packets: dict[str, list[float]]) -> dict[str, Any]:
        return {
            "Transit Size(MB)": size,
            "Transit Time(ms)": time,
            "Bandwidth(GB/s)": 0.5,
            "Large Packet Ratio": 0.25,
            "Size Distribution": packets,
        }

    def collective(at: float) -> dict[str, Any]:
        times = {"Start Timestamp(us)": EPOCH_US + at, "Elapse Time(ms)": 0.02, "Transit Time(ms)": 0.008}
        waits = {"Wait Time(ms)": 0.012, "Synchronization Time(ms)": 0.01, "Idle Time(ms)": 0, "Wait Time Ratio": 0.6}
        links = {
            "HCCS": link(0.004, 0.008, {"0.002": [2, 0.008]}),
            "SDMA": link(0.004, 0.008, {}),
            "RDMA": link(0, 0, {}),
        }
        return {"Communication Time Info": times | waits, "Communication Bandwidth Info": links}

    return {
        f"step{step}": {
            "p2p": {},
            "collective": {
                f"hcom_allReduce__586_{step}_1@{GROUP}": collective(at),
                "Total Op Info": collective(at),
            },
        }
        for step, at in ((1, 40), (2, 140))
    }


MATRIX_CALLS = [
    # Step, source, destination, kind of link, MB, ms, GB/s, call.
    (1, 0, 0, "LOCAL", 0.008, 0.001, 8.0, "hcom_allReduce__586_1_1"),
    (1, 0, 1, "HCCS", 0.004, 0.008, 0.5, "hcom_allReduce__586_1_1"),
    (1, 0, 1, "HCCS", 0.004, 0.002, 2.0, "hcom_allReduce__586_3_1"),
    (2, 0, 1, "HCCS", 0.004, 0.016, 0.25, "hcom_allReduce__586_2_1"),
    (2, 0, 1, "HCCS", 0.002, 0.001, 2.0, "hcom_reduceScatter__586_5_1"),
]
"""Calls of which `matrix` holds the fastest, the slowest and the sum."""
_OF_MATRIX = ("Transport Type", "Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)")


def matrix() -> dict[str, Any]:
    """``communication_matrix.json``: of each kind and pair the sum, and the fastest, middle and slowest calls."""
    made: dict[str, Any] = {f"step{step}": {"p2p": {}, "collective": {}} for step in (1, 2)}
    calls: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for step, source, destination, *said in MATRIX_CALLS:
        # The analysis looks for "reduce" before "reducescatter".
        kind = "allreduce" if "allReduce" in said[-1] else "reduce"
        calls.setdefault((step, kind, f"{source}-{destination}"), []).append(tuple(said))
    for (step, kind, pair), several in calls.items():
        several.sort(key=lambda call: -call[3])
        parts = {"top1": several[0], "middle": several[len(several) // 2], "bottom1": several[-1]}
        parts |= {f"bottom{number}": several[-number] for number in (2, 3) if len(several) >= number}
        size, time = sum(call[1] for call in several), sum(call[2] for call in several)
        parts["total"] = (several[0][0], size, time, round(size / time, 4))
        for part, said in parts.items():
            entry = dict(zip((*_OF_MATRIX, "Op Name"), said, strict=False))
            made[f"step{step}"]["collective"].setdefault(f"{kind}-{part}@{GROUP}", {})[pair] = entry
    return made


ALLOCATIONS = [
    # Operator, bytes, when it was allocated and released in us, bytes of its allocator after that.
    ("aten::empty", 4_096, 1, None, 14_336),
    ("aten::mm", 6_144, 20, 60, 20_480),
    ("aten::mm", 512, 30, 35, 20_992),
    ("aten::add", 1_536, 40, 150, 22_016),
    ("aten::mm", 512, 110, None, 16_896),
    ("cann::Softmax", 2_048, 25, 130, 2_048),
]
"""What operators allocated; 10240 bytes were there before."""
RECORDS = [
    # Component, us, bytes allocated, reserved, active.
    ("PTA", 1, 14_336, 32_768, 14_336),
    ("PTA+GE", 1, 14_336, 32_768, 14_336),
    ("GE", 25, 2_048, 4_096, 2_048),
    ("PTA", 40, 22_016, 32_768, 22_528),
    ("PTA+GE", 40, 24_064, 36_864, 24_576),
    ("PTA", 110, 16_896, 40_960, 16_896),
    ("APP", 50, None, 1_048_576, None),
]
"""Totals of allocators."""
MEMORY_HEADER = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type"
ALLOCATION_HEADER = (
    "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),"
    "Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),"
    "Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type"
)


def memory_record() -> str:
    """``memory_record.csv``."""
    rows = [MEMORY_HEADER]
    for component, at, *sizes in RECORDS:
        totals = ["" if size is None else str(size / (1 << 20)) for size in sizes]
        rows.append(",".join((component, f"{stamp(at)}\t", *totals, "187651", "NPU:2")))
    return "\n".join(rows) + "\n"


MODULE_RECORDS = [("HCCL", 3, 5, 2 << 20), ("HCCL", 3, 60, 3 << 20), ("APP", 33, 70, 1 << 20), ("SLOG", 0, 80, None)]
"""Module of CANN, its number, moment in us, bytes; None where only releases were seen."""


def module_memory() -> str:
    """``npu_module_mem.csv``."""
    rows = ["Device_id,Component,Timestamp(us),Total Reserved(KB),Device"]
    for module, _, at, size in MODULE_RECORDS:
        rows.append(f"2,{module},{stamp(at)}\t,{-1 if size is None else size / 1024},NPU:2")
    return "\n".join(rows) + "\n"


def operator_memory() -> str:
    """``operator_memory.csv``; the last line is a release of what was allocated before."""
    rows = [ALLOCATION_HEADER]
    for name, size, at, until, total in ALLOCATIONS:
        end = "" if until is None else f"{stamp(until)}\t"
        times = (f"{stamp(at)}\t", end, end, "", "")
        rows.append(",".join((name, str(size / 1024), *times, str(total / (1 << 20)), *[""] * 5, "187651", "NPU:2")))
    rows.append(f"aten::add,-1.0,{stamp(50)}\t" + "," * 12 + "NPU:2")
    return "\n".join(rows) + "\n"


def info(rank: int = 0) -> dict[str, Any]:
    """``profiler_info_RANK.json``."""
    options = {"_profiler_level": "Level1", "_export_type": "text"}
    return {
        "config": {"common_config": {"activities": ["ProfilerActivity.NPU"]}, "experimental_config": options},
        "end_info": {"collectionTimeEnd": (EPOCH_US + 300) * 1000},
        "torch_npu_version": "2.7.1",
        "cann_version": "8.3",
        "rank_id": str(rank),
    }


METADATA = {"distributed_args": {"world_size": 2}, "ENV_VARIABLES": {"HOSTNAME": "node-of-somebody"}}


def files() -> dict[str, str]:
    """Files of the folder of analysed files."""
    return {
        "trace_view.json": json.dumps(timeline()),
        "kernel_details.csv": kernel_details(),
        "step_trace_time.csv": STEPS,
        "communication.json": json.dumps(communication()),
        "communication_matrix.json": json.dumps(matrix()),
        "memory_record.csv": memory_record(),
        "npu_module_mem.csv": module_memory(),
        "operator_memory.csv": operator_memory(),
    }


def write_run(folder: Path, rank: int = 0, **changed: str | None) -> Path:
    """The folder of a run.

    Args:
        changed: other contents of files, by name with ``_`` for the dot; None for a file that is missing.
    """
    run = folder / f"node_{900 + rank}_20260101000000{rank:03d}_ascend_pt"
    output = run / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    (run / f"profiler_info_{rank}.json").write_text(json.dumps(info(rank)))
    (run / "profiler_metadata.json").write_text(json.dumps(METADATA))
    for name, content in files().items():
        content = changed.get(name.replace(".", "_"), content)
        if content is not None:
            (output / name).write_text(content)
    return run


def write_database(folder: Path, rank: int = 0) -> Path:
    """A run of one step as databases: the profiler's, and what its analysis says beside it.

    The same as the first step of `timeline`, without the copy: a product, a collective with two parts, a cast on an AI
    CPU; the product is a task of parts.
    """
    run = folder / f"node_{900 + rank}_20260101000000{rank:03d}_ascend_pt"
    output = run / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    base = sqlite3.connect(output / f"ascend_pytorch_profiler_{rank}.db")
    texts: dict[str, int] = {}

    def text(value: str) -> int:
        return texts.setdefault(value, len(texts))

    def table(name: str, columns: str, rows: list[tuple[Any, ...]]) -> None:
        base.execute(f"CREATE TABLE {name} ({columns})")
        base.executemany(f"INSERT INTO {name} VALUES ({','.join('?' * len(columns.split(',')))})", rows)

    def ns(us: float) -> int:
        return EPOCH_US * 1000 + round(us * 1000)

    host, queue, no = (HOST << 32) | HOST, (HOST << 32) | QUEUE, 0xFFFFFFFF
    tasks = [
        (ns(20), ns(50), 2, 11, 1, text("KERNEL_AICORE"), no, 2, 7),
        (ns(20), ns(50), 2, 11, 2, text("MIX_AIC"), 0, 2, 7),
        (ns(40), ns(48), 2, 12, 3, text("SDMA"), 1, 4, 8),
        (ns(48), ns(60), 2, 12, 4, text("Notify Wait"), 2, 4, 8),
        (ns(62.5), ns(77.5), 2, 13, 5, text("AI_CPU"), no, 2, 9),
        (ns(77.5), ns(77.6), 2, 14, 6, text("EVENT_RECORD"), no, 2, 10),
    ]
    columns = (
        "startNs INTEGER,endNs INTEGER,deviceId INTEGER,connectionId INTEGER,globalTaskId INTEGER,taskType INTEGER"
    )
    table("TASK", f"{columns},contextId INTEGER,streamId INTEGER,taskId INTEGER", tasks)
    details = [
        (text("MatMul"), 2, 20, text("MatMulV3"), text("MIX_AIC"), text("64,32;32,16"), text("ND;ND"), 1500),
        (text("Cast"), 5, 0, text("Cast"), text("AI_CPU"), text("8"), text("ND"), 12500),
    ]
    columns = "name INTEGER,globalTaskId INTEGER,blockDim INTEGER,opType INTEGER,taskType INTEGER"
    table("COMPUTE_TASK_INFO", f"{columns},inputShapes INTEGER,inputFormats INTEGER,waitNs INTEGER", details)
    units = [(2, text("aic_mac_ratio"), 0.7), (2, text("aic_total_time"), 28.0)]
    table("TASK_PMU_INFO", "globalTaskId INTEGER,name INTEGER,value NUMERIC", units)
    table("COMMUNICATION_TASK_INFO", "globalTaskId INTEGER", [(3,), (4,)])
    op = (text("hcom_allReduce__586_1_1"), ns(40), ns(60), 12, text("10.0.0.1%eth0_60000"), 4, 1000)
    columns = "opName INTEGER,startNs INTEGER,endNs INTEGER,connectionId INTEGER,groupName INTEGER"
    table("COMMUNICATION_OP", f"{columns},dataType INTEGER,count NUMERIC", [op])
    table("ENUM_HCCL_DATA_TYPE", "id INTEGER,name TEXT", [(4, "FP32")])
    table("ENUM_API_TYPE", "id INTEGER,name TEXT", [(20000, "acl"), (10000, "node")])
    calls = [
        (ns(start), ns(start + 4), 10000, queue, number, text("launch"))
        for start, number in ((12, 11), (23, 12), (35, 13))
    ]
    calls.append((ns(60), ns(85), 20000, host, 0, text("aclrtSynchronizeStream")))
    columns = "startNs INTEGER,endNs INTEGER,type INTEGER,globalTid INTEGER,connectionId INTEGER,name INTEGER"
    table("CANN_API", columns, calls)
    api: list[tuple[Any, ...]] = [(str(ns(0)), str(ns(95)), host, None, text("ProfilerStep#1"), -1, None, 50001)]
    for number, (name, at) in enumerate((("MatMul", 1), ("hcom_allReduce", 12), ("Cast", 24))):
        api += [
            (str(ns(at)), str(ns(at + 8)), host, None, text(f"aten::{name}"), number, text("64,32"), 50001),
            (str(ns(at + 2)), str(ns(at + 4)), host, number, text("Enqueue"), None, None, 50002),
            (str(ns(at + 10)), str(ns(at + 16)), queue, number + 10, text(f"Dequeue@{name}"), None, None, 50002),
        ]
    columns = "startNs TEXT,endNs TEXT,globalTid INTEGER,connectionId INTEGER,name INTEGER,sequenceNumber INTEGER"
    table("PYTORCH_API", f"{columns},inputShapes INTEGER,type INTEGER", api)
    table(
        "CONNECTION_IDS", "id INTEGER,connectionId INTEGER", [(n + more, 500 + n) for n in range(3) for more in (0, 10)]
    )
    columns = "component INTEGER,timestamp INTEGER,totalAllocated INTEGER,totalReserved INTEGER,totalActive INTEGER"
    records = [(text(component), ns(at), *sizes, 2) for component, at, *sizes in RECORDS]
    table("MEMORY_RECORD", f"{columns},deviceId INTEGER", records)
    columns = "moduleId INTEGER,timestampNs INTEGER,totalReserved INTEGER,deviceId INTEGER"
    modules = [(number, ns(at), -1 if size is None else size, 2) for _, number, at, size in MODULE_RECORDS]
    table("NPU_MODULE_MEM", columns, modules)
    names = {number: module for module, number, *_ in MODULE_RECORDS}
    table("ENUM_MODULE", "id INTEGER,name TEXT", list(names.items()))
    columns = "name INTEGER,size INTEGER,allocationTime INTEGER,releaseTime INTEGER,allocationTotalAllocated INTEGER"
    held = [
        (text(name), size, ns(at), None if until is None else ns(until), total, 2)
        for name, size, at, until, total in ALLOCATIONS
    ]
    table("OP_MEMORY", f"{columns},deviceId INTEGER", held)
    table("NPU_INFO", "id INTEGER,name TEXT", [(2, "Ascend910B")])
    table("HOST_INFO", "hostUid TEXT,hostName TEXT", [("1", "node-of-somebody")])
    table("RANK_DEVICE_MAP", "rankId INTEGER,deviceId INTEGER", [(rank, 2)])
    table("STRING_IDS", "id INTEGER,value TEXT", [(number, value) for value, number in texts.items()])
    base.commit()
    base.close()
    _write_analysis(output / "analysis.db")
    return run


def _write_analysis(path: Path) -> None:
    base = sqlite3.connect(path)
    parts = "computing,communication_not_overlapped,overlapped,communication,free,stage,bubble,preparing"
    base.execute(f"CREATE TABLE StepTraceTime (step,{parts})")
    base.execute("INSERT INTO StepTraceTime VALUES ('1', 45.0, 10.0, 10.0, 20.0, 2.5, 57.5, 0, 20.0)")
    names = "hccl_op_name,group_name,step,type"
    times = "start_timestamp,elapse_time,transit_time,wait_time,synchronization_time,idle_time"
    base.execute(f"CREATE TABLE CommAnalyzerTime ({names},{times})")
    one = f"'hcom_allReduce__586_1_1','{GROUP}','step1','collective'"
    base.execute(f"INSERT INTO CommAnalyzerTime VALUES ({one}, {EPOCH_US + 40}, 0.02, 0.008, 0.012, 0.01, 0)")
    links = "transport_type,transit_size,transit_time,large_packet_ratio,count"
    base.execute(f"CREATE TABLE CommAnalyzerBandwidth ({names},{links})")
    base.execute(f"INSERT INTO CommAnalyzerBandwidth VALUES ({one}, 'HCCS', 0.004, 0.008, 0.25, 2)")
    base.execute(f"INSERT INTO CommAnalyzerBandwidth VALUES ({one}, 'RDMA', 0, 0, 0, 0)")
    ends = "src_rank,dst_rank,transport_type,transit_size,transit_time,bandwidth,op_name"
    base.execute(f"CREATE TABLE CommAnalyzerMatrix ({names},{ends})")
    for name, pairs in matrix()["step1"]["collective"].items():
        for pair, said in pairs.items():
            own = (*name.split("@"), "step1", "collective", *pair.split("-"))
            row = (*own, *(said[key] for key in _OF_MATRIX), said.get("Op Name", ""))
            base.execute(f"INSERT INTO CommAnalyzerMatrix VALUES ({','.join('?' * len(row))})", row)
    base.commit()
    base.close()
