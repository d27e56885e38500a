"""Each step as interval, forward, backward and tail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stepscope.analyses.steps.recorded_steps import UNEVEN
from stepscope.analyses.steps.step_trace import HOST, average_steps
from stepscope.findings.report import Report
from stepscope.messages.quantities import one_line, percent_text, time_text
from stepscope.messages.rendering import render, say
from stepscope.reporters.display_width import bar, left, middle_cut, width_of, wrapped
from stepscope.reporters.kernel_text import short_kernel
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn, text_column
from stepscope.store.step_detection import WHOLE

_BAR = 24


def step_trace(report: Report, width: int) -> Iterator[Line]:
    """The mean step; silent where no steps were marked, or nothing divides them."""
    if all(rank.all_steps.source == WHOLE for rank in report.profile.ranks):
        return
    average = average_steps(report.tables["step_trace"])
    if average["interval_ns"].sum() in (0, average["total_ns"].sum()) and not average["backward_ns"].sum():
        return
    clock = average["clock"][0] if average["clock"].n_unique() == 1 else HOST
    steady = bool(average["steady"].all())
    yield from heading(say("section-step-trace"), say("section-step-trace-note", clock=clock, steady=steady), width)
    if len(average) == 1:
        yield from _one(average.row(0, named=True), width)
        return
    columns = [text_column(average, "step_trace", "rank")]
    parts = _parts() if average["forward_ns"].null_count() == 0 else _undivided()
    for name, (title, _) in (*parts.items(), ("total_ns", (say("head-step"), ""))):
        columns.append(TextColumn(title, [time_text(n) for n in average[name]], True))
    yield from limited(columns, width, 16, "step_trace --by average")
    for note in report.notes["step_trace"]:
        if note.id == UNEVEN:
            yield from (Line(line) for line in wrapped(render(note), width, "  ", "  "))


def _one(row: dict[str, Any], width: int) -> Iterator[Line]:
    total = max(1, row["total_ns"])
    parts = _parts() if row["forward_ns"] is not None else _undivided()
    longest = max(width_of(title) for title, _ in parts.values())
    for name, (title, what) in parts.items():
        if row[name] == 0:
            continue
        share = 100 * row[name] / total
        text = f"  {left(title, longest)} {time_text(row[name]):>9} {percent_text(share):>8}  {bar(share, _BAR)}  "
        if name == "interval_ns" and row["first_forward"]:
            what = say("section-until", name=_name(row["first_forward"]))
        elif name == "tail_ns" and row["last_backward"]:
            what = say("section-after", name=_name(row["last_backward"]))
        elif name == "backward_ns" and row["passes"] > 1:
            what = say("section-backward-passes", passes=row["passes"])
        yield Line((text + middle_cut(what, width - width_of(text))).rstrip())


def _parts() -> dict[str, tuple[str, str]]:
    """Titles of the parts and what each is, by their column."""
    return {
        "interval_ns": (say("head-interval"), say("section-until-compute")),
        "forward_ns": (say("head-forward"), ""),
        "backward_ns": (say("head-backward-part"), ""),
        "tail_ns": (say("head-tail"), say("section-tail")),
    }


def _undivided() -> dict[str, tuple[str, str]]:
    """The same where nothing tells forward and backward apart."""
    parts = _parts()
    both = {"forward_backward_ns": (say("head-forward-backward"), "")}
    return {"interval_ns": parts["interval_ns"], **both, "tail_ns": parts["tail_ns"]}


def _name(name: str) -> str:
    return one_line(short_kernel(name).removeprefix("autograd::engine::evaluate_function: "))
