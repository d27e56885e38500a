"""Why the GPU idles."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn
from stepscope.reporters.units import one_line, percent_text, time_text

_MOST = 6
_CAUSES = {
    "host_late": "host launched late",
    "sync": "host in a blocking call",
    "data_loading": "data loader",
    "memory_copy": "host busy copying",
    "communication_wait": "other ranks",
    "launch_latency": "launch under way",
    "dependency": "between queued work",
    "unknown": "not known",
}


def idle(report: Report, width: int) -> Iterator[Line]:
    """Causes of idle time with where most of each came from; of several ranks only the first cause of each."""
    idle, summary = report.tables["idle"], report.rows("summary")
    if len(idle) == 0:
        return
    total, span = int(summary["idle_ns"].sum()), max(1, int(summary["span_ns"].sum()))
    yield from heading(say("section-idle"), say("section-idle-note", idle_pct=100 * total / span), width)
    several = idle["rank"].n_unique() > 1
    rows = idle.unique("rank", keep="first", maintain_order=True).sort("rank") if several else idle
    per_step = not rows["per_step_ns"].is_null().any()
    time = "per_step_ns" if per_step else "duration_ns"
    columns = [
        TextColumn(say("head-mostly") if several else "cause", [_CAUSES[cause] for cause in rows["cause"]], False),
        TextColumn(say("head-per-step") if per_step else "time", [time_text(n) for n in rows[time]], True),
        TextColumn(say("head-of-idle"), [percent_text(n) for n in rows["share_pct"]], True),
        TextColumn(say("head-gaps"), [f"{n:,}" for n in rows["gaps"]], True),
        TextColumn(say("head-mostly-in"), [_place(event) for event in rows["host_event"]], False, True),
    ]
    if rows["source"].is_not_null().any():
        columns.append(TextColumn(say("head-line"), [one_line(line or "-") for line in rows["source"]], False, True))
    if several:
        columns.insert(0, TextColumn(say("head-rank"), [str(n) for n in rows["rank"]], True))
    yield from limited(columns, width, 16 if several else _MOST, "idle")


def _place(event: str | None) -> str:
    return one_line(event) if event else "-"
