"""GPU time of each rank, and how well the GPU is used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.quantities import bytes_text, percent_text
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line, heading, limited, with_share
from stepscope.reporters.table import TextColumn, text_column


def ranks(report: Report, width: int) -> Iterator[Line]:
    summary = report.rows("summary").filter(pl.col("span_ns") > 0)
    if len(summary) == 0:
        return
    yield from heading(say("section-gpu-time"), say("section-gpu-time-note"), width)
    columns = [
        text_column(summary, "summary", "rank"),
        text_column(summary, "summary", "span_ns"),
    ]
    for title, name in (
        (say("head-compute"), "compute_ns"),
        (say("head-exposed-communication"), "exposed_communication_ns"),
        (say("head-exposed-memory"), "exposed_memory_ns"),
        (say("head-idle"), "idle_ns"),
    ):
        cells = [with_share(part, whole) for part, whole in zip(summary[name], summary["span_ns"], strict=True)]
        columns.append(TextColumn(title, cells, True))
    columns.append(text_column(summary, "summary", "overlap_pct"))
    yield from limited(columns, width, 16, "summary")


def utilization(report: Report, width: int) -> Iterator[Line]:
    table = report.rows("utilization").filter(pl.col("gpu_util_pct").is_not_null())
    if len(table) == 0:
        return
    yield from heading(say("section-utilization"), _gpu_facts(table.row(0, named=True)), width)
    columns = [text_column(table, "utilization", "rank")]
    for title, name in (
        (say("head-gpu-busy"), "gpu_util_pct"),
        (say("head-computing"), "compute_pct"),
        (say("head-communication"), "communication_pct"),
        (say("head-sm-efficiency"), "sm_efficiency_pct"),
        (say("head-occupancy"), "occupancy_pct"),
    ):
        if (table[name] > 0).any() or name == "gpu_util_pct":
            columns.append(TextColumn(title, [percent_text(n) for n in table[name]], True))
    used = table.select("tensor_core_pct", "tensor_core_eligible_pct").rows()
    if any(pct is not None for pct, _ in used):
        cells = [f"{percent_text(pct)} ({percent_text(could)})" for pct, could in used]
        columns.append(TextColumn(say("head-tensor-eligible"), cells, True))
    yield from limited(columns, width, 4, "utilization")


def _gpu_facts(row: dict[str, Any]) -> str:
    """The GPU's size, and what the shares are of."""
    facts = []
    # Without a name nobody knows whether they are SMs or compute units.
    if row["sms"] is not None and row["device"]:
        facts.append(f"{row['sms']} {'CUs' if 'AMD' in row['device'] else 'SMs'}")
    if row["device_memory_bytes"] is not None:
        facts.append(bytes_text(row["device_memory_bytes"]))
    shares = say("section-utilization-note")
    return f"{', '.join(facts)}; {shares}" if facts else shares
