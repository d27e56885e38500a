"""One recording of rocprofv3 in each of its formats: launches, kernels, a copy, ranges and a mark."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

PROCESS, THREAD = 77, 78
GPU, CPU = 4, 0
"""Handles of agents; HIP calls the GPU number 0."""

KERNELS = [
    (5, "vec_add(float*, float*)", 2500, 3100, 1, 0, (1024, 1, 1), (256, 1, 1)),
    (6, "vec_mul(float*, float*)", 3000, 3600, 1, 3, (64, 4, 1), (64, 2, 1)),
]
"""Correlation, name, start, end, queue, stream, grid in work-items, block."""

COPIES = [(7, "MEMORY_COPY_DEVICE_TO_HOST", 4000, 4400, GPU, CPU, 4096, 0)]
"""Correlation, name, start, end, source, target, bytes, stream."""

CALLS = [
    (5, "HIP_RUNTIME_API", "hipLaunchKernel", 2000, 2100),
    (6, "HIP_RUNTIME_API", "hipLaunchKernel", 2200, 2300),
    (7, "HSA_AMD_EXT_API", "hsa_amd_memory_async_copy", 3900, 3950),
]
RANGES = [(1, "iteration 0", 1900, 4500), (2, 'a "mark"', 4600, 4600)]
"""Correlation, text, start, end."""


def document() -> dict[str, Any]:
    """JSON."""
    domains = {"NONE": [], "HIP_RUNTIME_API": ["hipLaunchKernel"], "HSA_AMD_EXT_API": ["hsa_amd_memory_async_copy"]}
    domains |= {
        "KERNEL_DISPATCH": ["ENQUEUE"],
        "MEMORY_COPY": ["NONE", COPIES[0][1]],
        "MARKER_CORE_API": ["roctxMarkA"],
    }
    kinds = list(domains)

    def record(domain: str, operation: int, number: int, start: int, end: int, **more: Any) -> dict[str, Any]:
        return {
            "size": 64,
            "kind": kinds.index(domain),
            "operation": operation,
            "thread_id": THREAD,
            "correlation_id": {"internal": number, "external": 0},
            "start_timestamp": start,
            "end_timestamp": end,
            **more,
        }

    def sizes(values: tuple[int, ...]) -> dict[str, int]:
        return dict(zip("xyz", values, strict=True))

    dispatches = []
    for place, (number, _, start, end, queue, stream, grid, block) in enumerate(KERNELS):
        info = {"agent_id": {"handle": GPU}, "queue_id": {"handle": queue}, "kernel_id": place + 1}
        info |= {"workgroup_size": sizes(block), "grid_size": sizes(grid), "group_segment_size": 512}
        own = {"dispatch_info": info, "stream_id": {"handle": stream}}
        dispatches.append(record("KERNEL_DISPATCH", 0, number, start, end, **own))
    copies = [
        record(
            *("MEMORY_COPY", 1, number, start, end),
            src_agent_id={"handle": source},
            dst_agent_id={"handle": target},
            bytes=size,
            stream_id={"handle": stream},
        )
        for number, _, start, end, source, target, size, stream in COPIES
    ]
    calls = [record(domain, 0, number, start, end) for number, domain, _, start, end in CALLS]
    process = {
        "metadata": {"pid": PROCESS, "node": {"hostname": "secret-host"}, "command": ["./train", "--key", "hidden"]},
        "agents": [
            {"id": {"handle": CPU}, "type": 1, "name": "EPYC", "logical_node_type_id": 0},
            {
                "id": {"handle": GPU},
                "type": 2,
                "name": "gfx942",
                "product_name": "AMD Instinct MI300X",
                "logical_node_type_id": 0,
                "cu_count": 304,
            },
        ],
        "strings": {
            "buffer_records": [{"kind": kind, "operations": names} for kind, names in domains.items()],
            "marker_api": [{"key": number, "value": text} for number, text, _, _ in RANGES],
        },
        "kernel_symbols": [
            {"kernel_id": place, "formatted_kernel_name": one[1]} for place, one in enumerate(KERNELS, 1)
        ],
        "buffer_records": {
            "kernel_dispatch": dispatches,
            "memory_copy": copies,
            "hip_api": [one for one, call in zip(calls, CALLS, strict=True) if call[1].startswith("HIP")],
            "hsa_api": [one for one, call in zip(calls, CALLS, strict=True) if call[1].startswith("HSA")],
            "rccl_api": [],
            "marker_api": [record("MARKER_CORE_API", 0, number, start, end) for number, _, start, end in RANGES],
        },
    }
    return {"rocprofiler-sdk-tool": [process]}


def csv() -> dict[str, str]:
    """The files of a recording by their names; none says how long a copy is."""

    def lines(header: str, rows: list[list[Any]]) -> str:
        names = [f'"{name}"' for name in header.split()]
        cells = [[f'"{cell}"' if isinstance(cell, str) else str(cell) for cell in row] for row in rows]
        return "".join(",".join(row) + "\n" for row in [names, *cells])

    call = "Domain Function Process_Id Thread_Id Correlation_Id Start_Timestamp End_Timestamp"
    axes = "Workgroup_Size_X Workgroup_Size_Y Workgroup_Size_Z Grid_Size_X Grid_Size_Y Grid_Size_Z"
    kernel = "Kind Agent_Id Queue_Id Stream_Id Thread_Id Dispatch_Id Kernel_Id Kernel_Name Correlation_Id"
    kernel += f" Start_Timestamp End_Timestamp LDS_Block_Size {axes}"
    copy = "Kind Direction Stream_Id Source_Agent_Id Destination_Agent_Id Correlation_Id Start_Timestamp End_Timestamp"

    def of_calls(begins: str) -> list[list[Any]]:
        some = [one for one in CALLS if one[1].startswith(begins)]
        return [[domain, name, PROCESS, THREAD, number, start, end] for number, domain, name, start, end in some]

    kernels = [
        [
            "KERNEL_DISPATCH",
            f"Agent {GPU}",
            queue,
            stream,
            THREAD,
            place,
            place,
            name,
            number,
            start,
            end,
            512,
            *block,
            *grid,
        ]
        for place, (number, name, start, end, queue, stream, grid, block) in enumerate(KERNELS, 1)
    ]
    copies = [
        ["MEMORY_COPY", name, stream, f"Agent {source}", f"Agent {target}", number, start, end]
        for number, name, start, end, source, target, _, stream in COPIES
    ]
    ranges = [
        ["MARKER_CORE_API", text.replace('"', '""'), PROCESS, THREAD, number, start, end]
        for number, text, start, end in RANGES
    ]
    agents = "Node_Id Logical_Node_Id Agent_Type Cu_Count Name Product_Name Logical_Node_Type_Id"
    return {
        f"{PROCESS}_kernel_trace.csv": lines(kernel, kernels),
        f"{PROCESS}_agent_info.csv": lines(
            agents, [[0, CPU, "CPU", 0, "EPYC", "EPYC", 0], [1, GPU, "GPU", 304, "gfx942", "AMD Instinct MI300X", 0]]
        ),
        f"{PROCESS}_hip_api_trace.csv": lines(call, of_calls("HIP")),
        f"{PROCESS}_hsa_api_trace.csv": lines(call, of_calls("HSA")),
        f"{PROCESS}_memory_copy_trace.csv": lines(copy, copies),
        f"{PROCESS}_marker_api_trace.csv": lines(call, ranges),
    }


_TABLES = {
    "metadata": "tag TEXT, value TEXT",
    "string": "guid TEXT, string TEXT",
    "info_process": "pid INTEGER, command TEXT, environment TEXT",
    "info_thread": "pid INTEGER, tid INTEGER, name TEXT",
    "info_agent": "type TEXT, type_index INTEGER, name TEXT, product_name TEXT",
    "info_kernel_symbol": "kernel_name TEXT, display_name TEXT",
    "info_category": "name TEXT",
    "event": "category_id INTEGER, stack_id INTEGER, extdata TEXT",
    "track": "pid INTEGER, tid INTEGER, agent_id INTEGER, queue_id INTEGER, stream_id INTEGER",
}
_TIMES = 'start BIGINT, "end" BIGINT, event_id INTEGER, '
_SIZES = [f"{what}_size_{axis} INTEGER" for what in ("grid", "workgroup") for axis in "xyz"]
_RECORDS = {
    "region": "name_id INTEGER",
    "kernel_dispatch": ", ".join(["kernel_id INTEGER", "group_segment_size INTEGER", *_SIZES]),
    "memory_copy": "name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER",
}
_HOST = "nid INTEGER, pid INTEGER, tid INTEGER, "
_PLACES = {
    "region": _HOST,
    "kernel_dispatch": f"{_HOST}agent_id INTEGER, queue_id INTEGER, stream_id INTEGER, ",
    "memory_copy": f"{_HOST}queue_id INTEGER, stream_id INTEGER, ",
}


class MadeRocpd:
    """A database of one or several processes.

    Args:
        schema: 3, whose records name their thread, or 4, whose records name a track.
    """

    def __init__(self, path: Path, schema: int = 3) -> None:
        self._connection, self._schema = sqlite3.connect(path), schema

    def close(self) -> None:
        self._connection.commit()
        self._connection.close()

    def add(self, ending: str = "_0001", process: int = PROCESS, shift: int = 0) -> MadeRocpd:
        """The recording, once more under another ending for another process."""
        columns = dict(_TABLES)
        for name, own in _RECORDS.items():
            columns[name] = (_PLACES[name] if self._schema == 3 else "track_id INTEGER, ") + _TIMES + own
        for name, several in columns.items():
            table = f'"rocpd_{name}{ending}"'
            self._connection.execute(f"CREATE TABLE {table} (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, {several})")
        self._texts: dict[str, int] = {}
        self._categories: dict[str, int] = {}
        self._tracks: dict[tuple[Any, ...], int] = {}
        self._ending, self._events = ending, 0
        self._put("rocpd_info_process", pid=process, command="./train --key hidden", environment='{"TOKEN": "hidden"}')
        self._put("rocpd_info_thread", pid=1, tid=THREAD, name="worker")
        self._put("rocpd_info_agent", type="CPU", type_index=0, name="EPYC", product_name="EPYC")
        self._put("rocpd_info_agent", type="GPU", type_index=0, name="gfx942", product_name="AMD Instinct MI300X")
        for one in KERNELS:
            self._put("rocpd_info_kernel_symbol", kernel_name="mangled", display_name=one[1])
        self._records(shift)
        return self

    def _records(self, shift: int) -> None:
        agents = {CPU: 1, GPU: 2}
        for place, (number, _, start, end, queue, stream, grid, block) in enumerate(KERNELS, 1):
            sizes = {f"grid_size_{axis}": value for axis, value in zip("xyz", grid, strict=True)}
            sizes |= {f"workgroup_size_{axis}": value for axis, value in zip("xyz", block, strict=True)}
            self._timed(
                *("rocpd_kernel_dispatch", start + shift, end + shift, "KERNEL_DISPATCH", number, "{}"),
                {"agent_id": 2, "queue_id": queue, "stream_id": stream},
                kernel_id=place,
                group_segment_size=512,
                **sizes,
            )
        for number, name, start, end, source, target, size, stream in COPIES:
            ends = {"src_agent_id": agents[source], "dst_agent_id": agents[target], "size": size}
            self._timed(
                *("rocpd_memory_copy", start + shift, end + shift, "MEMORY_COPY", number, "{}"),
                {"queue_id": 1, "stream_id": stream},
                name_id=self._text(name),
                **ends,
            )
        for number, domain, name, start, end in CALLS:
            times = (start + shift, end + shift)
            self._timed("rocpd_region", *times, domain, number, "{}", {}, name_id=self._text(name))
        for number, text, start, end in RANGES:
            said = json.dumps({"message": text})
            times = (start + shift, end + shift)
            self._timed("rocpd_region", *times, "MARKER_CORE_API", number, said, {}, name_id=self._text("roctxMarkA"))

    def _timed(
        self, table: str, start: int, end: int, category: str, number: int, said: str, gpu: dict[str, int], **more: Any
    ) -> None:
        self._events += 1
        event = {"category_id": self._category(category), "stack_id": number, "extdata": said}
        self._put("rocpd_event", id=self._events, **event)
        if self._schema == 3:
            place = {"nid": 1, "pid": 1, "tid": 1, **gpu}
        else:
            own = {"pid": 1, "tid": 1, "agent_id": None, "queue_id": None, "stream_id": None, **gpu}
            key = tuple(own.values())
            if key not in self._tracks:
                self._tracks[key] = len(self._tracks) + 1
                self._put("rocpd_track", id=self._tracks[key], **own)
            place = {"track_id": self._tracks[key]}
        self._put(table, start=start, end=end, event_id=self._events, **place, **more)

    def _category(self, name: str) -> int:
        if self._schema == 3:
            return self._text(name)
        if name not in self._categories:
            self._categories[name] = len(self._categories) + 1
            self._put("rocpd_info_category", id=self._categories[name], name=name)
        return self._categories[name]

    def _text(self, text: str) -> int:
        if text not in self._texts:
            self._texts[text] = len(self._texts) + 1
            self._put("rocpd_string", id=self._texts[text], string=text)
        return self._texts[text]

    def _put(self, table: str, **values: Any) -> None:
        names = ", ".join(f'"{name}"' for name in values)
        marks = ", ".join("?" * len(values))
        self._connection.execute(
            f'INSERT INTO "{table}{self._ending}" ({names}) VALUES ({marks})', list(values.values())
        )
