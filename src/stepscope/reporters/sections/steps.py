"""Where a step goes, and each step."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.quantities import percent_text, time_text
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import bar, left, width_of, wrapped
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.step_notes import cpu_ahead_note, host_runs_ahead
from stepscope.reporters.table import TextColumn, text_column

_MAX_STEPS = 12
_BAR = 24
_FIGURES = 23
"""Columns of a time and a share between the label and the bar."""


def _parts(gpu: bool) -> list[tuple[str, str]]:
    """Columns of the step breakdown and what each is called; without a GPU the CPU's parts are all there is."""
    return [
        ("compute_ns", say("section-compute")),
        ("communication_ns", say("section-exposed-communication")),
        ("memcpy_ns", say("section-exposed-memcpy")),
        ("memset_ns", say("section-exposed-memset")),
        ("runtime_ns", say("section-runtime", gpu=gpu)),
        ("data_loading_ns", say("section-loader", gpu=gpu)),
        ("cpu_ns", say("section-in-operators", gpu=gpu)),
        ("other_ns", say("section-elsewhere", gpu=gpu)),
    ]


def steps(report: Report, width: int) -> Iterator[Line]:
    steps = report.rows("steps")
    if len(steps) == 0:
        return
    yield from _where_the_step_goes(steps, bool(report.rows("summary")["span_ns"].sum()), width)
    if len(steps) == 1:
        return
    yield from heading(say("section-steps"), say("section-steps-note"), width)
    columns = [
        text_column(steps, "steps", "rank"),
        TextColumn(
            say("head-step"),
            [f"{n}{' cut' if cut else ''}" for n, cut in zip(steps["step"], steps["cut"], strict=True)],
            True,
        ),
        text_column(steps, "steps", "duration_ns"),
    ]
    gpu = steps["device_end_ns"].is_not_null().any()
    if gpu:
        columns.append(text_column(steps, "steps", "period_ns"))
        columns.append(text_column(steps, "steps", "lag_ns"))
    for title, names in (
        *([(say("head-gpu-busy"), ["compute_ns", "communication_ns", "memcpy_ns", "memset_ns"])] if gpu else []),
        (say("head-runtime"), ["runtime_ns"]),
        (say("head-loader"), ["data_loading_ns"]),
        (say("head-operators"), ["cpu_ns"]),
        (say("head-other"), ["other_ns"]),
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
    yield from heading(say("section-breakdown"), say("section-breakdown-note", ranges=len(whole)), width)
    shown = [(label, int(whole[name].sum())) for name, label in _parts(gpu) if whole[name].sum()]
    longest = max([min(38, width - _FIGURES - 2), *(width_of(label) for label, _ in shown)])
    room = min(_BAR, max(0, width - longest - _FIGURES - 2))
    for label, part in shown:
        share = 100 * part / max(1, total)
        figures = f"{time_text(part / len(whole)):>9} {percent_text(share):>8}"
        yield Line(f"  {left(label, longest)} {figures}  {bar(share, room) if room else ''}".rstrip())
    yield Line(f"  {left(say('section-total'), longest)} {time_text(total / len(whole)):>9}    100 %")
    if host_runs_ahead(steps):
        yield from (Line(line, "warning") for line in wrapped(f"! {cpu_ahead_note()}", width, "  ", "  "))
