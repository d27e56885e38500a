"""Idle time, the critical path, waiting for data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

from peer_page import recomputed_hta
from peer_page.question import Figure, Question, Reading, Value
from peer_page.questions_steps import cost, cost_again
from peer_page.recordings import Raised, Recording

US = 1000
LATE = ("host_late", "sync", "data_loading", "memory_copy", "communication_wait")
OTHER = ("dependency", "unknown")


def idle(*causes: str) -> Reading:
    """Share of the idle time with these causes, in %."""

    def read(recording: Recording) -> Value:
        table = recording.table("idle")
        return 100 * table.filter(pl.col("cause").is_in(causes))["duration_ns"].sum() / table["duration_ns"].sum()

    return read


def hta_idle(cause: str) -> Reading:
    """Share of the idle time of all streams, in %."""

    def read(recording: Recording) -> Value:
        rows = recording.of_hta("get_idle_time_breakdown")[0]["head"]
        total = sum(row["idle_time"] for row in rows)
        return 100 * sum(row["idle_time"] for row in rows if row["idle_category"] == cause) / total

    return read


def idle_again(cause: str) -> Callable[[Path], Value]:
    def read(path: Path) -> Value:
        streams = recomputed_hta.idle_of_streams(recomputed_hta.load(path)).values()
        total = sum(sum(causes.values()) for causes in streams)
        return 100 * sum(causes.get(cause, 0) for causes in streams) / total

    return read


def hta_idle_total(recording: Recording) -> Value:
    return US * sum(row["idle_time"] for row in recording.of_hta("get_idle_time_breakdown")[0]["head"])


def idle_total_again(path: Path) -> Value:
    streams = recomputed_hta.idle_of_streams(recomputed_hta.load(path)).values()
    return US * sum(sum(causes.values()) for causes in streams)


def idle_figure(title: str, causes: tuple[str, ...], theirs: str) -> Figure:
    return Figure(
        title,
        "%",
        idle(*causes),
        hta=hta_idle(theirs),
        why={
            "H100": "HTA: whole gaps; work without a recorded call [gaps] [no call]",
            "B200": "HTA: whole gaps [gaps]",
            "*": "HTA: whole gaps, of streams, without the last step [gaps] [streams] [last step]",
        },
        hta_again=idle_again(theirs),
    )


IDLE = Question(
    "Why is the GPU idle?",
    "stepscope: `idle`, gaps in which the whole GPU does nothing, each nanosecond with one cause. HTA: "
    "`get_idle_time_breakdown`, gaps of each stream, added up here. The plugin has no idle time.",
    (
        Figure(
            "Idle time looked at",
            "ns",
            lambda recording: int(recording.table("idle")["duration_ns"].sum()),
            hta=hta_idle_total,
            why={
                "H100": "HTA: whole us lengthen gaps [whole us]",
                "B200": "HTA: whole us lengthen gaps [whole us]",
                "*": "HTA: gaps of streams, while others work, too; without the last step [streams] [last step]",
            },
            hta_again=idle_total_again,
        ),
        idle_figure("Of it the host was late, by its own work or a wait", LATE, "host_wait"),
        idle_figure("Of it launching, and gaps between queued work", ("launch_latency",), "kernel_wait"),
        idle_figure("Of it for other reasons, or none known", OTHER, "other"),
    ),
)


def path_of_first_step(recording: Recording) -> pl.DataFrame:
    table = recording.table("critical_path", "step")
    return table.filter(pl.col("step") == pl.col("step").min())


def on_path(column: str, value: str) -> Reading:
    """Share of the first step's path, in %."""

    def read(recording: Recording) -> Value:
        table = path_of_first_step(recording)
        return 100 * table.filter(pl.col(column) == value)["duration_ns"].sum() / table["duration_ns"].sum()

    return read


def hta_on_path(kind: str) -> Reading:
    def read(recording: Recording) -> Value:
        shares = recording.of_hta("critical_path_summary")
        return None if shares is None or isinstance(shares, Raised) else float(shares.get(kind, 0))

    return read


def hta_path(recording: Recording) -> Value:
    found = recording.of_hta("critical_path_analysis")
    return None if found is None or isinstance(found, Raised) else US * int(found["weight"])


def path_again(path: Path) -> Value:
    return US * recomputed_hta.path_of_one_thread(recomputed_hta.load(path))


PATH_WHY = {
    "A100-8": "HTA: the way through 42 ms of gaps of an unused stream is the longest [idle stream]",
    "H100": "HTA: the same GPU part; of the host its operators only; whole us [one thread] [whole us]",
    "B200": "HTA: no path without a `ProfilerStep`; stepscope: the whole recording",
    "*": "HTA: one thread; what lies between its operators counts nothing [one thread]",
}


def path_figure(title: str, ours: Reading, theirs: str) -> Figure:
    return Figure(title, "%", ours, hta=hta_on_path(theirs), why=PATH_WHY)


CRITICAL_PATH = Question(
    "What is on the critical path?",
    "Of the first step. stepscope: `critical_path --by step`. HTA: `critical_path_analysis`. The plugin has none.",
    (
        Figure(
            "Length",
            "ns",
            lambda recording: int(path_of_first_step(recording)["duration_ns"].sum()),
            hta=hta_path,
            why=PATH_WHY,
            hta_again=path_again,
            unproved=("A100-8", "H100", "B200"),
        ),
        path_figure("Of it on the host", on_path("side", "host"), "cpu_bound"),
        path_figure("Of it GPU computing", on_path("kind", "compute"), "gpu_compute_bound"),
        path_figure("Of it gaps between kernels", on_path("kind", "gpu_gap"), "gpu_kernel_kernel_overhead"),
    ),
)


def wait_for_data(recording: Recording) -> Value:
    mean: float = recording.table("data_loading")["wait_ns"].mean()  # type: ignore[assignment]
    return mean


DATA_LOADING = Question(
    "Do steps wait for their data?",
    "stepscope: `data_loading`. Plugin: data loader of the overview. One recording holds ranges of a loader. HTA "
    "has nothing of the kind.",
    (
        Figure(
            "Waiting for the loader, mean of a step",
            "ns",
            wait_for_data,
            plugin=cost("DataLoader"),
            patched=True,
            why={"*": "Plugin: drops the loader's annotation [loader]"},
            plugin_again=cost_again("DataLoader"),
            recordings=("A100-8",),
        ),
    ),
)
