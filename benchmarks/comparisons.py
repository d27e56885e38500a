"""What is compared with what, and the goal for each ratio."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from holistic import install, temporal_breakdown
from measuring import RunFailed, Usage, parts, run
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
            run(report(EXAMPLE), environment)
            snapshot = self.scratch / "warm.pickle"
            run([sys.executable, str(Path(__file__).with_name("snapshots.py")), str(snapshot), "1"])
            run(workload("snapshot_tables", snapshot), environment)

    def cold(self, command: list[str]) -> Usage:
        """A command on a trace that was never opened."""
        with self.cache() as environment:
            return run(command, environment)


def workload(name: str, trace: Path) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("workloads.py")), name, str(trace)]


def summary(trace: Path) -> list[str]:
    return [sys.executable, "-m", "stepscope", "show", "summary", str(trace)]


def report(trace: Path) -> list[str]:
    return [sys.executable, "-m", "stepscope", "report", str(trace)]


def _open(bench: Bench) -> Pair:
    trace = bench.traces.training(235)
    return lambda: (bench.cold(summary(trace)), run(workload("json_load", trace)))


def _hta(bench: Bench) -> Pair:
    trace = bench.traces.distributed(500)
    breakdown = temporal_breakdown(install(bench.folder), trace)
    return lambda: (bench.cold(summary(trace)), run(breakdown))


def _reopen(bench: Bench) -> Pair:
    trace = bench.traces.training(235)
    environment = {"STEPSCOPE_CACHE": str(bench.scratch / "reopened")}
    run(summary(trace), environment)
    return lambda: (run(summary(trace), environment), run(workload("json_load", trace)))


def _memory(bench: Bench) -> Pair:
    long, short = bench.traces.training(2000), bench.traces.training(500)
    return lambda: (bench.cold(summary(long)), bench.cold(summary(short)))


def _scan(bench: Bench) -> Pair:
    trace = bench.traces.training(235)
    return lambda: (parts(workload("scan", trace))["scan"], parts(workload("validate", trace))["validate"])


def _slowest_table(bench: Bench) -> Pair:
    return lambda: _table_and_open(bench, bench.traces.training(705))


def _slowest_table_with_memory(bench: Bench) -> Pair:
    return lambda: _table_and_open(bench, bench.traces.distributed(500))


def _table_and_open(bench: Bench, trace: Path) -> tuple[Usage, Usage]:
    """The table that took longest, and opening; every table goes to stderr."""
    with bench.cache() as environment:
        measured = parts(workload("tables", trace), environment)
    opened = measured.pop("open")
    ranked = sorted(measured.items(), key=lambda item: -item[1].wall)
    figures = ", ".join(f"{name} {usage.wall / opened.wall:.2f}" for name, usage in ranked)
    print(f"tables over the cold open of {opened.wall:.2f} s: {figures}", file=sys.stderr)
    return ranked[0][1], opened


def _findings(events: int) -> Callable[[Bench], Pair]:
    """The findings of a trace, and opening it; ``events`` of JSON in MB."""

    def prepared(bench: Bench) -> Pair:
        trace = bench.traces.training(events)

        def pair() -> tuple[Usage, Usage]:
            with bench.cache() as environment:
                measured = parts(workload("findings", trace), environment)
            return measured["findings"], measured["open"]

        return pair

    return prepared


def _diff(bench: Bench) -> Pair:
    """Opening two traces of 2 and 2.7 M events and comparing them, and opening them alone."""
    traces = os.pathsep.join(str(bench.traces.training(megabytes)) for megabytes in (705, 940))

    def pair() -> tuple[Usage, Usage]:
        with bench.cache() as environment:
            ours = parts(workload("diff", Path(traces)), environment)["diff"]
        with bench.cache() as environment:
            return ours, parts(workload("open_both", Path(traces)), environment)["open"]

    return pair


def _flame_graph(bench: Bench) -> Pair:
    """The flame graph of half of 2 M events; the first one of the run, and whether it meets its goal, go to stderr."""
    trace = bench.traces.training(705)
    environment = {"STEPSCOPE_CACHE": str(bench.scratch / "stacks")}
    run(summary(trace), environment)

    def pair() -> tuple[Usage, Usage]:
        measured = parts(workload("flame_graph", trace), environment)
        first, ours = measured["first"].wall, measured["frames"].wall
        print(f"flame graph: {1000 * ours:.0f} ms (goal 300 ms), the first {1000 * first:.0f} ms", file=sys.stderr)
        return measured["frames"], measured["joins"]

    return pair


def _report(bench: Bench) -> Pair:
    trace = bench.traces.training(705)
    return lambda: (bench.cold(report(trace)), bench.cold(summary(trace)))


def _report_again(bench: Bench) -> Pair:
    return _opened_before(bench, lambda trace: report(trace))


def _html_again(bench: Bench) -> Pair:
    return _opened_before(bench, lambda trace: [*report(trace), "-o", str(bench.scratch / "report.html")])


def _opened_before(bench: Bench, command: Callable[[Path], list[str]]) -> Pair:
    """A command on a trace that it was run on before."""
    trace = bench.traces.training(235)
    environment = {"STEPSCOPE_CACHE": str(bench.scratch / "again")}
    run(command(trace), environment)
    return lambda: (run(command(trace), environment), run(workload("json_load", trace)))


def _html_crowded(what: str, count: int) -> Callable[[Bench], Pair]:
    """A first HTML report of very many streams, threads or steps."""

    def prepared(bench: Bench) -> Pair:
        trace = bench.traces.crowded(what, count)
        html = ["-o", str(bench.scratch / f"{what}.html")]
        bench.cold([*report(EXAMPLE), *html])
        return lambda: (bench.cold([*report(trace), *html]), run(workload("json_load", trace)))

    return prepared


def _nsys(bench: Bench) -> Pair:
    """Opening 1 M rows of an export, and fetching them by Python's own module."""
    export = bench.traces.nsys_export(13)

    def pair() -> tuple[Usage, Usage]:
        with bench.cache() as environment:
            ours = parts(workload("opened", export), environment)["open"]
        return ours, parts(workload("sqlite_rows", export))["fetch"]

    return pair


def _pftrace(bench: Bench) -> Pair:
    """Opening a Perfetto trace, and the JSON of its events."""
    packets, text = bench.traces.perfetto(458)

    def pair() -> tuple[Usage, Usage]:
        with bench.cache() as environment:
            ours, baseline = (parts(workload("opened", one), environment)["open"] for one in (packets, text))
        return ours, baseline

    return pair


def _made_snapshot(bench: Bench) -> Path:
    path = bench.folder / "snapshot-500.pickle"
    if not path.exists():
        run([sys.executable, str(Path(__file__).with_name("snapshots.py")), str(path), "500"])
    return path


def _snapshot(bench: Bench) -> Pair:
    """All tables of a memory snapshot; the peak memory over the size of the file goes to stderr."""
    path = _made_snapshot(bench)

    def pair() -> tuple[Usage, Usage]:
        ours = bench.cold(workload("snapshot_tables", path))
        print(f"peak memory over the file: {ours.memory / path.stat().st_size:.2f}", file=sys.stderr)
        return ours, run(workload("snapshot_pickle", path))

    return pair


def _trace_plot(bench: Bench) -> Pair:
    """All tables of a memory snapshot, and the page that PyTorch's own viewer makes of it; of torch one file is run."""
    path = _made_snapshot(bench)
    found = find_spec("torch")
    if found is None or not found.submodule_search_locations:
        raise RunFailed("torch is not installed")
    viewer = Path(found.submodule_search_locations[0]) / "cuda" / "_memory_viz.py"

    def pair() -> tuple[Usage, Usage]:
        with tempfile.TemporaryDirectory(dir=bench.scratch) as folder:
            page = str(Path(folder) / "trace_plot.html")
            theirs = run([sys.executable, str(viewer), "trace_plot", str(path), "-o", page])
        return bench.cold(workload("snapshot_tables", path)), theirs

    return pair


def _pyramid(bench: Bench) -> Pair:
    trace = bench.traces.training(3500)

    def pair() -> tuple[Usage, Usage]:
        with bench.cache() as environment:
            measured = parts(workload("timeline", trace), environment)
        lanes, whole = measured["lanes"], measured["whole"]
        print(f"lanes alone {lanes.wall:.2f} s of {whole.wall:.2f} s", file=sys.stderr)
        return whole, measured["open"]

    return pair


def _window(bench: Bench) -> Pair:
    trace = bench.traces.training(3500)
    environment = {"STEPSCOPE_CACHE": str(bench.scratch / "timeline")}
    run(workload("timeline", trace), environment)

    def pair() -> tuple[Usage, Usage]:
        measured = parts(workload("window", trace), environment)
        return measured["pyramid"], measured["group_by"]

    return pair


def _replay(bench: Bench) -> Pair:
    trace = bench.traces.training(235)
    environment = {"STEPSCOPE_CACHE": str(bench.scratch / "replay")}
    run(workload("replay", trace), environment)

    def pair() -> tuple[Usage, Usage]:
        measured = parts(workload("replay", trace), environment)
        print("\n".join(f"  {name}: {1000 * usage.wall:.1f} ms" for name, usage in measured.items()), file=sys.stderr)
        return measured["replay"], measured["plain"]

    return pair


def _in_browser(script: str, steps: int, cache: str) -> Callable[[Bench], Pair]:
    """What a script of this folder measures in a browser, each time it takes beside the goals told."""

    def prepared(bench: Bench) -> Pair:
        trace = bench.traces.training(steps)
        environment = {"STEPSCOPE_CACHE": str(bench.scratch / cache)}

        def pair() -> tuple[Usage, Usage]:
            measured = parts([sys.executable, str(Path(__file__).with_name(script)), str(trace)], environment)
            print(
                "\n".join(f"  {name}: {1000 * usage.wall:.1f} ms" for name, usage in measured.items()), file=sys.stderr
            )
            return measured["ours"], measured["baseline"]

        return pair

    return prepared


FRAMES = _in_browser("frames.py", 3500, "timeline")
REPORT_OPEN = _in_browser("report_open.py", 235, "report_open")


def served(what: str, path: Path) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("served.py")), what, str(path)]


def _served_table(bench: Bench) -> Pair:
    trace = bench.traces.distributed(500)
    environment = {"STEPSCOPE_CACHE": str(bench.scratch / "served")}
    run(summary(trace), environment)

    def pair() -> tuple[Usage, Usage]:
        measured = parts(served("table", trace), environment)
        return measured["served"], measured["json"]

    return pair


def _served_runs(bench: Bench) -> Pair:
    folder = bench.scratch / "runs"
    for number in range(3000):
        path = folder / f"experiment{number // 10}" / f"run{number % 10}.pt.trace.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"schemaVersion": 1, "traceEvents": [{"ph": "X", "name": "a", "ts": 0, "dur": 1}]}')

    def pair() -> tuple[Usage, Usage]:
        with bench.cache() as environment:
            measured = parts(served("runs", folder), environment)
        return measured["served"], measured["walk"]

    return pair


COMPARISONS = [
    Comparison("open", "cold summary / json.load, 235 MB", _open, 0.2, 0.3),
    Comparison("hta", "cold summary / HTA breakdown, 500 MB", _hta, 0.12, 0.2, "hta"),
    Comparison("reopen", "second summary / json.load, 235 MB", _reopen, 0.05),
    Comparison("memory", "cold summary, 2 GB / 0.5 GB", _memory, None, 1.3),
    Comparison("scan", "scan / validate and skip, one thread", _scan, 2.0, None, "msgspec"),
    Comparison("nsys", "1 M rows of Nsight Systems / fetching them", _nsys, 1.0),
    Comparison("pftrace", "Perfetto trace of 1 M events / its JSON", _pftrace, 2.0),
    Comparison("table", "slowest table / cold open, 2 M events", _slowest_table, 1.0),
    Comparison("table_memory", "the same with memory events, 1.9 M", _slowest_table_with_memory, 1.0),
    Comparison("snapshot", "snapshot of 500 MB, all tables / pickle.load", _snapshot, 2.0, 1.0),
    Comparison("trace_plot", "the same / trace_plot of torch's _memory_viz.py", _trace_plot, 0.5, 0.5, "torch"),
    Comparison("pyramid", "timeline of 10 M events / cold open", _pyramid, 1.0),
    Comparison("window", "40 windows of it / group-by by Polars", _window, 0.1),
    Comparison("findings", "findings / cold open, 2 M events", _findings(705), 0.3),
    Comparison("diff", "diff / cold open of both, 2 and 2.7 M events", _diff, 1.5),
    Comparison("findings_long", "findings / cold open, 10 M events", _findings(3500), 0.3),
    Comparison("flame_graph", "flame graph of half of 2 M events / joins", _flame_graph, 1.5),
    Comparison("report", "cold report / cold summary, 2 M events", _report, 1.6),
    Comparison("report_again", "second report / json.load, 235 MB", _report_again, 0.08),
    Comparison("html_again", "second HTML report / json.load, 235 MB", _html_again, 0.3, 0.35),
    Comparison("html_streams", "HTML of 300,000 streams / json.load", _html_crowded("streams", 300_000), 10.0),
    Comparison("html_threads", "HTML of 300,000 threads / json.load", _html_crowded("threads", 300_000), 10.0),
    Comparison("html_steps", "HTML of 100,000 steps / json.load", _html_crowded("steps", 100_000), 10.0),
    Comparison("served_table", "126,000 rows over HTTP / json.dumps of them", _served_table, 0.2),
    Comparison("replay", "steps timed again, 8 passes / one in Python", _replay, 0.5),
    Comparison("served_runs", "3,000 runs listed again / os.walk and stat", _served_runs, 8.0),
    Comparison("report_open", "a report's verdict / parsing its trace", REPORT_OPEN, 0.3, None, "playwright"),
    Comparison("timeline_frames", "p95 of frames, row images / rectangles", FRAMES, 1.0, None, "playwright"),
]
