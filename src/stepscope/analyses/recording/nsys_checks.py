"""Checks of exports of Nsight Systems: what the recorder itself complained of, and what an export may mix or lack."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.recording.check import OK, WARNING, Check, counted
from stepscope.messages import Message
from stepscope.store.profile import Rank


def diagnostics(rank: Rank) -> Check | None:
    """How often the recorder warned; its sentences name files and processes, and stay in its own report."""
    said = rank.trace.meta.get("diagnostics") or {}
    warnings, errors = int(said.get("warning", 0)), int(said.get("error", 0))
    if not warnings + errors:
        return None
    detail = Message("check-nsys-diagnostics", warnings=warnings, errors=errors)
    return Check("recorder_diagnostics", WARNING, counted(warnings + errors), detail)


def other_programs(rank: Rank) -> Check | None:
    """Samples and context switches of other programs, which a recording of the whole machine has."""
    foreign = int(rank.trace.meta.get("foreign", 0))
    return Check("other_programs", OK, counted(foreign), Message("check-nsys-foreign")) if foreign else None


def whole_graphs(rank: Rank) -> Check | None:
    """Graphs of which only the whole was recorded: the GPU is busy, and nobody knows with what."""
    codes = rank.trace.codes(lambda text: text == "cuda_graph").implode()
    category = rank.trace.frame("activity", ["category"])["category"]
    count = category.to_frame().select(pl.col("category").is_in(codes).fill_null(False).sum()).item()
    if not count:
        return None
    return Check("whole_graphs", WARNING, counted(int(count)), Message("check-nsys-graphs", graphs=int(count)))
