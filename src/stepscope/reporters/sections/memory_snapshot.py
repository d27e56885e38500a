"""Of memory snapshots: what the peak was for, what grows, why memory ran out, what is reserved and unused."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.text_lines import Line, heading, limited, notes_of
from stepscope.reporters.table import text_column

_TOP = 5


def peak_by_category(report: Report, width: int) -> Iterator[Line]:
    """What most memory was for, on the device with the highest peak."""
    peak = report.tables["memory_peak"].filter(pl.col("category").is_not_null())
    if len(peak) == 0:
        return
    rows = peak.group_by("rank", "device", "category", maintain_order=True).agg(
        pl.col("blocks", "alive_bytes", "share_pct", "kept_bytes").sum()
    )
    sums = rows.group_by("rank", "device", maintain_order=True).agg(pl.col("alive_bytes").sum())
    rank, device, _ = sums.sort("alive_bytes", descending=True, maintain_order=True).row(0)
    own = rows.filter((pl.col("rank") == rank) & (pl.col("device") == device))
    own = own.sort("alive_bytes", "category", descending=[True, False])
    yield from heading(say("section-memory-categories"), say("section-memory-categories-note"), width)
    names = ("category", "blocks", "alive_bytes", "share_pct", "kept_bytes")
    yield from limited([text_column(own, "memory_peak", name, "category") for name in names], width, 6, "memory_peak")


def peaks_of_ranks(report: Report, width: int) -> Iterator[Line]:
    """The peaks of several ranks, highest first."""
    rows = report.tables["memory_ranks"]
    if rows["rank"].n_unique() < 2:
        return
    yield from heading(say("section-memory-ranks"))
    for note in notes_of(report, "memory_ranks")[:1]:
        yield from (Line(line) for line in wrapped(note, width, "  ", "  "))
    names = ["rank", "device", "peak_bytes", "above_median_bytes"]
    if rows["above_category"].is_not_null().any():
        names += ["activations_bytes", "parameters_bytes", "gradients_bytes", "optimizer_state_bytes"]
    names += ["step", "source"]
    yield from limited([text_column(rows, "memory_ranks", name) for name in names], width, _TOP, "memory_ranks")


def growth(report: Report, width: int) -> Iterator[Line]:
    rows = report.tables["memory_leaks"]
    names = ("bytes_per_step", "alive_bytes", "blocks", "grew", "category", "source")
    yield from _section(report, rows, "memory_leaks", names, say("section-memory-growth"), width)


def out_of_memory(report: Report, width: int) -> Iterator[Line]:
    rows = report.tables["memory_oom"]
    names = ("requested_bytes", "reason", "free_bytes", "reserved_bytes", "hole_bytes", "evict_bytes", "source")
    yield from _section(report, rows, "memory_oom", names, say("section-memory-oom"), width)


def fragmentation(report: Report, width: int) -> Iterator[Line]:
    rows = report.tables["memory_fragmentation"]
    names = ("pool", "size_class", "reserved_bytes", "allocated_bytes", "whole_free_bytes", "hole_bytes")
    yield from _section(report, rows, "memory_fragmentation", names, say("section-memory-fragmentation"), width)
    if len(rows):
        for note in notes_of(report, "memory_fragmentation"):
            yield from (Line(line, "dim") for line in wrapped(note, width, "  ", "  "))


def _section(
    report: Report, rows: pl.DataFrame, table: str, names: tuple[str, ...], title: str, width: int
) -> Iterator[Line]:
    if len(rows) == 0:
        return
    yield from heading(title)
    shown = ("rank", *names) if len(report.profile.ranks) > 1 else names
    yield from limited([text_column(rows, table, name) for name in shown], width, _TOP, table)
