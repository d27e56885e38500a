"""What is compared with what, and the goal for each ratio."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from holistic import install, temporal_breakdown
from measuring import Usage, parts, run
from traces import EXAMPLE, Traces

Pair = Callable[[], tuple[Usage, Usage]]


@dataclass(frozen=True)
class Comparison:
    """One line of the result.

    Attributes:
        name: for ``--only``.
        what: ours and the baseline, in a few words.
        prepare: makes what the runs need; returns a function that measures ours and the baseline once.
        most_wall: goal for the ratio of wall times, or None.
        most_memory: goal for the ratio of peak memory, or None.
        needs: a module that the baseline needs beside the project's own dependencies; "hta" for the environment.
    """

    name: str
    what: str
    prepare: Callable[[Bench], Pair]
    most_wall: float | None = None
    most_memory: float | None = None
    needs: str = ""


@dataclass(frozen=True)
class Bench:
    """Where traces and caches lie.

    Attributes:
        folder: made traces and the environment of HolisticTraceAnalysis.
        scratch: trace caches.
    """

    folder: Path
    scratch: Path

    @property
    def traces(self) -> Traces:
        return Traces(self.folder)

    @contextmanager
    def cache(self) -> Iterator[dict[str, str]]:
        """Environment of a run with a trace cache that holds nothing."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as cache:
            yield {"STEPSCOPE_CACHE": cache}

    def warm_up(self) -> None:
        """Run everything once, so that nothing is compiled while it is measured."""
        with self.cache() as environment:
            run(workload("tables", EXAMPLE), environment)
            run(summary(EXAMPLE), environment)

    def cold_summary(self, trace: Path) -> Usage:
        with self.cache() as environment:
            return run(summary(trace), environment)


def workload(name: str, trace: Path) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("workloads.py")), name, str(trace)]


def summary(trace: Path) -> list[str]:
    return [sys.executable, "-m", "stepscope", "show", "summary", str(trace)]


def _open(bench: Bench) -> Pair:
    trace = bench.traces.training(235)
    return lambda: (bench.cold_summary(trace), run(workload("json_load", trace)))


def _hta(bench: Bench) -> Pair:
    trace = bench.traces.distributed(500)
    breakdown = temporal_breakdown(install(bench.folder), trace)
    return lambda: (bench.cold_summary(trace), run(breakdown))


def _reopen(bench: Bench) -> Pair:
    trace = bench.traces.training(235)
    environment = {"STEPSCOPE_CACHE": str(bench.scratch / "reopened")}
    run(summary(trace), environment)
    return lambda: (run(summary(trace), environment), run(workload("json_load", trace)))


def _memory(bench: Bench) -> Pair:
    long, short = bench.traces.training(2000), bench.traces.training(500)
    return lambda: (bench.cold_summary(long), bench.cold_summary(short))


def _scan(bench: Bench) -> Pair:
    trace = bench.traces.training(235)
    return lambda: (parts(workload("scan", trace))["scan"], parts(workload("validate", trace))["validate"])


def _tables(bench: Bench) -> Pair:
    trace = bench.traces.training(705)

    def pair() -> tuple[Usage, Usage]:
        with bench.cache() as environment:
            measured = parts(workload("tables", trace), environment)
        return measured["tables"], measured["open"]

    return pair


COMPARISONS = [
    Comparison("open", "cold summary / json.load, 235 MB", _open, 0.2, 0.3),
    Comparison("hta", "cold summary / HTA breakdown, 500 MB", _hta, 0.12, 0.2, "hta"),
    Comparison("reopen", "second summary / json.load, 235 MB", _reopen, 0.05),
    Comparison("memory", "cold summary, 2 GB / 0.5 GB", _memory, None, 1.5),
    Comparison("scan", "scan / validate and skip, one thread", _scan, 2.0, None, "msgspec"),
    Comparison("tables", "six tables / cold open, 2 M events", _tables, 0.3),
]
