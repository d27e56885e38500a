"""What the step waits for, end to end."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.reporters.kernel_text import short_kernel
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn, render_table
from stepscope.reporters.units import bar, one_line, percent_text, time_text

_KINDS = {
    "compute": "GPU computes",
    "communication": "communication",
    "memcpy": "copies",
    "memset": "fills",
    "gpu_gap": "GPU between activities",
    "launch_latency": "launch on its way to the GPU",
    "sync_return": "host wakes up after the GPU",
    "runtime": "host in CUDA/HIP calls",
    "operator": "host in operators",
    "python": "host in Python",
    "data_loading": "host waits for the loader",
    "other": "host elsewhere",
    "unknown": "launch not recorded",
}
_SIDES = [
    ("GPU computes", ["compute"]),
    ("communication", ["communication"]),
    ("copies", ["memcpy", "memset"]),
    ("GPU gaps", ["gpu_gap"]),
    ("loader", ["data_loading"]),
    ("host", ["runtime", "operator", "python", "other"]),
    ("in between", ["launch_latency", "sync_return", "unknown"]),
]
_KERNELS = ("compute", "communication")
_MOST_KINDS = 6
_MOST_RANKS = 8


def critical_path(report: Report, width: int) -> Iterator[Line]:
    path = report.tables["critical_path"]
    if len(path) == 0:
        return
    steps = len(report.rows("steps")) // path["rank"].n_unique()
    over = f" over {steps} steps" if steps > 1 else ""
    yield from heading("What the step waits for", f"critical path{over}: at each moment exactly one thing", width)
    if path["rank"].n_unique() > 1:
        yield from _ranks(path, width)
    else:
        yield from _kinds(path, width)


def _kinds(path: pl.DataFrame, width: int) -> Iterator[Line]:
    """One rank: a line for each kind and the largest part of it."""
    kinds = path.group_by("kind", maintain_order=True).agg(
        pl.col("duration_ns", "share_pct").sum(), pl.col("name").first(), pl.col("share_pct").first().alias("largest")
    )
    kinds = kinds.sort("duration_ns", descending=True, maintain_order=True)
    shown = kinds.filter((pl.col("share_pct") >= 0.1) | (pl.int_range(pl.len()) == 0)).head(_MOST_KINDS)
    largest = [
        f"{percent_text(share)} {one_line(short_kernel(name) if name and kind in _KERNELS else name or '-')}"
        for kind, name, share in shown.select("kind", "name", "largest").iter_rows()
    ]
    columns = [
        TextColumn("waits while", [_KINDS.get(kind, kind) for kind in shown["kind"]], False),
        TextColumn("time", [time_text(n) for n in shown["duration_ns"]], True),
        TextColumn("share", [percent_text(n) for n in shown["share_pct"]], True),
        TextColumn("", [bar(n, 10) for n in shown["share_pct"]], False),
        TextColumn("most of it", largest, False, True),
    ]
    yield from (Line(line) for line in render_table(columns, width, "  ", "stepscope show critical_path --by kind"))


def _ranks(path: pl.DataFrame, width: int) -> Iterator[Line]:
    """Several ranks: a row each, shares of its path."""
    totals = path.group_by("rank", maintain_order=True).agg(pl.col("duration_ns").sum())
    columns = [
        TextColumn("rank", [str(n) for n in totals["rank"]], True),
        TextColumn("time", [time_text(n) for n in totals["duration_ns"]], True),
    ]
    for title, kinds in _SIDES:
        part = path.filter(pl.col("kind").is_in(kinds)).group_by("rank").agg(pl.col("share_pct").sum())
        shares = totals.join(part, "rank", "left", maintain_order="left")["share_pct"].fill_null(0.0)
        columns.append(TextColumn(title, [percent_text(share) for share in shares], True))
    yield from limited(columns, width, _MOST_RANKS, "critical_path --by kind")
