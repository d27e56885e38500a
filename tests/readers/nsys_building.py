"""Small exports of Nsight Systems: tables with the columns that the reader looks for, and some that it does not."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

PROCESS, MAIN, AUTOGRAD = 583, 583, 612
BASE_NS = 1_795_182_993_931_624_779

KERNEL = (
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, "
    "shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL, gridX INTEGER, gridY INTEGER, gridZ INTEGER, "
    "blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER"
)
MEMCPY = (
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
    "correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL, "
    "copyKind INTEGER, srcKind INTEGER, dstKind INTEGER"
)
MEMSET = (
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
    "correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL, memKind INTEGER"
)
GRAPH = (
    "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
    "globalPid INTEGER, graphId INTEGER"
)
RUNTIME = (
    "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
    "correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL"
)
NVTX = (
    "start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER, textId INTEGER, "
    "domainId INTEGER"
)
OSRT = "start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, nameId INTEGER, returnValue INTEGER"
PAIRS = "name TEXT NOT NULL, value TEXT"
TABLES = {
    "CUPTI_ACTIVITY_KIND_KERNEL": KERNEL,
    "CUPTI_ACTIVITY_KIND_MEMCPY": MEMCPY,
    "CUPTI_ACTIVITY_KIND_MEMSET": MEMSET,
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": GRAPH,
    "CUPTI_ACTIVITY_KIND_RUNTIME": RUNTIME,
    "NVTX_EVENTS": NVTX,
    "OSRT_API": OSRT,
    "PROFILER_OVERHEAD": "start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, returnValue INTEGER",
    "GPU_METRICS": "rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER",
    "TARGET_INFO_GPU_METRICS": "typeId INTEGER, sourceId INTEGER, typeName TEXT, metricId INTEGER, metricName TEXT",
    "DIAGNOSTIC_EVENT": "timestamp INTEGER, timestampType INTEGER, source INTEGER, severity INTEGER, text TEXT",
    "ThreadNames": "nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER",
    "META_DATA_EXPORT": PAIRS,
    "META_DATA_CAPTURE": PAIRS,
    "TARGET_INFO_SYSTEM_ENV": "globalVid INTEGER, devStateName TEXT, name TEXT, nameEnum INTEGER, value TEXT",
    "TARGET_INFO_SESSION_START_TIME": "utcEpochNs INTEGER, utcTime TEXT, localTime TEXT",
    "TARGET_INFO_GPU": "vmId INTEGER, id INTEGER, name TEXT, totalMemory INTEGER, smCount INTEGER, "
    "maxWarpsPerSm INTEGER, threadsPerWarp INTEGER, computeMajor INTEGER, computeMinor INTEGER",
    "ANALYSIS_DETAILS": "globalVid INTEGER, duration INTEGER, startTime INTEGER, stopTime INTEGER",
    "PROCESSES": "globalPid INTEGER, pid INTEGER, name TEXT",
    "COMPOSITE_EVENTS": "id INTEGER, start INTEGER, cpu INTEGER, threadState INTEGER, globalTid INTEGER, "
    "cpuCycles INTEGER",
    "SAMPLING_CALLCHAINS": "id INTEGER, symbol INTEGER, module INTEGER, kernelMode INTEGER, unresolved INTEGER, "
    "originalIP INTEGER, stackDepth INTEGER",
    "SCHED_EVENTS": "start INTEGER, cpu INTEGER, isSchedIn INTEGER, globalTid INTEGER",
    "CUDA_UM_CPU_PAGE_FAULT_EVENTS": "start INTEGER, globalPid INTEGER, address INTEGER",
    "CUDA_UM_GPU_PAGE_FAULT_EVENTS": "start INTEGER, end INTEGER, globalPid INTEGER, deviceId INTEGER, "
    "address INTEGER, numberOfPageFaults INTEGER, faultAccessType INTEGER",
    "CUDA_GPU_MEMORY_USAGE_EVENTS": "start INTEGER, globalPid INTEGER, deviceId INTEGER, address INTEGER, "
    "bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER, name TEXT",
    "GENERIC_EVENT_SOURCES": "sourceId INTEGER, data TEXT",
    "GENERIC_EVENT_TYPES": "typeId INTEGER, sourceId INTEGER, data TEXT",
    "GENERIC_EVENTS": "rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, data TEXT",
    "NET_NIC_METRIC": "start INTEGER, end INTEGER, globalId INTEGER, metricsListId INTEGER, metricsIdx INTEGER, "
    "value INTEGER",
    "TARGET_INFO_NETWORK_METRICS": "metricsListId INTEGER, metricsIdx INTEGER, name TEXT, description TEXT, unit TEXT",
    "TARGET_INFO_NIC_INFO": "GUID INTEGER, stateName TEXT, nicId INTEGER, name TEXT",
    "NIC_ID_MAP": "nicId INTEGER, globalId INTEGER",
    "MPI_COLLECTIVES_EVENTS": "start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER, size INTEGER",
    "CUPTI_ACTIVITY_KIND_OVERHEAD": "start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
    "correlationId INTEGER, nameId INTEGER, overheadType INTEGER",
    "MPI_RANKS": "globalTid INTEGER NOT NULL, rank INTEGER NOT NULL",
    "TARGET_INFO_CUDA_DEVICE": "gpuId INTEGER, cudaId INTEGER, pid INTEGER, uuid TEXT, numMultiprocessors INTEGER",
}


def thread(number: int = MAIN, process: int = PROCESS) -> int:
    """The number by which an export names a thread."""
    return (1 << 48) | (process << 24) | number


class Export:
    """An export that is being made. Texts get their numbers from `text`."""

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[object, ...]]] = {}
        self._texts: dict[str, int] = {}

    def text(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts) + 1)

    def add(self, table: str, *row: object) -> Export:
        self.rows.setdefault(table, []).append(row)
        return self

    def kernel(
        self, name: str, start: int, end: int, correlation: int, *, stream: int = 7, pid: int = PROCESS
    ) -> Export:
        text = self.text(name)
        shape = (40, 8, 2, 1, 128, 1, 1, 1024, 2048)
        return self.add(
            "CUPTI_ACTIVITY_KIND_KERNEL", start, end, 0, 1, stream, correlation, thread(0, pid), text, text, *shape
        )

    def call(self, name: str, start: int, end: int, correlation: int, *, tid: int = MAIN, pid: int = PROCESS) -> Export:
        row = (start, end, 0, thread(tid, pid), correlation, self.text(name), 0)
        return self.add("CUPTI_ACTIVITY_KIND_RUNTIME", *row)

    def range(
        self,
        text: str,
        start: int,
        end: int | None,
        *,
        tid: int = MAIN,
        kind: int = 59,
        domain: int = 0,
        pid: int = PROCESS,
    ) -> Export:
        return self.add("NVTX_EVENTS", start, end, kind, text, thread(tid, pid), None, domain)

    def write(self, path: Path, tables: Mapping[str, str] = TABLES, leave_out: Sequence[str] = ()) -> Path:
        """The database, with every table that has rows."""
        path.unlink(missing_ok=True)
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
        connection.executemany("INSERT INTO StringIds VALUES (?, ?)", [(n, text) for text, n in self._texts.items()])
        for table, rows in self.rows.items():
            if table not in leave_out:
                connection.execute(f"CREATE TABLE {table} ({tables[table]})")
                marks = ", ".join("?" * len(rows[0]))
                connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        connection.commit()
        connection.close()
        return path


def as_folder(database: Path, folder: Path, ending: str = "parquet") -> Path:
    """The tables of a database as a file each: parquet, arrow, or "stream" for Arrow without an index."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(database)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for name in names:
        columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
        types = {column[1]: pl.String if column[2] == "TEXT" else pl.Int64 for column in columns}
        frame = pl.DataFrame(connection.execute(f"SELECT * FROM {name}").fetchall(), schema=types, orient="row")
        if ending == "parquet":
            frame.write_parquet(folder / f"{name}.parquet")
        elif ending == "arrow":
            frame.write_ipc(folder / f"{name}.arrow")
        else:
            frame.write_ipc_stream(folder / f"{name}.arrow")
    connection.close()
    return folder


def everything_beside(made: Export, pid: int = 20) -> Export:
    """An export with some of each kind of row besides CUDA and NVTX, of one process."""
    own = thread(pid, pid)
    made.add("OSRT_API", 5, 50, 27, own, made.text("poll"), 0)
    made.add("COMPOSITE_EVENTS", 1, 60, 3, 1, own, 1)
    made.add("SAMPLING_CALLCHAINS", 1, made.text("gemm"), made.text("/opt/lib/libgemm.so"), 0, 0, 0, 0)
    made.add("SCHED_EVENTS", 10, 1, 1, own).add("SCHED_EVENTS", 20, 1, 0, own)
    made.add("CUDA_UM_CPU_PAGE_FAULT_EVENTS", 30, own, 4096)
    made.add("CUDA_UM_GPU_PAGE_FAULT_EVENTS", 30, 40, own, 0, 4096, 7, 2)
    made.add("CUDA_GPU_MEMORY_USAGE_EVENTS", 30, own, 0, 4096, 2_097_152, 2, 0, None)
    made.add("MPI_COLLECTIVES_EVENTS", 70, 90, own, made.text("MPI_Allreduce"), 1024)
    made.add("TARGET_INFO_NETWORK_METRICS", 5, 0, "Bytes sent", "", "Bytes/s")
    made.add("NET_NIC_METRIC", 10, 19, 7, 5, 0, 1_000)
    made.add("CUPTI_ACTIVITY_KIND_OVERHEAD", 5, 9, 103, own, 1, made.text("Activity Buffer Request"), 8)
    made.add("GENERIC_EVENT_SOURCES", 1, '{"Name": "GpuMetrics"}').add("GENERIC_EVENT_TYPES", 1 << 48, 1, "{}")
    made.add("GENERIC_EVENTS", 10, 10, 1 << 48, '{"SM Active": 10}')
    return made.add("ThreadNames", made.text("trainer"), 0, own)


def training(steps: int = 3) -> Export:
    """Steps of a copy, a kernel of the main thread and one of autograd's, under NVTX ranges."""
    made = Export()
    made.add("TARGET_INFO_SESSION_START_TIME", BASE_NS, "", "")
    made.add("META_DATA_EXPORT", "EXPORT_PRODUCT_VERSION", "2025.3.2.0")
    made.add("TARGET_INFO_GPU", 0, 0, "NVIDIA H200", 150_109_880_320, 132, 64, 32, 9, 0)
    for i in range(steps):
        at, number = 100_000 * i, 10 * i
        made.range(f"step {i}", at, at + 90_000).range("load", at + 1_000, at + 20_000)
        made.call("cudaMemcpyAsync_v3020", at + 2_000, at + 19_000, number + 1)
        copy = (at + 3_000, at + 18_000, 0, 1, 7, number + 1, thread(0), 4096, 1, 0, 2)
        made.add("CUPTI_ACTIVITY_KIND_MEMCPY", *copy)
        made.range("train", at + 25_000, at + 80_000)
        made.call("cudaLaunchKernel_v7000", at + 26_000, at + 28_000, number + 2)
        made.kernel("gemm<float>", at + 30_000, at + 50_000, number + 2)
        made.call("cuLaunchKernelEx", at + 40_000, at + 43_000, number + 3, tid=AUTOGRAD)
        made.kernel("gemm_backward", at + 50_500, at + 75_000, number + 3)
    return made
