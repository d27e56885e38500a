"""Why the GPU idles."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.analyses.idle.idle import PER_STEP
from stepscope.findings.report import Report
from stepscope.messages import Message
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import render, say
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn, text_column

_MOST = 6
_CAUSES = {
    "host_late": Message("value-cause-host_late"),
    "sync": Message("value-cause-sync"),
    "data_loading": Message("value-cause-data_loading"),
    "memory_copy": Message("value-cause-memory_copy"),
    "communication_wait": Message("value-cause-communication_wait"),
    "launch_latency": Message("value-cause-launch_latency"),
    "dependency": Message("value-cause-dependency"),
    "unknown": Message("value-cause-unknown"),
}


def idle(report: Report, width: int) -> Iterator[Line]:
    """Causes of idle time with where most of each came from; of several ranks only the first cause of each."""
    idle, summary = report.tables["idle"], report.rows("summary")
    if len(idle) == 0:
        return
    total, span = int(summary["idle_ns"].sum()), max(1, int(summary["span_ns"].sum()))
    of_steps = [note["steps"] for note in report.notes["idle"] if note.id == PER_STEP]
    facts = {"idle_pct": 100 * total / span, "per_step": bool(of_steps), "steps": of_steps[0] if of_steps else None}
    yield from heading(say("section-idle"), say("section-idle-note", **facts), width)
    several = idle["rank"].n_unique() > 1
    rows = idle.unique("rank", keep="first", maintain_order=True).sort("rank") if several else idle
    per_step = not rows["per_step_ns"].is_null().any()
    time = "per_step_ns" if per_step else "duration_ns"
    columns = [
        TextColumn(
            say("head-mostly" if several else "head-cause"), [render(_CAUSES[cause]) for cause in rows["cause"]], False
        ),
        text_column(rows, "idle", time),
        text_column(rows, "idle", "share_pct"),
        text_column(rows, "idle", "gaps"),
        text_column(rows, "idle", "host_event"),
    ]
    if rows["source"].is_not_null().any():
        columns.append(text_column(rows, "idle", "source"))
    if several:
        columns.insert(0, text_column(rows, "idle", "rank"))
    yield from limited(columns, width, 16 if several else _MOST, "idle")


def _place(event: str | None) -> str:
    return one_line(event) if event else "-"
