"""Each step as interval, forward, backward and tail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stepscope.analyses.steps.step_trace import GPU, average_steps
from stepscope.findings.report import Report
from stepscope.reporters.kernel_text import short_kernel
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn
from stepscope.reporters.units import bar, middle_cut, one_line, percent_text, time_text
from stepscope.store.step_detection import WHOLE

_BAR = 24
_PARTS = {
    "interval_ns": ("interval", "until the first computing"),
    "forward_ns": ("forward", ""),
    "backward_ns": ("backward", ""),
    "tail_ns": ("tail", "reduction left over, optimizer"),
}


def step_trace(report: Report, width: int) -> Iterator[Line]:
    """The mean step; silent where no steps were marked, or nothing divides them."""
    if all(rank.all_steps.source == WHOLE for rank in report.profile.ranks):
        return
    average = average_steps(report.tables["step_trace"])
    if average["interval_ns"].sum() in (0, average["total_ns"].sum()) and not average["backward_ns"].sum():
        return
    clock = "on the GPU's clock" if (average["clock"] == GPU).all() else "on the host's clock"
    yield from heading("Parts of a step", f"mean of the steady steps, {clock}")
    if len(average) == 1:
        yield from _one(average.row(0, named=True), width)
        return
    columns = [TextColumn("rank", [str(n) for n in average["rank"]], True)]
    for name, (title, _) in (*_PARTS.items(), ("total_ns", ("step", ""))):
        columns.append(TextColumn(title, [time_text(n) for n in average[name]], True))
    yield from limited(columns, width, 16, "step_trace --by average")


def _one(row: dict[str, Any], width: int) -> Iterator[Line]:
    total = max(1, row["total_ns"])
    parts = _PARTS
    if row["forward_ns"] is None:
        parts = {"interval_ns": _PARTS["interval_ns"], "forward_backward_ns": ("forward and backward", "")}
        parts |= {"tail_ns": _PARTS["tail_ns"]}
    longest = max(len(title) for title, _ in parts.values())
    for name, (title, what) in parts.items():
        if row[name] == 0:
            continue
        share = 100 * row[name] / total
        text = f"  {title:<{longest}} {time_text(row[name]):>9} {percent_text(share):>8}  {bar(share, _BAR)}  "
        if name == "interval_ns" and row["first_forward"]:
            what = f"until {_name(row['first_forward'])}"
        elif name == "tail_ns" and row["last_backward"]:
            what = f"after {_name(row['last_backward'])}"
        yield Line((text + middle_cut(what, width - len(text))).rstrip())


def _name(name: str) -> str:
    return one_line(short_kernel(name).removeprefix("autograd::engine::evaluate_function: "))
