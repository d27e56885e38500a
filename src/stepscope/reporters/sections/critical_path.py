"""What the step waits for, end to end."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages import Message
from stepscope.messages.quantities import one_line, percent_text, time_text
from stepscope.messages.rendering import render, say
from stepscope.reporters.display_width import bar
from stepscope.reporters.kernel_text import short_kernel
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn, render_table

_KINDS = {
    "compute": Message("pathkind-compute"),
    "communication": Message("pathkind-communication"),
    "memcpy": Message("pathkind-memcpy"),
    "memset": Message("pathkind-memset"),
    "gpu_gap": Message("pathkind-gpu-gap"),
    "launch_latency": Message("pathkind-launch-latency"),
    "sync_return": Message("pathkind-sync-return"),
    "runtime": Message("pathkind-runtime"),
    "operator": Message("pathkind-operator"),
    "python": Message("pathkind-python"),
    "data_loading": Message("pathkind-data-loading"),
    "other": Message("pathkind-other"),
    "unknown": Message("pathkind-unknown"),
}
_OWN_NAMES = {
    "between queued activities": Message("path-between-queued"),
    "after an event of another stream": Message("path-after-event-of-stream"),
    "until another stream made room": Message("path-until-room"),
    "launched, but not started": Message("path-not-started"),
    "launch not recorded": Message("path-launch-not-recorded"),
    "nothing recorded": Message("path-nothing-recorded"),
}
"""Words for `analyses.critical_path.critical_path.OWN_NAMES`."""
_SIDES = (
    (Message("head-compute"), ["compute"]),
    (Message("head-communication-part"), ["communication"]),
    (Message("head-memory-part"), ["memcpy", "memset"]),
    (Message("head-gpu-gaps"), ["gpu_gap"]),
    (Message("head-loader"), ["data_loading"]),
    (Message("head-cpu"), ["runtime", "operator", "python", "other"]),
    (Message("head-latency-part"), ["launch_latency", "sync_return", "unknown"]),
)
_KERNELS = ("compute", "communication")
_MOST_KINDS = 6
_MOST_RANKS = 8


def critical_path(report: Report, width: int) -> Iterator[Line]:
    path = report.tables["critical_path"]
    if len(path) == 0:
        return
    steps = len(report.rows("steps")) // path["rank"].n_unique()
    yield from heading(say("section-critical-path"), say("section-critical-path-note", steps=steps), width)
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
        f"{percent_text(share)} {_shown(kind, name)}"
        for kind, name, share in shown.select("kind", "name", "largest").iter_rows()
    ]
    columns = [
        TextColumn(
            say("head-path"), [render(_KINDS[kind]) if kind in _KINDS else kind for kind in shown["kind"]], False
        ),
        TextColumn(say("head-time"), [time_text(n) for n in shown["duration_ns"]], True),
        TextColumn(say("head-share"), [percent_text(n) for n in shown["share_pct"]], True),
        TextColumn("", [bar(n, 10) for n in shown["share_pct"]], False),
        TextColumn(say("head-largest-part"), largest, False, True),
    ]
    yield from (Line(line) for line in render_table(columns, width, "  ", "stepscope show critical_path --by kind"))


def _shown(kind: str, name: str | None) -> str:
    if name in _OWN_NAMES:
        return render(_OWN_NAMES[name])
    return one_line(short_kernel(name) if name and kind in _KERNELS else name or "-")


def _ranks(path: pl.DataFrame, width: int) -> Iterator[Line]:
    """Several ranks: a row each, shares of its path."""
    totals = path.group_by("rank", maintain_order=True).agg(pl.col("duration_ns").sum())
    columns = [
        TextColumn(say("head-rank"), [str(n) for n in totals["rank"]], True),
        TextColumn(say("head-time"), [time_text(n) for n in totals["duration_ns"]], True),
    ]
    for title, kinds in _SIDES:
        part = path.filter(pl.col("kind").is_in(kinds)).group_by("rank").agg(pl.col("share_pct").sum())
        shares = totals.join(part, "rank", "left", maintain_order="left")["share_pct"].fill_null(0.0)
        columns.append(TextColumn(render(title), [percent_text(share) for share in shares], True))
    yield from limited(columns, width, _MOST_RANKS, "critical_path --by kind")
