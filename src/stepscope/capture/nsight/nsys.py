"""Command lines of ``nsys profile`` and ``nsys export``, in the spelling of the version that was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from stepscope.capture.nsight.ranks import around_each, torchrun
from stepscope.capture.nsight.tool import Tool

TRACES = ("cuda", "nvtx", "osrt", "cudnn", "cublas", "mpi", "ucx", "nccl")
DEFAULT_TRACES = ("cuda", "nvtx", "osrt")
LONG_TRACES = ("cuda", "nvtx")
"""Without a window: calls of the OS runtime would be most of a long recording."""
RECORDS = ("python", "cpu", "memory", "gpu-metrics", "autograd")
"""What can be recorded beside what ``--trace`` names, each at a cost."""
_PYTHON_HZ = 200
_GPU_METRICS_HZ = 10_000
_REGISTERED_ONLY = "NSYS_NVTX_PROFILER_REGISTER_ONLY=0"
"""Without it a capture range ignores ranges whose names are no registered strings: those of PyTorch."""


@dataclass(frozen=True)
class Seconds:
    """From so many seconds after the start, for so many."""

    after_s: float
    duration_s: float


@dataclass(frozen=True)
class ProfilerCalls:
    """From ``cudaProfilerStart`` to ``cudaProfilerStop``, as many times as that happens, 1 at least."""

    times: int = 1


@dataclass(frozen=True)
class Range:
    """While an NVTX range is open, for the first so many times: ``NAME``, ``NAME@DOMAIN``, or ``NAME@*``."""

    name: str
    times: int = 1


@dataclass(frozen=True)
class Whole:
    """From the first to the last moment of the job."""


Window = Seconds | ProfilerCalls | Range | Whole


@dataclass(frozen=True)
class NsysPlan:
    """What to record.

    Attributes:
        folder: of the reports.
        rank: of this process, where it is one of several that are recorded by themselves.
        traces: of `TRACES`.
        records: of `RECORDS`.
        ranks: only these of a torchrun; all where there are none.
    """

    folder: str
    window: Window = field(default_factory=ProfilerCalls)
    traces: Sequence[str] = DEFAULT_TRACES
    records: Sequence[str] = ()
    rank: int | None = None
    ranks: Sequence[int] = ()


@dataclass(frozen=True)
class Built:
    """A command line.

    Attributes:
        is_by_rank: each rank is a recording of its own.
        left_out: of `RECORDS`, what this version cannot record.
    """

    argv: tuple[str, ...]
    is_by_rank: bool = False
    left_out: tuple[str, ...] = ()


class CannotStayAlive(Exception):
    """This version ends the job together with a capture range."""


def profile(tool: Tool, plan: NsysPlan, command: Sequence[str]) -> Built:
    """The command line that records a job.

    Raises:
        CannotStayAlive: the plan has a capture range, and the version cannot leave the job running after it.
    """
    added, left_out = _records(tool, plan.records)
    # Of a GPU one process may read metrics, so one rank of a machine does.
    metrics = _gpu_metrics(tool) if "gpu-metrics" in plan.records else []
    job = torchrun(command)
    options = [*_fixed(plan, job is not None), *_window(tool, plan.window), *_traces(tool, plan), *added]
    head = [tool.path, "profile", *options]
    if job is None:
        return Built((*head, *metrics, *command), plan.rank is not None, tuple(left_out))
    return Built(tuple(around_each(job, head, plan.ranks, metrics)), True, tuple(left_out))


def export(tool: Tool, report: str, target: str) -> list[str]:
    """The command line that makes a database of a report. Quiet: its progress would fill the terminal."""
    return [tool.path, "export", "--type=sqlite", "-q", "true", f"--output={target}", report]


def _fixed(plan: NsysPlan, by_rank: bool) -> list[str]:
    folder = plan.folder.replace("%", "%%")
    rank = "_rank%q{RANK}" if by_rank else "" if plan.rank is None else f"_rank{plan.rank}"
    return [
        f"--output={folder}/%h{rank}_%p",
        "--force-overwrite=false",
        # What is recorded may end before the job does, which goes on.
        "--kill=none",
        "--wait=primary",
        "--stats=false",
    ]


def _window(tool: Tool, window: Window) -> list[str]:
    if isinstance(window, Whole):
        return []
    if isinstance(window, Seconds):
        return [f"--delay={_number(window.after_s)}", f"--duration={_number(window.duration_s)}"]
    if not tool.has("--capture-range-end"):
        raise CannotStayAlive
    end = "stop" if window.times == 1 else f"repeat:{window.times}"
    if isinstance(window, ProfilerCalls):
        return ["--capture-range=cudaProfilerApi", f"--capture-range-end={end}"]
    return [
        "--capture-range=nvtx",
        f"--nvtx-capture={window.name}",
        f"--env-var={_REGISTERED_ONLY}",
        f"--capture-range-end={end}",
    ]


def _number(seconds: float) -> str:
    """Whole seconds: fractions are an error of a command line to some versions."""
    return str(max(0, round(seconds)))


def _traces(tool: Tool, plan: NsysPlan) -> list[str]:
    options = [f"--trace={','.join(plan.traces)}"]
    if "cuda" in plan.traces and tool.has("--cuda-graph-trace"):
        # A launch of a whole graph would be one activity, its kernels unknown.
        options.append("--cuda-graph-trace=node")
    return options


def _records(tool: Tool, records: Sequence[str]) -> tuple[list[str], list[str]]:
    """Options for what is recorded beside, and what this version has no option for."""
    options, left_out = [], []
    for record in records:
        needed = _NEEDED.get(record)
        if needed is not None and not tool.has(needed):
            left_out.append(record)
        else:
            options += _OPTIONS.get(record, [])
    if "gpu-metrics" in records and not _gpu_metrics(tool):
        left_out.append("gpu-metrics")
    # Samples of the CPU are on by default, and keep a job from starting where perf events are not allowed.
    sampled = "cpu" in records
    which = "process-tree" if sampled else "none"
    return [f"--sample={which}", f"--cpuctxsw={which}", *options], left_out


_NEEDED = {"python": "--python-sampling", "autograd": "--pytorch", "memory": "--cuda-memory-usage"}
_OPTIONS = {
    "python": ["--python-sampling=true", f"--python-sampling-frequency={_PYTHON_HZ}"],
    "memory": ["--cuda-memory-usage=true"],
    "autograd": ["--pytorch=autograd-nvtx"],
}


def _gpu_metrics(tool: Tool) -> list[str]:
    option = tool.first_of("--gpu-metrics-devices", "--gpu-metrics-device")
    return [f"{option}=all", f"--gpu-metrics-frequency={_GPU_METRICS_HZ}"] if option else []
