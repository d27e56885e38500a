"""How close the work comes to what the device can do, and where most is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.findings.report import Report
from stepscope.reporters.sections.text_lines import Line, heading, notes_of
from stepscope.reporters.table import TextColumn, render_table, wrapped
from stepscope.reporters.units import one_line, percent_text, rate_text, time_text

_MOST_ROWS = 5
_LEAST_MODELLED_PCT = 50.0
_LIMITS = ("compute", "memory", "latency")


def roofline(report: Report, width: int) -> Iterator[Line]:
    """Utilization of a step and the rows with most time beyond their roof; silent where no shapes were recorded."""
    table, steps = report.tables["roofline"], report.tables["mfu"]
    rows = table.filter(pl.col("bound").is_in(_LIMITS) & pl.col("gap_ns").is_not_null())
    ran = steps.filter(pl.col("flops").is_not_null())
    if len(rows) == 0 and len(ran) == 0:
        return
    yield from heading("Against the peaks of the device", "most time lost to the roofline first")
    yield from (Line(line) for line in _utilization(ran, width))
    top = rows.sort("gap_ns", descending=True, maintain_order=True).head(_MOST_ROWS)
    if len(top):
        columns = [
            TextColumn("operator", [one_line(name) for name in top["op"]], False, True),
            TextColumn("shapes", [one_line(text or "") for text in top["shapes"]], False, True),
            TextColumn("type", [text or "-" for text in top["dtype"]], False),
            TextColumn("GPU", [time_text(n) for n in top["total_ns"]], True),
            TextColumn("of roof", [percent_text(n) for n in top["pct_of_roof"]], True),
            TextColumn("limit", top["bound"].to_list(), False),
            TextColumn("lost", [time_text(n) for n in top["gap_ns"]], True),
        ]
        yield from (Line(line) for line in render_table(columns, width, "  ", "stepscope show roofline"))
    for note in notes_of(report, "roofline")[:1]:
        yield from (Line(line, "dim") for line in wrapped(note, width, "  ", "  "))


def _utilization(steps: pl.DataFrame, width: int) -> list[str]:
    """The middle step's figures, in words; no rate where the models know less than half of the matrix work."""
    if len(steps) == 0:
        return []
    steps = steps.sort("achieved_flops", "rank", "step")
    known = steps.filter(pl.col("hfu_pct").is_not_null()).sort("hfu_pct", "rank", "step")
    known = known if len(known) else steps.filter(pl.col("modelled_pct") >= _LEAST_MODELLED_PCT)
    if len(known) == 0:
        share = percent_text(steps["modelled_pct"].max())  # type: ignore[arg-type]
        text = f"How much matrix work a step does is not known: models cover {share} of the time of its matrix kernels."
        return wrapped(text, width, "  ", "  ")
    row = known.row(len(known) // 2, named=True)
    text = f"Matrix work of a step: {rate_text(row['achieved_flops'], 'FLOP/s')}{_of_the_peak(row)}"
    if row["recomputed_flops"] and row["mfu_pct"] is not None:
        text += f"; {percent_text(row['mfu_pct'])} without what checkpointing repeats"
    text += f"; models cover {percent_text(row['modelled_pct'])} of its matrix kernels' time"
    return wrapped(f"{text}.", width, "  ", "  ")


def _of_the_peak(row: dict[str, Any]) -> str:
    """The share and the peak it is of: not one type's peak where work of several types or devices was measured."""
    share, rate, peak = row["hfu_pct"], row["achieved_flops"], row["peak_flops"]
    if share is None:
        return ""
    if peak and abs(100 * rate / peak - share) <= 0.01 * share:
        return f", {percent_text(share)} of the peak ({row['roof']}: {rate_text(peak, 'FLOP/s')})"
    together = f"{rate_text(100 * rate / share, 'FLOP/s')} together, mostly {row['roof']}" if share else "several types"
    return f", {percent_text(share)} of the peaks that apply ({together})"
