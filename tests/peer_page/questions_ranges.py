"""Named ranges, and the kernels that they launch in a row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from peer_page import recomputed_hta
from peer_page.question import Figure, Question, Reading, Value
from peer_page.recordings import Raised, Recording
from peer_page.rows import Row
from stepscope.schema import UNATTRIBUTED

US = 1000
STEP = "ProfilerStep#"
OPTIMIZER = "Optimizer.step#"


def our_ranges(prefix: str, column: str) -> Reading:
    """Of the one name that begins so."""

    def read(recording: Recording) -> Value:
        table = recording.table("annotations").filter(pl.col("name").str.starts_with(prefix))
        value: int = table[column].item()
        return value

    return read


def hta_ranges(prefix: str, side: str) -> Reading:
    def read(recording: Recording) -> Value:
        rows = recording.of_hta(f"get_{side}_user_annotation_breakdown")
        found = [row["sum (us)"] for row in rows or () if row["name"].startswith(prefix)]
        return US * sum(found) if found else None

    return read


def ranges_again(prefix: str, category: str) -> Callable[[Path], Value]:
    def read(path: Path) -> Value:
        rows = [row for row in recomputed_hta.load(path).host if row.category == category]
        found = [row.duration for row in rows if row.name.startswith(prefix)]
        return US * sum(found) if found else None

    return read


def range_names(recording: Recording) -> Value:
    return len(recording.table("annotations").filter(pl.col("name") != UNATTRIBUTED))


def hta_range_names(recording: Recording) -> Value:
    rows = recording.of_hta("get_cpu_user_annotation_breakdown")
    return len({STEP if row["name"].startswith(STEP) else row["name"] for row in rows})


def range_names_again(path: Path) -> Value:
    rows = [row for row in recomputed_hta.load(path).host if row.category == "user_annotation"]
    return len({STEP if row.name.startswith(STEP) else row.name for row in rows})


def on_gpu(title: str, prefix: str, recordings: tuple[str, ...], why: str) -> Figure:
    return Figure(
        title,
        "ns",
        our_ranges(prefix, "device_busy_ns"),
        hta=hta_ranges(prefix, "gpu"),
        why={"*": why},
        hta_again=ranges_again(prefix, "gpu_user_annotation"),
        recordings=recordings,
    )


RANGES = Question(
    "What do named ranges cost?",
    "stepscope: `annotations`, GPU time being what the range's host code launched, side by side once. HTA: "
    "`get_gpu_user_annotation_breakdown`, by the ranges on the host and by their twins on the GPU, which the V100 and "
    "A100-8 recordings do not hold. The plugin drops them, except steps and five collectives.",
    (
        Figure(
            "Names, all steps one",
            "count",
            range_names,
            hta=hta_range_names,
            hta_again=range_names_again,
        ),
        Figure(
            "`Optimizer.step` on the host",
            "ns",
            our_ranges(OPTIMIZER, "host_total_ns"),
            hta=hta_ranges(OPTIMIZER, "cpu"),
            why={"*": "HTA: without the last step [last step]"},
            hta_again=ranges_again(OPTIMIZER, "user_annotation"),
            recordings=("V100", "A100-8", "A100-2"),
        ),
        on_gpu(
            "`## backward ##` on the GPU",
            "## backward ##",
            ("A100-2",),
            "HTA: the twin holds none of autograd's threads; last step [twins] [last step]",
        ),
        on_gpu(
            "`DistributedDataParallel.forward` on the GPU",
            "DistributedDataParallel.forward",
            ("A100-2",),
            "HTA: from the first kernel to the last, idle time, too; last step [twins] [last step]",
        ),
        on_gpu(
            "`execute_context_...` on the GPU",
            "execute_context",
            ("B200",),
            "HTA: from the first kernel to the last, idle time, too [twins]",
        ),
    ),
)


def our_sequence(column: str) -> Reading:
    """Of the optimizer's one sequence."""

    def read(recording: Recording) -> Value:
        table = recording.table("sequences", "annotation").filter(pl.col("op").str.starts_with(OPTIMIZER))
        value: int = table[column].item()
        return value

    return read


def hta_sequence(calculate: Callable[[dict[str, Any]], int]) -> Reading:
    def read(recording: Recording) -> Value:
        rows = recording.of_hta("get_frequent_cuda_kernel_sequences")
        if isinstance(rows, Raised):
            return rows
        [row] = rows
        return calculate(row)

    return read


def sequence_again(calculate: Callable[[list[list[Row]]], float]) -> Callable[[Path], Value]:
    return lambda path: calculate(recomputed_hta.kernels_of_ranges(recomputed_hta.load(path), OPTIMIZER))


SEQUENCE_WHY = {
    "A100-2": "HTA: whole us put events out of their order [whole us] [sequences]",
    "*": "HTA: without the last step [last step]",
}
WITH_OPTIMIZER = ("V100", "A100-8", "A100-2")


def sequence_figure(
    title: str,
    unit: str,
    column: str,
    theirs: Callable[[dict[str, Any]], int],
    anew: Callable[[list[list[Row]]], float],
) -> Figure:
    return Figure(
        title,
        unit,
        our_sequence(column),
        hta=hta_sequence(theirs),
        why=SEQUENCE_WHY,
        hta_again=sequence_again(anew),
        recordings=WITH_OPTIMIZER,
    )


SEQUENCES = Question(
    "Which kernels run in a row?",
    "Those of `Optimizer.step`. stepscope: `sequences --by annotation`. HTA: `get_frequent_cuda_kernel_sequences`; on "
    "the A100-2, H100 and B200 recordings it fails for any operator. The plugin has nothing of the kind.",
    (
        sequence_figure(
            "Kernels in the sequence",
            "count",
            "length",
            lambda row: str(row["pattern"]).count("|"),
            lambda found: len(found[0]),
        ),
        sequence_figure("Times that it occurs", "count", "count", lambda row: int(row["count"]), len),
        sequence_figure(
            "GPU time of all",
            "ns",
            "total_ns",
            lambda row: US * int(row["GPU kernel duration (us)"]),
            lambda found: US * sum(row.duration for rows in found for row in rows),
        ),
    ),
)
