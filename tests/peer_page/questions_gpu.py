"""GPU time, overlap, utilisation, tensor cores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from peer_page import recomputed_hta, recomputed_plugin
from peer_page.question import Figure, Question, Reading, Value
from peer_page.recomputed_operators import eligible
from peer_page.recordings import Raised, Recording
from peer_page.rows import common

US = 1000


def summary(column: str) -> Reading:
    return lambda recording: recording.row("summary")[column]


def temporal(calculate: Callable[[dict[str, float]], float]) -> Reading:
    """A figure of `get_temporal_breakdown`, us there."""

    def read(recording: Recording) -> Value:
        rows = recording.of_hta("get_temporal_breakdown")
        return rows if isinstance(rows, Raised) else US * calculate(rows[0])

    return read


def of_kernel_type(kind: str) -> Reading:
    """Time of a kernel type of HTA, regardless of what runs beside it; it prints disjoint classes."""

    def read(recording: Recording) -> Value:
        classes, _ = recording.of_hta("get_gpu_kernel_breakdown")
        return US * sum(row["sum"] for row in classes["head"] if kind in row["kernel_type"].split(" overlapping "))

    return read


def split_again(part: str) -> Callable[[Path], Value]:
    return lambda path: US * recomputed_hta.time_split(recomputed_hta.load(path))[part]


ROUNDED = {
    "A100-2": "HTA: without the last step, whole us [last step] [whole us]",
    "B200": "HTA: whole us, a `cpu_op` taken for a kernel [whole us] [cpu_op with a stream]",
    "*": "HTA: without the last step [last step]",
}
TEMPORAL = ROUNDED | {"H100": "HTA: whole us make 22 memsets negative, an assertion fails [negative]"}

GPU_TIME = Question(
    "Where does the GPU's time go?",
    "stepscope: `summary`. HTA: `get_temporal_breakdown`, and the types of `get_gpu_kernel_breakdown` for computing, "
    "communication and memory. The plugin has no split of the whole recording, only of steps (below). All are lengths "
    "of unions, so what runs side by side counts once.",
    (
        Figure(
            "Span, first start to last end",
            "ns",
            summary("span_ns"),
            hta=temporal(lambda row: row["kernel_time(us)"]),
            why=TEMPORAL,
            hta_again=split_again("span"),
        ),
        Figure(
            "Busy",
            "ns",
            summary("busy_ns"),
            hta=temporal(lambda row: row["kernel_time(us)"] - row["idle_time(us)"]),
            why=TEMPORAL,
            hta_again=split_again("busy"),
        ),
        Figure(
            "Idle",
            "ns",
            summary("idle_ns"),
            hta=temporal(lambda row: row["idle_time(us)"]),
            why=TEMPORAL,
            hta_again=split_again("idle"),
        ),
        Figure(
            "Computing",
            "ns",
            summary("compute_ns"),
            hta=of_kernel_type("COMPUTATION"),
            why=ROUNDED
            | {
                "H100": "HTA: whole us [whole us]",
                "B200": "HTA: a custom all-reduce counts as computing; whole us [custom all-reduce] [whole us]",
            },
            hta_again=split_again("compute"),
        ),
        Figure(
            "Communicating",
            "ns",
            summary("communication_ns"),
            hta=of_kernel_type("COMMUNICATION"),
            why=ROUNDED | {"B200": "HTA: knows kernels named nccl*Kernel only [custom all-reduce]"},
            hta_again=split_again("communication"),
        ),
        Figure(
            "Copying and filling",
            "ns",
            summary("memory_ns"),
            hta=of_kernel_type("MEMORY"),
            why=ROUNDED
            | {"H100": "HTA: whole us, most memsets are shorter [whole us]", "B200": "HTA: whole us [whole us]"},
            hta_again=split_again("memory"),
        ),
    ),
)


def hta_overlap(recording: Recording) -> Value:
    share: float | None = recording.of_hta("get_comm_comp_overlap")[0]["comp_comm_overlap_pctg"]
    return share


def plugin_overlap(worker: dict[str, Any]) -> Value:
    costs = worker["comm_overlap"]
    total = sum(step["communication"] for step in costs)
    return 100 * sum(step["overlap"] for step in costs) / total if total else None


def hta_overlap_again(path: Path) -> Value:
    trace = recomputed_hta.load(path)
    return recomputed_hta.overlap(trace) if trace.of_kind("COMMUNICATION") else None


def plugin_overlap_again(path: Path, patched: bool) -> Value:
    """Per step, so a step found twice counts twice."""
    roles = recomputed_plugin.role_ranges(path, patched=patched)
    windows = [window for _, window in recomputed_plugin.steps(path, patched=patched)]
    inside = [recomputed_plugin.clipped(roles["Communication"], window) for window in windows]
    total = sum(recomputed_plugin.length(ranges) for ranges in inside)
    return 100 * sum(common(ranges, roles["Kernel"]) for ranges in inside) / total if total else None


OVERLAP = Question(
    "How much communication hides behind computing?",
    "stepscope: `overlap_pct` of `summary`. HTA: `get_comm_comp_overlap`. Plugin: overlap / communication of its "
    "distributed view, all steps.",
    (
        Figure(
            "Communication under computing",
            "%",
            summary("overlap_pct"),
            hta=hta_overlap,
            plugin=plugin_overlap,
            patched=True,
            why={
                "V100": "Plugin: the host's annotation under any kernel, NCCL's among them [host annotations]",
                "A100-8": "HTA: without the last step [last step]. Plugin: annotations [host annotations]",
                "A100-2": "HTA: last step, whole us [last step] [whole us]. Plugin: annotations [host annotations]",
                "B200": "Plugin: knows five names of annotations, not `_all_gather_base` [host annotations]",
            },
            hta_again=hta_overlap_again,
            plugin_again=plugin_overlap_again,
        ),
    ),
)


def utilization(column: str) -> Reading:
    return lambda recording: recording.row("utilization")[column]


def plugin_gpu(name: str, scale: int) -> Callable[[dict[str, Any]], Value]:
    def read(worker: dict[str, Any]) -> Value:
        [gpu] = worker["gpu"].values()
        return None if gpu[name] is None else scale * float(gpu[name])

    return read


UTILIZATION = Question(
    "How well is the GPU used?",
    "stepscope: `utilization`, shares of the steps on the GPU's clock. Plugin: GPU summary of the overview, shares of "
    "the steps on the host's clock. HTA has none of these.",
    (
        Figure(
            "GPU utilisation",
            "%",
            utilization("gpu_util_pct"),
            plugin=plugin_gpu("utilization", 100),
            patched=True,
            why={
                "H100": "stepscope: memcpys and memsets count; plugin: another window [clock] [GPU twin]",
                "B200": "stepscope: copies count; plugin: from the first operator to the last [clock] [no steps]",
                "*": "stepscope: memcpys and memsets count, steps on the GPU's clock [clock]",
            },
            plugin_again=lambda path, patched: recomputed_plugin.utilization(path, patched=patched),
        ),
        Figure(
            "SM efficiency, estimated",
            "%",
            utilization("sm_efficiency_pct"),
            plugin=plugin_gpu("est_sm_efficiency", 100),
            patched=True,
            why={
                "H100": "Plugin: another window [GPU twin]",
                "B200": "stepscope: communication counts as nothing [clock]",
                "*": "stepscope: communication counts as nothing, steps on the GPU's clock [clock]",
            },
            plugin_again=lambda path, patched: recomputed_plugin.sm_efficiency(path, patched=patched),
        ),
        Figure(
            "Occupancy, estimated",
            "%",
            utilization("occupancy_pct"),
            plugin=plugin_gpu("est_achieved_occupancy_pct", 1),
            patched=True,
            why={
                "V100": "stepscope: without communication [clock]",
                "H100": "stepscope: the profiler's zeros estimated again [occupancy]",
                "*": "stepscope: without communication; the profiler's zeros estimated again [clock] [occupancy]",
            },
            plugin_again=lambda path, patched: recomputed_plugin.occupancy(path, patched=patched),
        ),
        Figure(
            "Kernel time on tensor cores",
            "%",
            utilization("tensor_core_pct"),
            plugin=lambda worker: 100 * float(worker["tc_used_ratio"]),
            why={
                "A100-8": "stepscope: share of computing kernels' time, without communication [tensor cores]",
                "A100-2": "Plugin: knows 18 parts of names; stepscope: without communication [tensor cores]",
                "H100": "Plugin: knows 18 parts of names, not `flash_fwd_kernel` [tensor cores]",
                "B200": "Plugin: knows 18 parts of names, none of today's matrix products [tensor cores]",
            },
            plugin_again=lambda path, patched: recomputed_plugin.tensor_cores(path),
        ),
        Figure(
            "Kernel time that could be on tensor cores",
            "%",
            utilization("tensor_core_eligible_pct"),
            plugin=lambda worker: 100 * float(worker["tc_eligible_ops_kernel_ratio"]),
            patched=True,
            why={
                "V100": "Plugin: no operator has kernels; patched: nor here, ids [runtime] [ids]",
                "A100-8": "Plugin: no operator has kernels; patched: nor here, ids [runtime] [ids]",
                "*": "Plugin: no operator has kernels; patched: operators of a list only [runtime] [eligible]",
            },
            plugin_again=lambda path, patched: eligible(path, patched=patched),
        ),
    ),
)
