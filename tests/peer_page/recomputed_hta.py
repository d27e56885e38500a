"""HTA's figures computed anew from a trace, under the readings that the page gives as reasons.

Each function takes the trace as HTA loads it: whole microseconds (``rounded``), without the last ``ProfilerStep``. That
the results equal HTA's is what makes the page's reasons more than guesses.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from pathlib import Path

from peer_page.rows import Row, common, length, timed_rows

COMMUNICATION = re.compile(r"nccl.*Kernel")
COPY_OR_FILL = re.compile(r"Memcpy|Memset|dma")
LAUNCHES = {"cudaLaunchKernel", "cudaLaunchKernelExC", "cudaMemcpyAsync", "cudaMemsetAsync"}
HOST_WORK = {"cpu_op", "cuda_runtime", "cuda_driver"}
BLOCKING = {
    *("cudaMemcpy", "cudaMemcpyAsync", "cudaEventQuery", "cudaEventSynchronize"),
    *("cudaDeviceSynchronize", "cudaStreamSynchronize"),
}
KERNEL_WAIT_US = 30
LATE_LAUNCH_US = 100


@dataclass(frozen=True, eq=False)
class Loaded:
    """A trace as HTA holds it: what it takes for GPU rows, and the rest."""

    gpu: list[Row]
    host: list[Row]

    def of_kind(self, kind: str) -> list[Row]:
        return [row for row in self.gpu if kind_of(row) == kind]


def kind_of(row: Row) -> str:
    """COMMUNICATION, MEMORY or COMPUTATION by the name alone."""
    if COMMUNICATION.match(row.name):
        return "COMMUNICATION"
    return "MEMORY" if COPY_OR_FILL.match(row.name) else "COMPUTATION"


@cache
def load(path: Path, *, rounded: bool = True, last_step: bool = False) -> Loaded:
    """Rows as HTA keeps them: starts rounded up and ends down where times have decimals, the last step left out."""
    rows = timed_rows(path)
    if rounded and any(isinstance(row.start, float) for row in rows):
        rows = [replace(row, start=math.ceil(row.start), end=math.floor(row.end)) for row in rows]
    gpu = [row for row in rows if _stream(row) != -1]
    host = [row for row in rows if _stream(row) == -1]
    steps = [row for row in host if "ProfilerStep" in row.name]
    if len({row.name for row in steps}) > 1 and not last_step:
        last = max(row.start for row in steps)
        host = [row for row in host if row.start < last]
        launched = {_correlation(row) for row in host}
        gpu = [row for row in gpu if _correlation(row) in launched]
    return Loaded(gpu, host)


def _stream(row: Row) -> int:
    try:
        return int(row.args.get("stream", -1))
    except ValueError:
        return -1


def _correlation(row: Row) -> int:
    return int(row.args.get("correlation", -1))


def _ranges(rows: Iterable[Row]) -> list[tuple[float, float]]:
    return [(row.start, row.end) for row in rows]


@cache
def time_split(trace: Loaded) -> dict[str, float]:
    """`get_temporal_breakdown` and the kernel types, in us."""
    gpu = [row for row in trace.gpu if row.end >= row.start]
    span = max(row.end for row in gpu) - min(row.start for row in gpu)
    busy, compute = length(_ranges(gpu)), length(_ranges(trace.of_kind("COMPUTATION")))
    return {
        "span": span,
        "busy": busy,
        "idle": span - busy,
        "compute": compute,
        "communication": length(_ranges(trace.of_kind("COMMUNICATION"))),
        "memory": length(_ranges(trace.of_kind("MEMORY"))),
    }


def overlap(trace: Loaded) -> float:
    """Share of communication under compute, in %."""
    communication = _ranges(trace.of_kind("COMMUNICATION"))
    return 100 * common(communication, _ranges(trace.of_kind("COMPUTATION"))) / length(communication)


def idle_of_streams(trace: Loaded) -> dict[int, dict[str, float]]:
    """Gaps of each stream by HTA's cause, in us.

    Work whose call was not recorded is compared with the first event of the file instead of its call.
    """
    calls = {_correlation(row): row.start for row in trace.host if _correlation(row) >= 0}
    first = next((row.start for row in trace.host if row.number == 0), -math.inf)
    gaps: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    last: dict[int, float] = {}
    for row in sorted(trace.gpu, key=lambda row: row.start):
        stream = _stream(row)
        if stream in last:
            gap = row.start - last[stream]
            late = calls.get(_correlation(row), first) > last[stream]
            gaps[stream]["host_wait" if late else "kernel_wait" if gap < KERNEL_WAIT_US else "other"] += gap
        last[stream] = row.end
    return gaps


def launches(trace: Loaded) -> list[tuple[Row, Row, float]]:
    """Call, activity, and the time from the call's end to the activity's start, never below zero, in us."""
    calls = {_correlation(row): row for row in trace.host if row.name in LAUNCHES}
    return [
        (call, row, max(0, row.start - call.end))
        for row in trace.gpu
        if (call := calls.get(_correlation(row))) is not None
    ]


def bandwidth(trace: Loaded) -> dict[str, float]:
    """Mean over the times at which copies begin or end of the sum of the rates of those that run, by direction.

    Moments with no copy are left out. A copy of 0 us counts as 1 us long, as one that is shorter does not.
    """
    changes: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in trace.of_kind("MEMORY"):
        name, rate = _direction(row.name), row.args.get("memory bandwidth (GB/s)", 0.0)
        changes[name] += [(row.start, rate), (row.start + (row.duration or 1), -rate)]
    means = {}
    for name, own in changes.items():
        rates = [rate for rate in accumulate(change for _, change in sorted(own, key=lambda pair: pair[0])) if rate > 0]
        means[name] = sum(rates) / len(rates)
    return means


def _direction(name: str) -> str:
    return "Memset" if name.startswith("Memset") else name[: len("Memcpy DtoH")]


def merged_as_hta(rows: Iterable[Row]) -> float:
    """Length of the union as HTA takes it, in us: what is shorter than nothing and alone counts below zero."""
    groups: list[list[float]] = []
    furthest = -math.inf
    for row in sorted(rows, key=lambda row: row.start):
        if row.start > furthest:
            groups.append([row.start, row.end])
        groups[-1][1] = max(groups[-1][1], row.end)
        furthest = max(furthest, row.end)
    return sum(end - start for start, end in groups)


def path_of_one_thread(trace: Loaded) -> float:
    """Longest time that a thread is in operators and calls of the first step, in us; what may block counts nothing."""
    step = min((row for row in trace.host if row.name.startswith("ProfilerStep#")), key=lambda row: row.start)
    threads: dict[str, list[Row]] = defaultdict(list)
    for row in trace.host:
        if step.start <= row.start <= step.end and row.category in HOST_WORK:
            threads[row.place[1]].append(row)
    return max(
        length(_ranges(rows)) - sum(row.duration for row in rows if row.name in BLOCKING) for rows in threads.values()
    )


def queue_lengths(trace: Loaded) -> dict[int, list[int]]:
    """Length of each stream's queue after each change: one more where a call starts, one less where its work starts."""
    calls = {_correlation(row): row for row in trace.host if row.name in {*LAUNCHES, "cuLaunchKernel"}}
    changes: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for row in trace.gpu:
        call = calls.get(_correlation(row))
        if call is not None:
            changes[_stream(row)] += [(call.start, 1), (row.start, -1)]
    return {
        stream: list(accumulate(change for _, change in sorted(own, key=lambda pair: pair[0])))
        for stream, own in changes.items()
    }


def kernels_of_ranges(trace: Loaded, prefix: str) -> list[list[Row]]:
    """Kernels that each annotation of a name launches from its own thread."""
    calls = {_correlation(row): row for row in trace.host if row.category == "cuda_runtime"}
    launched = [(calls[_correlation(row)], row) for row in trace.gpu if _correlation(row) in calls]
    return [
        [row for call, row in launched if call.place == own.place and own.start <= call.start < own.end]
        for own in trace.host
        if own.category == "user_annotation" and own.name.startswith(prefix)
    ]
