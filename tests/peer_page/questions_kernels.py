"""Kernels, copies, kernel sequences, hardware counters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from peer_page import recomputed_hta
from peer_page.question import Figure, Question, Reading, Value
from peer_page.recordings import COUNTERS, Recording
from peer_page.rows import timed_rows

US = 1000


def top_kernel(recording: Recording, kind: str = "") -> dict[str, Any]:
    """The kernel with most time; of one kind of HTA's if asked."""
    frame = recording.table("kernels")
    if kind:
        frame = frame.filter((pl.col("kind") == "communication") == (kind == "COMMUNICATION"))
    return frame.sort("total_ns", descending=True).row(0, named=True)


def of_top(column: str) -> Reading:
    def read(recording: Recording) -> Value:
        value: int = top_kernel(recording)[column]
        return value

    return read


def _hta_kernel(recording: Recording, method: str, column: str) -> Value:
    name = top_kernel(recording)["name"]
    found = [row[column] for row in recording.of_hta(method)[1]["head"] if row["name"] == name]
    return US * found[0] if found else None


def hta_kernel(column: str, method: str = "get_gpu_kernel_breakdown") -> Reading:
    return lambda recording: _hta_kernel(recording, method, column)


def plugin_kernel(column: int, scale: int) -> Callable[[dict[str, Any]], Value]:
    """Its list is sorted by time: the first is the top one."""
    return lambda worker: scale * max(worker["kernels"], key=lambda row: row[3])[column]


def names_again(path: Path) -> Value:
    return len({row.name for row in recomputed_hta.load(path).gpu if recomputed_hta.kind_of(row) != "MEMORY"})


def hta_names(recording: Recording) -> Value:
    return sum(row["kernel_type"] != "MEMORY" for row in recording.of_hta("get_gpu_kernel_breakdown")[1]["head"])


def plugin_names_again(path: Path, patched: bool) -> Value:
    return len({row.name for row in timed_rows(path) if row.category == "kernel"})


def _durations_of_top(path: Path) -> list[float]:
    """Durations in HTA's trace of the kernel that has most time in the whole recording."""
    kernels = [row for row in timed_rows(path) if row.category == "kernel"]
    total: dict[str, float] = dict.fromkeys((row.name for row in kernels), 0.0)
    for row in kernels:
        total[row.name] += row.duration
    name = max(total, key=total.__getitem__)
    return [row.duration for row in recomputed_hta.load(path).gpu if row.name == name]


def total_again(path: Path) -> Value:
    return US * sum(_durations_of_top(path))


def mean_again(path: Path) -> Value:
    return US * sum(_durations_of_top(path)) / len(_durations_of_top(path))


def top_plugin_again(path: Path, patched: bool) -> list[float]:
    kernels: dict[str, list[float]] = {}
    for row in timed_rows(path):
        if row.category == "kernel":
            kernels.setdefault(row.name, []).append(row.duration)
    return max(kernels.values(), key=sum)


def default_mean(recording: Recording) -> Value:
    """HTA's default table's mean of the kernel with most computing time."""
    rows = recording.of_hta("get_gpu_kernel_breakdown_default")[1]["head"]
    top = top_kernel(recording, "COMPUTATION")["name"]
    [mean] = [row["mean (us)"] for row in rows if row["name"] == top]
    return US * float(mean)


def default_mean_again(path: Path) -> Value:
    """The sum of the computing kernel that has most time in HTA's trace."""
    total: dict[str, float] = {}
    for row in recomputed_hta.load(path).of_kind("COMPUTATION"):
        total[row.name] = total.get(row.name, 0) + row.duration
    return US * max(total.values())


def top_computing_mean(recording: Recording) -> Value:
    mean: int = top_kernel(recording, "COMPUTATION")["mean_ns"]
    return mean


LOADED = {
    "H100": "HTA: whole us [whole us]",
    "B200": "HTA: whole us [whole us]",
    "A100-2": "HTA: without the last step, whole us [last step] [whole us]",
    "*": "HTA: without the last step [last step]",
}

KERNELS = Question(
    "Which kernels take the time?",
    "stepscope: `kernels`. HTA: `get_gpu_kernel_breakdown`, asked for all kernels, and as it comes. Plugin: kernel "
    "view. The top kernel is the one with most time in the whole recording.",
    (
        Figure(
            "Names of kernels",
            "count",
            lambda recording: len(recording.table("kernels")),
            hta=hta_names,
            plugin=lambda worker: int(worker["kernels_n"]),
            hta_again=names_again,
            plugin_again=plugin_names_again,
        ),
        Figure(
            "Launches of the top kernel",
            "count",
            of_top("calls"),
            plugin=plugin_kernel(2, 1),
            plugin_again=lambda path, patched: len(top_plugin_again(path, patched)),
        ),
        Figure(
            "Time of the top kernel",
            "ns",
            of_top("total_ns"),
            hta=hta_kernel("sum (us)"),
            plugin=plugin_kernel(3, US),
            why=LOADED,
            hta_again=total_again,
        ),
        Figure(
            "Mean of the top kernel",
            "ns",
            of_top("mean_ns"),
            hta=hta_kernel("mean (us)"),
            plugin=plugin_kernel(4, US),
            why=LOADED,
            hta_again=mean_again,
        ),
        Figure(
            "Mean of the top computing kernel, HTA's default table",
            "ns",
            top_computing_mean,
            hta=default_mean,
            why={"*": "HTA: its default table shows the sum as the mean [sum for mean]"},
            hta_again=default_mean_again,
        ),
    ),
)


def copies(direction: str, column: str) -> Reading:
    """Sum over the kinds of host memory; None without such copies."""

    def read(recording: Recording) -> Value:
        rows = recording.table("memcpy").filter(pl.col("kind") == direction)
        value: int = rows[column].sum()
        return value if len(rows) else None

    return read


def rate(direction: str) -> Reading:
    def read(recording: Recording) -> Value:
        size, time = copies(direction, "bytes")(recording), copies(direction, "total_ns")(recording)
        return size / time if isinstance(size, int) and isinstance(time, int) else None

    return read


def hta_rate(direction: str) -> Reading:
    def read(recording: Recording) -> Value:
        rows = recording.of_hta("get_memory_bw_summary")
        return next((row["memory_bw_gbps_mean"] for row in rows if row["name"] == f"Memcpy {direction}"), None)

    return read


def rate_again(direction: str) -> Callable[[Path], Value]:
    return lambda path: recomputed_hta.bandwidth(recomputed_hta.load(path)).get(f"Memcpy {direction}")


COPIES = Question(
    "How fast are copies?",
    "stepscope: `memcpy`, bytes / time over all copies of a direction. HTA: mean of `get_memory_bw_summary`. The "
    "plugin has the time of copies in a step only (above).",
    tuple(
        Figure(
            name,
            "GB/s",
            rate(direction),
            hta=hta_rate(direction),
            why={"*": "HTA: mean of the rates, sizes ignored [rates]"},
            hta_again=rate_again(direction),
            recordings=recorded,
        )
        for name, direction, recorded in (
            ("Device to device", "DtoD", ("V100", "A100-8", "A100-2", "B200")),
            ("Host to device", "HtoD", ("A100-8", "B200")),
            ("Device to host", "DtoH", ("A100-8", "H100")),
        )
    ),
)


FFMA = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"


def counted(recording: Recording) -> pl.DataFrame:
    """Fused multiply-adds of the first five ranges; HTA's stored output holds five rows."""
    frame = recording.table("counters").filter(pl.col("metric") == FFMA)
    return frame.sort("range").head(5)


COUNTED = Question(
    "What do hardware counters say?",
    "A recording of its own: 77 kernels under CUPTI's range profiler. stepscope: `counters`. HTA: "
    "`get_cupti_counter_data_with_operators`, of which the stored output holds five ranges. The plugin does not "
    "know these events.",
    (
        Figure(
            "Profiled ranges",
            "count",
            lambda recording: recording.table("counters")["range"].n_unique(),
            hta=lambda recording: int(recording.of_hta("get_cupti_counter_data_with_operators")[0]["rows"]),
            recordings=(COUNTERS.key,),
        ),
        Figure(
            "Fused multiply-adds in the first five",
            "count",
            lambda recording: int(counted(recording)["value"].sum()),
            hta=lambda recording: sum(
                row[FFMA] for row in recording.of_hta("get_cupti_counter_data_with_operators")[0]["head"]
            ),
            recordings=(COUNTERS.key,),
        ),
        Figure(
            "Operators of the first five",
            "name",
            lambda recording: ", ".join(counted(recording)["op"]),
            hta=lambda recording: ", ".join(
                row["bottom_level_op"] for row in recording.of_hta("get_cupti_counter_data_with_operators")[0]["head"]
            ),
            recordings=(COUNTERS.key,),
        ),
    ),
)
