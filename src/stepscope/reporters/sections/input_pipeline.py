"""The recorded input pipeline."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.frames import in_words
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import render, say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.text_lines import TOP, Line, heading, limited
from stepscope.reporters.table import text_column
from stepscope.schema import TABLES

_COLUMNS = ("id", "operator", "workers", "fill_pct", "empty_pct", "wait_ns", "worker_cpu_pct", "verdict")

_ELSEWHERE = ("input-cpu-doubled",)
"""Notes that the health of the recording says too."""


def input_pipeline(report: Report, width: int) -> Iterator[Line]:
    """Its operators from the consumer to the source, the slow one marked; what it says where there are none."""
    rows, batches = report.tables["input_pipeline"], report.tables["input_batches"]
    if len(rows) == 0 and len(batches) == 0:
        return
    yield from heading(say("section-input-pipeline"), say("section-input-pipeline-note"), width)
    told = {sentence for one in report.verdicts for sentence in one.sentences}
    for note in report.notes["input_pipeline" if len(rows) else "input_batches"]:
        if note not in told and note.id not in _ELSEWHERE:
            yield from (Line(line) for line in wrapped(one_line(render(note)), width, "  ", "  "))
    if len(rows) == 0:
        return
    several = ("rank",) if rows["rank"].n_unique() > 1 else ()
    columns = [text_column(rows, "input_pipeline", name) for name in (*several, *_COLUMNS)]
    yield from limited(columns, width, TOP, "input_pipeline")
    new = pl.col("advice").is_not_null() & ~pl.col("advice").is_in([one.encoded() for one in told])
    said = in_words(rows.filter(new), TABLES["input_pipeline"].messages)
    for text in said["advice"].unique(maintain_order=True):
        yield from (Line(line) for line in wrapped(text, width, "  ", "  "))
