"""Operators, modules, memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from peer_page.question import Figure, Question, Reading, Value
from peer_page.recomputed_operators import Sums, modules, operators
from peer_page.recordings import Recording
from peer_page.rows import raw_rows
from stepscope.schema import UNATTRIBUTED

US = 1000
KB = 1024


def _top(recording: Recording, by: str) -> dict[str, Any]:
    frame = recording.table("operators").filter(pl.col("name") != UNATTRIBUTED)
    return frame.sort(by, descending=True).row(0, named=True)


def top(by: str, column: str) -> Reading:
    def read(recording: Recording) -> Value:
        value: int | str = _top(recording, by)[column]
        return value

    return read


def plugin_top(by: str) -> Callable[[dict[str, Any]], Value]:
    """Name of the operator with most; None where all have nothing."""

    def read(worker: dict[str, Any]) -> Value:
        row = max(worker["operators"], key=lambda row: row[by])
        return row["name"] if row[by] else None

    return read


def plugin_most(by: str) -> Callable[[dict[str, Any]], Value]:
    return lambda worker: US * int(max(row[by] for row in worker["operators"]))


def again_top(by: str) -> Callable[[Path, bool], Value]:
    def read(path: Path, patched: bool) -> Value:
        found = operators(path, patched=patched)
        name = max(found, key=lambda name: float(getattr(found[name], by)))
        return name if getattr(found[name], by) else None

    return read


def again_most(by: str) -> Callable[[Path, bool], Value]:
    return lambda path, patched: US * max(float(getattr(row, by)) for row in operators(path, patched=patched).values())


def again_count(path: Path, patched: bool) -> Value:
    return len(operators(path, patched=patched))


def again_calls(path: Path, patched: bool) -> Value:
    rows: list[Sums] = list(operators(path, patched=patched).values())
    return max(row.calls for row in rows)


SELF = {"*": "Patched: without the runtime calls that the operator makes [self without calls]"}
DEVICE = {
    "V100": "Plugin: drops runtime calls; patched: their ids match no operator [runtime] [ids]",
    "A100-8": "Plugin: drops runtime calls; patched: their ids match no operator [runtime] [ids]",
    "*": "Plugin: drops runtime calls, and with them what they launch [runtime]",
}

OPERATORS = Question(
    "Which operators take the time?",
    "stepscope: `operators`. Plugin: operator view. HTA has no operators.",
    (
        Figure(
            "Names of operators",
            "count",
            lambda recording: len(recording.table("operators").filter(pl.col("name") != UNATTRIBUTED)),
            plugin=lambda worker: int(worker["operators_n"]),
            plugin_again=again_count,
        ),
        Figure(
            "Calls of the operator called most",
            "count",
            top("calls", "calls"),
            plugin=lambda worker: int(max(row["calls"] for row in worker["operators"])),
            plugin_again=again_calls,
        ),
        Figure(
            "Operator with most time of its own on the host",
            "name",
            top("host_self_ns", "name"),
            plugin=plugin_top("host_self_duration"),
            patched=True,
            why=SELF,
            plugin_again=again_top("host_self"),
        ),
        Figure(
            "Its time",
            "ns",
            top("host_self_ns", "host_self_ns"),
            plugin=plugin_most("host_self_duration"),
            patched=True,
            why=SELF,
            plugin_again=again_most("host_self"),
        ),
        Figure(
            "Operator with most GPU time of its own",
            "name",
            top("device_self_ns", "name"),
            plugin=plugin_top("device_self_duration"),
            patched=True,
            why=DEVICE,
            plugin_again=again_top("device_self"),
        ),
        Figure(
            "Its GPU time",
            "ns",
            top("device_self_ns", "device_self_ns"),
            plugin=plugin_most("device_self_duration"),
            patched=True,
            why=DEVICE,
            plugin_again=again_most("device_self"),
        ),
    ),
)
WITH_MODULES = {"H100": ("Qwen2Model_0", "Qwen2DecoderLayer_0"), "B200": ("GptOssForCausalLM_0", "TransformerBlock_0")}


def module(depth: int, column: str) -> Reading:
    """A column of the outermost module or of its first block."""

    def read(recording: Recording) -> Value:
        value: int = recording.row("modules", name=WITH_MODULES[recording.source.key][depth])[column]
        return value

    return read


def _plugin_modules(worker: dict[str, Any]) -> list[dict[str, str]]:
    """The outermost module and its first block. The stored output is cut off, so it is no JSON."""
    text = worker["module_view"]
    found = [
        dict(re.findall(r'"(\w+)": ("?[^",]*)"?', part)) | {"name": part.partition('"')[0]}
        for part in text.split('{"name": "')
        if '"host_duration": ' in part
    ]
    return [row for row in found if any(row["name"] in names for names in WITH_MODULES.values())]


def plugin_module(depth: int, key: str) -> Callable[[dict[str, Any]], Value]:
    return lambda worker: US * float(_plugin_modules(worker)[depth][key])


def again_module(depth: int, column: str) -> Callable[[Path, bool], Value]:
    def read(path: Path, patched: bool) -> Value:
        found = modules(path, patched=patched)
        [names] = [names for names in WITH_MODULES.values() if names[0] in found]
        return US * float(getattr(found[names[depth]], column))

    return read


def module_figure(title: str, depth: int, ours: str, key: str, again: str, why: dict[str, str]) -> Figure:
    return Figure(
        title,
        "ns",
        module(depth, ours),
        plugin=plugin_module(depth, key),
        patched=True,
        why=why,
        plugin_again=again_module(depth, again),
        recordings=tuple(WITH_MODULES),
    )


NO_CALLS = {"*": "Plugin: drops runtime calls, and with them what they launch [runtime]"}
MODULES = Question(
    "Which modules take the time?",
    "stepscope: `modules`. Plugin: module view. The outermost module, then its first block. HTA has no modules; the "
    "other recordings have no stacks.",
    (
        module_figure("Outermost module: on the host", 0, "host_total_ns", "host_duration", "host_total", {}),
        module_figure(
            "Outermost module: on the host by itself",
            0,
            "host_self_ns",
            "self_host_duration",
            "host_self",
            {
                "H100": "stepscope: operators belong to modules; patched: calls without an id [module self] [no id]",
                "B200": "Patched: without calls that have no id [no id]",
            },
        ),
        module_figure(
            "Outermost module: GPU time",
            0,
            "device_total_ns",
            "device_duration",
            "device_total",
            NO_CALLS | {"B200": "Plugin: drops runtime calls; patched: two kernels too many [runtime] [no id]"},
        ),
        module_figure("Its first block: on the host", 1, "host_total_ns", "host_duration", "host_total", {}),
        module_figure("Its first block: GPU time", 1, "device_total_ns", "device_duration", "device_total", NO_CALLS),
    ),
)
WITH_MEMORY = ("V100", "H100")


def peak(recording: Recording) -> Value:
    rows = recording.table("memory_timeline").filter(pl.col("peak") & pl.col("device").str.starts_with("cuda"))
    value: int = rows["allocated_bytes"].max()  # type: ignore[assignment]
    return value


def plugin_peak(worker: dict[str, Any]) -> Value:
    [value] = [size for device, size in worker["peak_memory"].items() if "CUDA" in device]
    return int(value)


def peak_again(path: Path, patched: bool) -> Value:
    return max(
        row["args"]["Total Allocated"]
        for row in raw_rows(path)
        if row["name"] == "[memory]" and row["args"]["Device Type"] == 1
    )


Choice = Callable[[dict[str, Any]], list[Any]]


def _listed(worker: dict[str, Any]) -> list[list[Any]]:
    [rows] = [rows for device, rows in worker["memory_stats"]["rows"].items() if device.startswith("GPU")]
    found: list[list[Any]] = rows
    return found


def allocates_most(worker: dict[str, Any]) -> list[Any]:
    return max(_listed(worker), key=lambda row: float(row[7]))


def grows_most(worker: dict[str, Any]) -> list[Any]:
    return max(_listed(worker), key=lambda row: float(row[2]))


def releases_most(worker: dict[str, Any]) -> list[Any]:
    return min(_listed(worker), key=lambda row: float(row[3]))


def memory_of(choice: Choice, column: str) -> Reading:
    def read(recording: Recording) -> Value:
        name = choice(recording.plugin)[0]
        rows = recording.table("memory").filter((pl.col("name") == name) & pl.col("device").str.starts_with("cuda"))
        value: int = rows[column].item()
        return value

    return read


def plugin_memory(choice: Choice, column: int, scale: int) -> Callable[[dict[str, Any]], Value]:
    return lambda worker: scale * choice(worker)[column]


MEMORY = Question(
    "Where does the memory go?",
    "stepscope: `memory`, `memory_timeline`. Plugin: memory view, of which the stored output holds 20 operators; three "
    "of them are compared. HTA only plots the file that `export_memory_timeline` writes. The other recordings hold "
    "no memory events.",
    (
        Figure(
            "Peak of allocated memory",
            "bytes",
            peak,
            plugin=plugin_peak,
            plugin_again=peak_again,
            recordings=WITH_MEMORY,
        ),
        Figure(
            "Operator that itself allocates most: allocated",
            "bytes",
            memory_of(allocates_most, "self_allocated_bytes"),
            plugin=plugin_memory(allocates_most, 7, KB),
            recordings=WITH_MEMORY,
        ),
        Figure(
            "Its allocations",
            "count",
            memory_of(allocates_most, "allocations"),
            plugin=plugin_memory(allocates_most, 4, 1),
            recordings=WITH_MEMORY,
        ),
        Figure(
            "Operator that keeps most, callees included: increase",
            "bytes",
            memory_of(grows_most, "increase_bytes"),
            plugin=plugin_memory(grows_most, 2, KB),
            recordings=WITH_MEMORY,
        ),
        Figure(
            "Operator that itself releases most: increase",
            "bytes",
            memory_of(releases_most, "self_increase_bytes"),
            plugin=plugin_memory(releases_most, 3, KB),
            recordings=("V100",),
        ),
    ),
)
