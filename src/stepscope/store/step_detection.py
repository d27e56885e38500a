"""Where the steps of a trace are.

What a recorder divides into steps itself, as MindSpore does (`step_point`). Without it `ProfilerStep#N` host ranges
(their GPU twins are not steps); several whose numbers cannot be read (`ProfilerStep##`, as in a trace made anonymous)
are numbered in order of time, and `Steps.name` says so. Without them the optimizer's
steps cut the time: a step runs from the end of one `Optimizer.step#...` to the end of the next. Without those, the
iterations that an inference server marks (`store.serving`). Without those, annotations at the top of a thread that
repeat under one name (numbers ignored), unless several threads work through them at once, as those of a server. Else
the whole trace is one step, without the profiler's own starting and stopping, and `Steps.source` says so.
Compilations repeat in a log of torch.compile, and are no steps of the program.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import polars as pl

from stepscope.readers.formats import (
    COMMUNICATION_LOG,
    COMPILE_LOG,
    FLIGHT_RECORDER,
    HOST_SAMPLES,
    INPUT_PIPELINE,
    KERNEL_REPORT,
    TELEMETRY,
)
from stepscope.schema import MPI
from stepscope.store.memo import per_trace_on_disk
from stepscope.store.serving import ITERATION
from stepscope.store.stream_overlaps import believed_times, cut_short
from stepscope.store.trace import Trace

PROFILER, OPTIMIZER, SERVING, POINTS = "ProfilerStep", "optimizer", "serving", "step trace"
ANNOTATION, WHOLE = "annotation", "whole trace"

_WITHOUT_STEPS = (
    *(KERNEL_REPORT, TELEMETRY, INPUT_PIPELINE, FLIGHT_RECORDER),
    *(COMMUNICATION_LOG, COMPILE_LOG, HOST_SAMPLES),
)
"""Kinds of recordings that are not of a stretch of the program: unless they divide it, none of it is a step."""

_SCHEMA = {"step": pl.Int64, "start_ns": pl.Int64, "end_ns": pl.Int64, "partial": pl.Boolean}
_STEP_NAME = r"^ProfilerStep#([0-9]{1,18})$"
_UNREADABLE_NAME = r"^ProfilerStep#\S+$"
_OPTIMIZER_NAME = r"^Optimizer\.step#"
_NUMBER = r"[0-9]+"
PROFILER_FRAME = r"(?:^|[/\\])torch[/\\](?:profiler[/\\]\w+|autograd[/\\]profiler\w*)\.py\("
"""A Python frame of PyTorch's profiler itself."""
_ON_ONE_THREAD = 0.8
"""Share of a step's ranges on its thread; the others may come from a warm-up, or a thread beside."""
_TIMED_TABLES = ("activity", "operator", "runtime", "annotation", "python", "sync")


@dataclass(frozen=True)
class Steps:
    """Steps of one trace.

    Attributes:
        ranges: columns step, start_ns, end_ns (host clock), partial (begins or ends where the recording does),
            by start.
        source: `POINTS`, `PROFILER`, `OPTIMIZER`, `SERVING`, `ANNOTATION` or `WHOLE`.
        name: the range's name where an annotation was used (of iterations the first one's), or of steps whose numbers
            cannot be read.
    """

    ranges: pl.DataFrame
    source: str
    name: str = ""

    def as_frame(self) -> pl.DataFrame:
        """The same in one frame; there is always a step."""
        return self.ranges.with_columns(pl.lit(self.source).alias("source"), pl.lit(self.name).alias("name"))

    @staticmethod
    def of_frame(frame: pl.DataFrame) -> Steps:
        """What `as_frame` made a frame of."""
        return Steps(frame.drop("source", "name"), frame["source"][0], frame["name"][0])


def shown_steps(trace: Trace, steps: Steps) -> int:
    """How many steps are counted and shown: of a report, a dump or a log the whole is no step."""
    return 0 if steps.source == WHOLE and trace.kind in _WITHOUT_STEPS else len(steps.ranges)


def find_steps(trace: Trace) -> Steps:
    """Steps by the first rule that finds any; found once, then kept on disk."""
    return Steps.of_frame(_found_steps(trace))


@per_trace_on_disk
def _found_steps(trace: Trace) -> pl.DataFrame:
    """See `Steps.as_frame`."""
    ranges = _host_ranges(trace)
    for rule in (
        _recorded_points,
        _profiler_steps,
        _unreadable_steps,
        _optimizer_steps,
        _served_steps,
        _repeated_annotations,
    ):
        steps = rule(trace, ranges)
        if steps is not None:
            return steps.as_frame()
    start, end = _without_profiler(trace, *_working_span(trace))
    return Steps(pl.DataFrame([[0, start, end, False]], schema=_SCHEMA, orient="row"), WHOLE).as_frame()


def _without_profiler(trace: Trace, start: int, end: int) -> tuple[int, int]:
    """A span without the profiler's own starting and stopping, where its frames were recorded around all other work."""
    codes = trace.codes(lambda text: text.str.contains(PROFILER_FRAME))
    frames = trace.frame("python", ["name", "start_ns", "duration_ns"]).filter(pl.col("name").is_in(codes.implode()))
    work = [_span(trace.frame(table, ["start_ns", "duration_ns"])) for table in ("activity", "operator", "annotation")]
    known = [span for span in work if span is not None]
    if len(frames) == 0 or not known:
        return start, end
    first, last = min(span[0] for span in known), max(span[1] for span in known)
    ends = frames["start_ns"] + frames["duration_ns"]
    began, ended = ends.filter(ends <= first).to_list(), frames["start_ns"].filter(frames["start_ns"] >= last).to_list()
    return max(began, default=start), min(ended, default=end)


def _host_ranges(trace: Trace) -> pl.DataFrame:
    """Named host ranges, without calls of MPI; steps and optimizer steps whatever host category they have."""
    gpu = trace.codes(lambda text: text.is_in(["gpu_user_annotation", MPI]))
    frame = trace.frame("annotation", ["category", "name", "process", "thread", "start_ns", "duration_ns"])
    frame = frame.filter(~pl.col("category").is_in(gpu.implode()).fill_null(False))
    wanted = trace.codes(lambda text: text.str.contains(_UNREADABLE_NAME) | text.str.contains(_OPTIMIZER_NAME))
    rows = trace.rows_with("operator", wanted)
    if len(rows):
        operators = trace.frame("operator", ["category", "name", "process", "thread", "start_ns", "duration_ns"])
        frame = pl.concat([frame, operators[rows]])
    return frame.with_columns(
        trace.text(frame["name"]).alias("text"), (pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns")
    )


def _recorded_points(trace: Trace, ranges: pl.DataFrame) -> Steps | None:
    """Steps that their recorder divided, where it did so on the clock of its events: they lie in one time then."""
    found = trace.frame("step_point", ["step", "start_ns", "end_ns"]).unique("step", keep="first", maintain_order=True)
    if len(found) == 0:
        return None
    start, end = _working_span(trace)
    if start < end and (int(found["end_ns"].max()) < start or int(found["start_ns"].min()) > end):  # type: ignore[arg-type]
        return None
    # A row that its recorder left empty is no step as long as the others.
    partial = (pl.col("end_ns") <= pl.col("start_ns")).alias("partial")
    return Steps(found.with_columns(partial).sort("start_ns", "step"), POINTS)


def _profiler_steps(trace: Trace, ranges: pl.DataFrame) -> Steps | None:
    found = ranges.with_columns(pl.col("text").str.extract(_STEP_NAME).cast(pl.Int64).alias("step"))
    found = found.filter(pl.col("step").is_not_null())
    if len(found) == 0:
        return None
    found = found.unique(["step", "start_ns", "end_ns"]).with_columns(pl.lit(False).alias("partial"))
    return Steps(found.select(*_SCHEMA).sort("start_ns", "step"), PROFILER)


def _unreadable_steps(trace: Trace, ranges: pl.DataFrame) -> Steps | None:
    """Steps by name, of which none has a number: several, or they are no steps."""
    found = ranges.filter(pl.col("text").str.contains(_UNREADABLE_NAME))
    found = found.unique(["start_ns", "end_ns"]).sort("start_ns", "end_ns")
    if len(found) < 2:
        return None
    numbers = pl.int_range(pl.len(), dtype=pl.Int64).alias("step")
    return Steps(
        found.select(numbers, "start_ns", "end_ns", pl.lit(False).alias("partial")), PROFILER, found["text"][0]
    )


def _optimizer_steps(trace: Trace, ranges: pl.DataFrame) -> Steps | None:
    found = ranges.filter(pl.col("text").str.contains(_OPTIMIZER_NAME))
    if len(found) == 0:
        return None
    # With several optimizers the one that steps least often ends the iteration, of equals the last one.
    by_name = (
        found.group_by("text").agg(pl.len(), pl.col("end_ns").max()).sort("len", "end_ns", descending=[False, True])
    )
    name = by_name["text"][0]
    ends = found.filter(pl.col("text") == name)["end_ns"].unique().sort()
    if len(ends) < 2:
        return None
    start, end = _working_span(trace)
    edges = [start, *ends.to_list()]
    rows = [[i, a, b, i == 0] for i, (a, b) in enumerate(pairwise(edges))]
    if end > edges[-1] and _host_work_after(trace, edges[-1]):
        rows.append([len(rows), edges[-1], end, True])
    return Steps(pl.DataFrame(rows, schema=_SCHEMA, orient="row"), OPTIMIZER, name)


def _host_work_after(trace: Trace, time_ns: int) -> bool:
    """Whether anything begins after a time: the beginning of a step that the recording did not finish."""
    starts = trace.frame("operator", ["start_ns"])["start_ns"]
    allocated = trace.frame("memory_trace", ["time_ns"])["time_ns"]
    return bool((starts >= time_ns).any() or (allocated >= time_ns).any())


def _served_steps(trace: Trace, ranges: pl.DataFrame) -> Steps | None:
    """The iterations of an inference server, also if there is but one."""
    found = _served(ranges)
    if len(found) == 0:
        return None
    found = found.select(
        pl.int_range(pl.len(), dtype=pl.Int64).alias("step"),
        "start_ns",
        "end_ns",
        pl.lit(False).alias("partial"),
        "text",
    )
    return Steps(found.select(*_SCHEMA), SERVING, found["text"][0])


def _served(ranges: pl.DataFrame) -> pl.DataFrame:
    """Ranges of iterations, by start: where some lie in others the outer ones."""
    found = ranges.filter(pl.col("text").str.contains(ITERATION))
    found = found.sort("start_ns", "end_ns", "text", descending=[False, True, False])
    reach = pl.col("end_ns").shift(1).cum_max()
    return found.filter(reach.is_null() | (pl.col("start_ns") >= reach))


def served_ranges(trace: Trace) -> pl.DataFrame:
    """The iterations of an inference server: columns start_ns, text (the range's name)."""
    return _served(_host_ranges(trace)).select("start_ns", "text")


def _repeated_annotations(trace: Trace, ranges: pl.DataFrame) -> Steps | None:
    """The top-level annotation that repeats and covers most time, numbers in its name ignored."""
    if len(ranges) == 0 or trace.kind == COMPILE_LOG:
        return None
    top = ranges.sort("process", "thread", "start_ns", "end_ns", "text", descending=[False, False, False, True, False])
    reach = pl.col("end_ns").shift(1).cum_max().over("process", "thread")
    top = top.with_columns(reach.alias("reach")).filter(
        pl.col("reach").is_null() | (pl.col("start_ns") >= pl.col("reach"))
    )
    top = top.filter(~pl.col("text").str.starts_with("enumerate(DataLoader)"))
    top = top.with_columns(pl.col("text").str.replace_all(_NUMBER, "#").alias("pattern"))
    by_name = (
        top.group_by("process", "thread", "pattern")
        .agg(pl.len(), pl.col("duration_ns").sum())
        .filter(pl.col("len") >= 2)
    )
    by_name = by_name.sort(
        *("duration_ns", "pattern", trace.text(by_name["process"]), trace.text(by_name["thread"])),
        descending=[True, False, False, False],
    )
    if len(by_name) == 0:
        return None
    start, end = _working_span(trace)
    best = by_name.row(0, named=True)
    if best["len"] < _ON_ONE_THREAD * len(top.filter(pl.col("pattern") == best["pattern"])):
        return None  # requests that several threads work through at once: those of one are not what the GPU does
    if best["duration_ns"] < 0.5 * (end - start):
        return None  # it repeats, but most of the time lies outside it
    found = top.filter(
        (pl.col("pattern") == best["pattern"])
        & pl.col("process").eq_missing(best["process"])
        & pl.col("thread").eq_missing(best["thread"])
    ).sort("start_ns")
    found = found.with_row_index("number").with_columns(
        pl.col("number").cast(pl.Int64).alias("step"), pl.lit(False).alias("partial")
    )
    return Steps(found.select(*_SCHEMA), ANNOTATION, best["pattern"])


def whole_span(trace: Trace) -> tuple[int, int]:
    """First start and last end of everything timed, on host and device, in ns; (0, 0) without any.

    Found once, then kept on disk: a server needs it before anything else of a recording, and there may be millions of
    events.
    """
    start, end = _span_row(trace).row(0)
    return int(start), int(end)


def _working_span(trace: Trace) -> tuple[int, int]:
    """The same without what cannot be true of activities' ends: no step is as long as a damaged kernel."""
    return whole_span(trace) if len(cut_short(trace)) == 0 else _span_with(trace, _span(believed_times(trace)))


@per_trace_on_disk
def _span_row(trace: Trace) -> pl.DataFrame:
    """One row: start_ns, end_ns."""
    span = _span_with(trace, _span_of(trace, "activity"))
    return pl.DataFrame([span], {"start_ns": pl.Int64, "end_ns": pl.Int64}, orient="row")


def _span_with(trace: Trace, activity: tuple[int, int] | None) -> tuple[int, int]:
    """First start and last end with these of the activities."""
    spans = [activity, *(_span_of(trace, table) for table in _TIMED_TABLES if table != "activity")]
    spans.append(_allocator_span(trace))
    spans = [span for span in spans if span is not None] or [_other_span(trace) or _counter_span(trace)]
    known = [span for span in spans if span is not None]
    return (min(start for start, _ in known), max(end for _, end in known)) if known else (0, 0)


def _span_of(trace: Trace, table: str) -> tuple[int, int] | None:
    """Span of a table, part by part: of millions of rows two numbers are wanted."""
    spans = [span for part in trace.parts(table, ["start_ns", "duration_ns"]) if (span := _span(part)) is not None]
    return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None


def _span(frame: pl.DataFrame) -> tuple[int, int] | None:
    if len(frame) == 0:
        return None
    end = (pl.col("start_ns") + pl.col("duration_ns")).max().alias("end_ns")
    first, last = frame.select(pl.col("start_ns").min(), end).row(0)
    return (int(first), int(last)) if first is not None else None


def _allocator_span(trace: Trace) -> tuple[int, int] | None:
    """Span of what the allocator of a memory snapshot did."""
    times = trace.frame("memory_trace", ["time_ns"])["time_ns"].drop_nulls()
    return _span(pl.DataFrame({"start_ns": times, "duration_ns": pl.repeat(0, len(times), eager=True)}))


def _counter_span(trace: Trace) -> tuple[int, int] | None:
    """Span of the samples, where nothing else was recorded."""
    times = trace.frame("counter", ["start_ns"])["start_ns"].drop_nulls()
    return _span(pl.DataFrame({"start_ns": times, "duration_ns": pl.repeat(0, len(times), eager=True)}))


def _other_span(trace: Trace) -> tuple[int, int] | None:
    """Span of what no rule placed, where there is nothing else."""
    frame = trace.frame("other", ["start_ns", "duration_ns", "broken"])
    frame = frame.filter((pl.col("broken") == 0) & pl.col("start_ns").is_not_null())
    return _span(frame.with_columns(pl.col("duration_ns").fill_null(0)))
