"""How close the work comes to what the device can do, and where most is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages import Message
from stepscope.messages.quantities import rate_text
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.text_lines import Line, heading, notes_of
from stepscope.reporters.table import render_table, text_column

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
    yield from heading(say("section-roofline"), say("section-roofline-note"), width)
    yield from (Line(line) for line in _utilization(ran, width))
    top = rows.sort("gap_ns", descending=True, maintain_order=True).head(_MOST_ROWS)
    if len(top):
        columns = [
            text_column(top, "roofline", "op"),
            text_column(top, "roofline", "shapes"),
            text_column(top, "roofline", "dtype"),
            text_column(top, "roofline", "total_ns"),
            text_column(top, "roofline", "pct_of_roof"),
            text_column(top, "roofline", "bound"),
            text_column(top, "roofline", "gap_ns"),
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
        return wrapped(say("section-gemm-unknown", modelled_pct=steps["modelled_pct"].max()), width, "  ", "  ")  # type: ignore[arg-type]
    row = known.row(len(known) // 2, named=True)
    text = say(
        "section-gemm",
        rate=rate_text(row["achieved_flops"], "FLOP/s"),
        peak=_of_the_peak(row),
        recomputed=bool(row["recomputed_flops"]) and row["mfu_pct"] is not None,
        mfu_pct=row["mfu_pct"],
        modelled_pct=row["modelled_pct"],
    )
    return wrapped(text, width, "  ", "  ")


def _of_the_peak(row: dict[str, Any]) -> Message | None:
    """The share and the peak it is of: not one type's peak where work of several types or devices was measured."""
    share, rate, peak = row["hfu_pct"], row["achieved_flops"], row["peak_flops"]
    if share is None:
        return None
    if peak and abs(100 * rate / peak - share) <= 0.01 * share:
        return Message("section-peak", share_pct=share, type=row["roof"], peak=rate_text(peak, "FLOP/s"))
    together = rate_text(100 * rate / share, "FLOP/s") if share else None
    return Message("section-peaks", share_pct=share, together=together, type=row["roof"])
