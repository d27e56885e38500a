"""The TensorBoard plugin's figures computed anew from a trace, under the readings that the page gives as reasons.

``patched`` stands for its category map with three changes: ``cuda_runtime`` and ``cuda_driver`` are calls, and
``gpu_user_annotation`` is nothing.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

from peer_page.rows import Range, Row, clipped, length, merged, timed_rows

COLLECTIVES = {f"nccl:{name}" for name in ("broadcast", "reduce", "all_reduce", "all_gather", "reduce_scatter")}
ROLES = ("Kernel", "Memcpy", "Memset", "Communication", "Runtime", "DataLoader", "CpuOp")
ACTIVITY = {"kernel": "Kernel", "gpu_memcpy": "Memcpy", "gpu_memset": "Memset"}
CALLS = {"cuda_runtime", "cuda_driver"}
TENSOR_CORES = (
    *("h884", "s884", "h1688", "s1688", "hmma", "i8816", "16816", "c1688", "conv1x1", "conv2d_c1_k1", "direct_group"),
    *("dgrad_1x1_stride_2x2", "first_layer_wgrad_kernel", "xmma_implicit_gemm", "xmma_sparse_conv", "xmma_gemm"),
    *("xmma_warp_specialized_implicit_gemm", "xmma_sparse_gemm"),
)


def role_of(row: Row, patched: bool) -> str | None:
    """What the plugin takes a row for; None where it drops it."""
    if row.category in ACTIVITY:
        return ACTIVITY[row.category]
    if row.category in CALLS:
        return "Runtime" if patched else None
    annotation = row.category == "user_annotation" or (row.category == "gpu_user_annotation" and not patched)
    if row.name.startswith("ProfilerStep#") and (annotation or row.category == "cpu_op"):
        return "Step"
    if row.name in COLLECTIVES and (annotation or row.category == "cpu_op"):
        return "Communication"
    return "CpuOp" if row.category == "cpu_op" else None


@cache
def steps(path: Path, *, patched: bool = False) -> list[tuple[str, Range]]:
    """Name and range of each step in the order of the file's times, in us."""
    rows = sorted(timed_rows(path), key=lambda row: row.start)
    found = [(row.name.split("#")[1], (row.start, row.end)) for row in rows if role_of(row, patched) == "Step"]
    if not found:
        host = [row for row in rows if row.category == "cpu_op"]
        return [("0", (min(row.start for row in host), max(row.end for row in host)))]
    return _with_device(rows, found) if patched else found


def _with_device(rows: list[Row], found: list[tuple[str, Range]]) -> list[tuple[str, Range]]:
    """Each step from the end of the one before to the end of what its calls launched."""
    activity: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row.category in ACTIVITY:
            activity[row.args["correlation"]].append(row)
    calls = [row for row in rows if row.category in CALLS]
    launched = [
        [
            done
            for call in calls
            if start <= call.start and call.end <= end
            for done in activity.get(call.args.get("correlation", -1), ())
        ]
        for _, (start, end) in found
    ]
    own = {row.number for rows_of_step in launched for row in rows_of_step}
    before = [found[0][1][0]]
    if launched[0]:
        first = min(row.start for row in launched[0])
        before += [row.end for row in rows if row.category in ACTIVITY and row.number not in own and row.end < first]
    previous, extended = max(before), []
    for (name, (start, end)), rows_of_step in zip(found, launched, strict=True):
        previous, start = max([end, *(row.end for row in rows_of_step)]), max(previous, start)
        extended.append((name, (start, previous)))
    return extended


@cache
def role_ranges(path: Path, *, patched: bool = False) -> dict[str, list[Range]]:
    """The union of each role, in us."""
    ranges: dict[str, list[Range]] = {role: [] for role in ROLES}
    for row in timed_rows(path):
        role = role_of(row, patched)
        if role in ranges:
            ranges[role].append((row.start, row.end))
    return {role: merged(own) for role, own in ranges.items()}


@cache
def costs(path: Path, *, patched: bool = False) -> dict[str, float]:
    """Mean time of a step by role, each without what the roles before it cover, in us."""
    ranges, found = role_ranges(path, patched=patched), steps(path, patched=patched)
    total: dict[str, float] = dict.fromkeys((*ROLES, "Other", "Total"), 0.0)
    for _, step in found:
        covered: list[Range] = []
        for role in ROLES:
            before = length(covered)
            covered = merged([*covered, *clipped(ranges[role], step)])
            total[role] += length(covered) - before
        total["Other"] += step[1] - step[0] - length(covered)
        total["Total"] += step[1] - step[0]
    return {role: time / len(found) for role, time in total.items()}


def _kernels(path: Path) -> list[Row]:
    return [row for row in timed_rows(path) if row.category == "kernel"]


def _window(path: Path, patched: bool) -> Range:
    found = steps(path, patched=patched)
    return found[0][1][0], found[-1][1][1]


def utilization(path: Path, *, patched: bool = False) -> float:
    """Share of the steps' window in which a kernel runs, in %."""
    window = _window(path, patched)
    return (
        100 * length(clipped(merged((row.start, row.end) for row in _kernels(path)), window)) / (window[1] - window[0])
    )


def sm_efficiency(path: Path, *, patched: bool = False) -> float:
    """Time-weighted share of the SMs with a block, at most 1 at any time, in % of the window."""
    window = _window(path, patched)
    changes: list[tuple[float, float]] = []
    for row in _kernels(path):
        blocks = row.args.get("blocks per SM", 0)
        if blocks > 0:
            changes += [(row.start, blocks), (row.end, -blocks)]
    covered, level, since = 0.0, 0.0, window[0]
    for at, change in sorted(changes):
        inside = min(max(at, window[0]), window[1])
        covered += min(level, 1.0) * (inside - since)
        level, since = level + change, inside
    return 100 * covered / (window[1] - window[0])


def occupancy(path: Path, *, patched: bool = False) -> float:
    """Mean of the kernels' estimated occupancy by their time in the window, in %."""
    window = _window(path, patched)
    weighted = total = 0.0
    for row in _kernels(path):
        for start, end in clipped([(row.start, row.end)], window):
            weighted += row.args["est. achieved occupancy %"] * (end - start)
            total += end - start
    return weighted / total


def tensor_cores(path: Path) -> float:
    """Share of all kernels' time in kernels whose name holds one of 18 texts, in %."""
    kernels = _kernels(path)
    used = sum(row.duration for row in kernels if any(text in row.name for text in TENSOR_CORES))
    return 100 * used / sum(row.duration for row in kernels)
