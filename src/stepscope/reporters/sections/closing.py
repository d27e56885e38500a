"""What to look at next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.reporters.sections.lines import Line


def closing(report: Report, width: int) -> Iterator[Line]:
    """The command that looks closer at what the recording allows."""
    path = shlex.join(report.profile.paths)
    missing = report.tables["health"].filter(pl.col("value") == "not recorded")["check"].to_list()
    if "operators" in missing:
        question = f"kernels {path} --by launch"
    elif "shapes" in missing:
        question = (
            f"kernels {path} --by op" if len(report.tables["kernels"]) else f"operators {path} --sort host_self_ns"
        )
    else:
        question = f"operators {path} --by shape"
    yield Line("")
    yield Line(f"Next: stepscope show {question}", "dim")
