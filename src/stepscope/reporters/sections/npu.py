"""What the profiler of an NPU says of its kernels and steps."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.text_lines import TOP, Line, heading, limited, notes_of
from stepscope.reporters.table import text_column

_KERNELS = ("rank", "type", "core", "calls", "total_ns", "share_pct", "cube_pct", "vector_pct", "shapes")
_HELD = ("rank", "device", "component", "op", "blocks", "bytes", "share_pct", "kept_bytes")
_STEPS = (
    *("rank", "step", "computing_ns", "measured_computing_ns", "exposed_ns", "measured_exposed_ns", "free_ns"),
    "measured_free_ns",
)


def npu_steps(report: Report, width: int) -> Iterator[Line]:
    """Steps as the profiler divides them, and as measured."""
    rows = report.tables["npu_steps"]
    if len(rows) == 0:
        return
    yield from heading(say("section-npu-steps"), say("section-npu-steps-note"), width)
    yield from limited([text_column(rows, "npu_steps", name) for name in _STEPS], width, TOP, "npu_steps")


def npu_memory(report: Report, width: int) -> Iterator[Line]:
    """The peak of memory, and the operators that held most of it."""
    rows = report.tables["npu_memory_peak"]
    if len(rows) == 0:
        return
    yield from heading(say("section-npu-memory"), say("section-npu-memory-note"), width)
    yield from limited([text_column(rows, "npu_memory_peak", name) for name in _HELD], width, TOP, "npu_memory_peak")
    for note in notes_of(report, "npu_memory_peak"):
        yield from (Line(line, "dim") for line in wrapped(note, width, "  "))


def npu_kernels(report: Report, width: int) -> Iterator[Line]:
    """The kernels with most time, and the units of cores that worked."""
    rows = report.tables["npu_kernels"]
    if len(rows) == 0:
        return
    yield from heading(say("section-npu-kernels"), say("section-npu-kernels-note"), width)
    rows = rows.sort("total_ns", descending=True, maintain_order=True)
    yield from limited([text_column(rows, "npu_kernels", name) for name in _KERNELS], width, TOP, "npu_kernels")
    for note in notes_of(report, "npu_kernels"):
        yield from (Line(line, "dim") for line in wrapped(note, width, "  "))
