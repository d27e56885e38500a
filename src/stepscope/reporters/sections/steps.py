"""Where a step goes, and each step."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.step_notes import HOST_AHEAD_NOTE, host_runs_ahead
from stepscope.reporters.table import TextColumn, wrapped
from stepscope.reporters.units import bar, percent_text, time_text

_MAX_STEPS = 12
_BAR = 24

_PARTS = [
    ("compute_ns", "GPU computes"),
    ("communication_ns", "communication alone"),
    ("memcpy_ns", "copies alone"),
    ("memset_ns", "fills alone"),
]
_HOST_PARTS = [
    ("runtime_ns", "host in CUDA/HIP calls"),
    ("data_loading_ns", "host waits for the loader"),
    ("cpu_ns", "host in operators"),
    ("other_ns", "host elsewhere (Python, ...)"),
]


def steps(report: Report, width: int) -> Iterator[Line]:
    steps = report.rows("steps")
    if len(steps) == 0:
        return
    yield from _where_the_step_goes(steps, bool(report.rows("summary")["span_ns"].sum()), width)
    if len(steps) == 1:
        return
    yield from heading(
        "Steps", "host: its range; GPU: from the end of the previous step's work to the end of its own", width
    )
    columns = [
        TextColumn("rank", [str(n) for n in steps["rank"]], True),
        TextColumn(
            "step", [f"{n}{' cut' if cut else ''}" for n, cut in zip(steps["step"], steps["cut"], strict=True)], True
        ),
        TextColumn("host", [time_text(n) for n in steps["duration_ns"]], True),
    ]
    gpu = steps["device_end_ns"].is_not_null().any()
    if gpu:
        columns.append(TextColumn("GPU", [time_text(n) for n in steps["period_ns"]], True))
        columns.append(TextColumn("GPU ends after host", [time_text(n) for n in steps["lag_ns"]], True))
    for title, names in (
        *([("GPU busy", ["compute_ns", "communication_ns", "memcpy_ns", "memset_ns"])] if gpu else []),
        ("runtime", ["runtime_ns"]),
        ("loader", ["data_loading_ns"]),
        ("operators", ["cpu_ns"]),
        ("other", ["other_ns"]),
    ):
        parts = steps.select(pl.sum_horizontal(names)).to_series()
        shares = [percent_text(100 * a / b if b else 0.0) for a, b in zip(parts, steps["duration_ns"], strict=True)]
        columns.append(TextColumn(title, shares, True))
    if steps["rank"].n_unique() == 1:
        columns = columns[1:]
    yield from limited(columns, width, _MAX_STEPS, "steps")


def _where_the_step_goes(steps: pl.DataFrame, gpu: bool, width: int) -> Iterator[Line]:
    whole = steps.filter(~pl.col("cut"))
    whole = whole if len(whole) else steps
    total = int(whole["duration_ns"].sum())
    note = f"mean of {len(whole)} host ranges" if len(whole) > 1 else "host range"
    yield from heading("Where a step goes", note, width)
    idle = "GPU idle, " if gpu else ""
    for name, label in [*_PARTS, *((name, idle + label) for name, label in _HOST_PARTS)]:
        part = int(whole[name].sum())
        if part == 0:
            continue
        share = 100 * part / max(1, total)
        yield Line(
            f"  {label:<38} {time_text(part / len(whole)):>9} {percent_text(share):>8}  {bar(share, _BAR)}".rstrip()
        )
    yield Line(f"  {'in all':<38} {time_text(total / len(whole)):>9}    100 %")
    if host_runs_ahead(steps):
        yield from (Line(line, "warning") for line in wrapped(f"! {HOST_AHEAD_NOTE}", width, "  ", "  "))
