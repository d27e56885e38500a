"""What to look at next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import polars as pl

from stepscope.analyses.recording.check import NONE_HAPPENED, NOT_RECORDED
from stepscope.findings.report import Report
from stepscope.messages import readable
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line

_COLLECTIVES = ("kernels", "--where \"kind = 'communication'\"")
_STRAGGLERS = ("stragglers", "--by step")
_LOADING = ("data_loading", "")


def closing(report: Report, width: int) -> Iterator[Line]:
    """The command that looks closer at what holds the slowest rank back, as far as the recording allows."""
    table, options = _question(report)
    yield from _next(report, f"show {table}", options)


def closing_foreign(report: Report, width: int) -> Iterator[Line]:
    """The table of steps that another tool divided, else the command that shows a timeline, all that is known."""
    yield from _next(report, "show step_trace" if len(report.tables["step_trace"]) else "serve", "")


def closing_kernels(report: Report, width: int) -> Iterator[Line]:
    """The table that says what the warps of each kernel wait for, else what limits it."""
    table = "kernel_stalls" if len(report.tables["kernel_stalls"]) else "kernel_reports"
    yield from _next(report, f"show {table}", "")


def closing_hangs(report: Report, width: int) -> Iterator[Line]:
    """The table with every recorded collective."""
    yield from _next(report, "show collective_records", "")


def closing_pipeline(report: Report, width: int) -> Iterator[Line]:
    """The table that says what CPUs did meanwhile, else the batches, else all that is known of the operators."""
    table = "input_batches" if len(report.tables["input_batches"]) else "input_pipeline"
    if report.tables["input_pipeline"]["worker_cpu_pct"].count():
        table = "cpu_utilization"
    yield from _next(report, f"show {table}", "")


def closing_compilation(report: Report, width: int) -> Iterator[Line]:
    """The table of all compilations."""
    yield from _next(report, "show compilations", "")


def closing_samples(report: Report, width: int) -> Iterator[Line]:
    """The table of all lines."""
    yield from _next(report, "show host_samples", "--by line")


def closing_logs(report: Report, width: int) -> Iterator[Line]:
    """The table of all communicators and sizes."""
    yield from _next(report, "show collective_bandwidth", "")


def closing_snapshot(report: Report, width: int) -> Iterator[Line]:
    """The table that tells more of what the verdict says."""
    tables = [name for name in ("memory_oom", "memory_leaks") if len(report.tables[name])]
    yield from _next(report, f"show {tables[0]}" if tables else "show memory_peak", "" if tables else "--by stack")


def _next(report: Report, command: str, options: str) -> Iterator[Line]:
    path = shlex.join(map(readable, report.profile.paths))
    yield Line("")
    yield Line(say("section-next", command=f"stepscope {command} {path} {options}".rstrip()), "dim")


def _question(report: Report) -> tuple[str, str]:
    """A table and its options."""
    slowest = max(report.verdicts, key=lambda verdict: verdict.step_ns or 0)
    lacks = (pl.col("value") == NOT_RECORDED.encoded()) | (pl.col("detail") == NONE_HAPPENED.encoded())
    missing = set(report.tables["health"].filter(lacks)["check"])
    if slowest.bound == "data loading":
        return _LOADING
    if slowest.bound in ("waiting", "straggler"):
        return _STRAGGLERS
    if slowest.bound == "communication":
        return _COLLECTIVES
    if slowest.bound == "copies":
        return "memcpy", ""
    if slowest.bound == "gpu":
        return _gpu(report, missing)
    idle = report.tables["idle"].filter(pl.col("rank") == slowest.rank)
    if slowest.bound == "host" and len(idle):
        return _waiting(idle.sort("duration_ns", descending=True, maintain_order=True)["cause"][0], missing)
    return _host(report, missing)


def _gpu(report: Report, missing: set[str]) -> tuple[str, str]:
    if "shapes" not in missing and "operators" not in missing and report.tables["roofline"]["gap_ns"].count():
        return "roofline", ""
    return "kernels", "--by launch" if "operators" in missing else "--by op"


def _waiting(cause: str, missing: set[str]) -> tuple[str, str]:
    """What tells more of the cause of most idle time."""
    if cause == "data_loading":
        return _LOADING
    if cause == "communication_wait":
        return _COLLECTIVES
    if cause in ("sync", "memory_copy"):
        return "sync", "" if "stacks" in missing else "--source"
    return "idle", "--by gap" if "stacks" in missing else "--source"


def _host(report: Report, missing: set[str]) -> tuple[str, str]:
    if len(report.tables["operators"]):
        return "operators", "--sort host_self_ns" if "stacks" in missing else "--by stack --sort host_self_ns"
    return ("kernels", "--by launch") if len(report.tables["kernels"]) else ("health", "")
