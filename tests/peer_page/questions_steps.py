"""Steps, their breakdown, waiting for data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from peer_page import recomputed_hta, recomputed_plugin
from peer_page.question import Figure, Question, Reading, Value
from peer_page.recordings import Recording

US = 1000


def _names(numbers: list[str]) -> str:
    """Numbers of steps, those in a row as first–last."""
    values = [int(number) for number in numbers]
    if len(values) > 1 and values == list(range(values[0], values[-1] + 1)):
        return f"{values[0]}–{values[-1]}"
    return ", ".join(numbers) if numbers else "none"


def our_steps(recording: Recording) -> Value:
    return _names([str(number) for number in recording.table("steps")["step"]])


def hta_steps(recording: Recording) -> Value:
    return _names([str(number) for number in recording.of_hta("get_profiler_steps")])


def hta_steps_again(path: Path) -> Value:
    """Of the host events that are left."""
    rows = recomputed_hta.load(path).host
    return _names(sorted({row.name.split("#")[1] for row in rows if row.name.startswith("ProfilerStep#")}, key=int))


def mean_step(recording: Recording) -> Value:
    mean: float = recording.table("steps")["duration_ns"].mean()  # type: ignore[assignment]
    return mean


def hta_mean_step(recording: Recording) -> Value:
    rows = recording.of_hta("get_cpu_user_annotation_breakdown")
    sums = [row["sum (us)"] for row in rows if row["name"].startswith("ProfilerStep#")]
    return US * sum(sums) / len(sums) if sums else None


def hta_mean_step_again(path: Path) -> Value:
    rows = [
        row
        for row in recomputed_hta.load(path).host
        if row.name.startswith("ProfilerStep#") and row.category == "user_annotation"
    ]
    return US * sum(row.duration for row in rows) / len(rows) if rows else None


def cost(role: str) -> Callable[[dict[str, Any]], Value]:
    return lambda worker: US * float(worker["avg_costs_us"][role])


def cost_again(role: str) -> Callable[[Path, bool], Value]:
    return lambda path, patched: US * recomputed_plugin.costs(path, patched=patched)[role]


def part(*columns: str) -> Reading:
    def read(recording: Recording) -> Value:
        table = recording.table("steps")
        return sum(float(table[column].mean()) for column in columns)  # type: ignore[arg-type]

    return read


STEPS = Question(
    "Which steps are there, and how long are they?",
    "stepscope: `steps`. HTA: `get_profiler_steps`, and the times of the host's annotations. Plugin: overview.",
    (
        Figure(
            "Steps",
            "text",
            our_steps,
            hta=hta_steps,
            plugin=lambda worker: _names(worker["steps_names"]),
            patched=True,
            why={
                "H100": "Plugin: takes the GPU's annotation of the step for a second step [GPU twin]",
                "B200": "HTA: no step; stepscope, plugin: the whole recording is one [no steps]",
                "*": "HTA: without the last step [last step]",
            },
            hta_again=hta_steps_again,
            plugin_again=lambda path, patched: _names(
                [name for name, _ in recomputed_plugin.steps(path, patched=patched)]
            ),
        ),
        Figure(
            "Mean time on the host",
            "ns",
            mean_step,
            hta=hta_mean_step,
            plugin=cost("Total"),
            patched=True,
            why={
                "H100": "Plugin: mean of host range and GPU twin; patched: from the end of earlier GPU work [GPU twin]",
                "B200": "HTA: no step; plugin: from the first operator to the last [no steps]",
                "*": "HTA: without the last step [last step]",
            },
            hta_again=hta_mean_step_again,
            plugin_again=cost_again("Total"),
        ),
    ),
)


OTHER_WINDOW = "Plugin: another window [GPU twin]"


def breakdown(title: str, columns: tuple[str, ...], role: str, why: dict[str, str]) -> Figure:
    return Figure(title, "ns", part(*columns), plugin=cost(role), patched=True, why=why, plugin_again=cost_again(role))


BREAKDOWN = Question(
    "What is a step made of?",
    "Means over the steps. stepscope: `steps`, each nanosecond of a step in one part, in the order computing, "
    "communicating, memcpy, memset, runtime calls, data loading, operators, other. Plugin: overview, in the order "
    "kernels, memcpy, memset, communication, runtime calls, data loading, operators, other.",
    (
        breakdown("Any kernel", ("compute_ns", "communication_ns"), "Kernel", {"H100": OTHER_WINDOW}),
        breakdown(
            "Communicating, nothing computing",
            ("communication_ns",),
            "Communication",
            {
                "B200": "Plugin: only host annotations of five names [host annotations]",
                "*": "Plugin: the host's annotations, no kernel running [host annotations]",
            },
        ),
        breakdown("Copies", ("memcpy_ns",), "Memcpy", {}),
        breakdown("Memsets", ("memset_ns",), "Memset", {"H100": OTHER_WINDOW}),
        breakdown(
            "Runtime calls, GPU idle",
            ("runtime_ns",),
            "Runtime",
            {
                "V100": "Plugin: drops them; patched: less under annotations [runtime] [order]",
                "A100-8": "Plugin: drops them; patched: less under annotations [runtime] [order]",
                "A100-2": "Plugin: drops them; patched: less under annotations [runtime] [order]",
                "H100": "Plugin: drops them; patched: another window [runtime] [GPU twin]",
                "B200": "Plugin: drops them [runtime]",
            },
        ),
        breakdown(
            "Data loading",
            ("data_loading_ns",),
            "DataLoader",
            {"A100-8": "Plugin: drops the loader's annotation [loader]"},
        ),
        breakdown(
            "Operators, nothing of the above",
            ("cpu_ns",),
            "CpuOp",
            {
                "H100": "Plugin: runtime calls count as operators; two windows [runtime] [GPU twin]",
                "B200": "Plugin: runtime calls count as operators [runtime]",
                "*": "Plugin: calls count as operators; patched: less under annotations [runtime] [order]",
            },
        ),
        breakdown(
            "Other",
            ("other_ns",),
            "Other",
            {
                "A100-8": "Plugin: the data loader counts here [loader]",
                "A100-2": "Plugin: runtime calls outside operators count here [runtime]",
                "H100": OTHER_WINDOW,
                "B200": "Plugin: from the first operator to the last [no steps]",
            },
        ),
    ),
)
