"""A small run on an Ascend NPU, in the files that torch_npu's analysis writes, made as their documentation says.

Two steps of 100 us. In each an operator enqueues a product, a thread of the queue takes it, and CANN launches it;
a collective runs on a stream of its own, its parts on planes as well; then a slow operator runs on an AI CPU.
"""

from __future__ import annotations

import json
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
