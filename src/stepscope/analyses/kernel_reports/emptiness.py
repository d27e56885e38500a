"""Why a table of kernel reports is empty, although there are reports."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from stepscope.analyses.kernel_reports.reports import every_report
from stepscope.messages import Message
from stepscope.readers.ncu.rows import RANGE
from stepscope.store.profile import Profile

_OF_ONE_KERNEL = ("kernel_occupancy", "kernel_occupancy_curve", "kernel_lines", "kernel_instructions")
_ON_NO_PAGE = ("kernel_occupancy_curve", "kernel_lines", "kernel_instructions")
_RULES, _RAW = "kernel_rules", "raw"


def why_empty(table: str) -> Callable[[Profile, pl.DataFrame], list[Message]]:
    """The notes of a table: the reason where it has no rows, else none."""

    def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
        return [_reason(profile, table)] if len(frame) == 0 else []

    return notes


def _reason(profile: Profile, table: str) -> Message:
    reports = list(every_report(profile))
    if table in _OF_ONE_KERNEL and all((report.kernels()["kind"] == RANGE).all() for report in reports):
        return Message("note-kernels-of-one")
    if table == "kernel_lines" and any(report.trace.rows("kernel_instruction") for report in reports):
        return Message("note-no-rows-because", reason=Message("check-kernels-no-lines"))
    pages = {report.trace.meta.get("page") for report in reports}
    if "" not in pages and (table in _ON_NO_PAGE or (table == _RULES and _RAW in pages)):
        return Message("note-kernels-page")
    if table == _RULES:
        return Message("note-kernels-no-rules", option="ncu --set full --apply-rules yes")
    return Message("note-kernels-not-collected", option="ncu --set full")
