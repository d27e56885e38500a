"""``stepscope nsys``."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import click

from stepscope.capture.command import is_first_of_many
from stepscope.capture.doctor import counters, kernel_rights
from stepscope.capture.nsight.launching import Run, StepWindow
from stepscope.capture.nsight.nsys import (
    DEFAULT_TRACES,
    LONG_TRACES,
    RECORDS,
    TRACES,
    Built,
    CannotStayAlive,
    NsysPlan,
    ProfilerCalls,
    Range,
    Seconds,
    Whole,
    Window,
    profile,
)
from stepscope.capture.nsight.ranks import own_rank, torchrun
from stepscope.capture.nsight.reports import Exported, export_report
from stepscope.capture.nsight.tool import NSYS, Tool
from stepscope.capture.system import System, ThisMachine
from stepscope.commands import below
from stepscope.commands.job_options import chosen_names, chosen_ranks, chosen_step_end, chosen_steps, new_folder
from stepscope.commands.job_words import say, show_report
from stepscope.commands.recorded import step_times
from stepscope.messages import Message

_STEPS = "10:14"
_REPORTS = (".nsys-rep", ".qdrep")


@dataclass(frozen=True)
class _When:
    """The window as it was asked for.

    Attributes:
        window: for nsys.
        marks: the steps at which the job itself opens and closes it, if it is one of steps.
    """

    window: Window
    marks: StepWindow | None = None


def _window_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which part of the job to record; the command is given a `_When`."""

    @functools.wraps(function)
    def command(
        *args: Any,
        steps: str | None,
        step_on: str,
        after_s: float | None,
        duration_s: float | None,
        range_: str | None,
        profiler_calls: bool,
        times: int,
        whole: bool,
        **given: Any,
    ) -> None:
        window = _window(after_s, duration_s, range_, profiler_calls, times, whole)
        if window is None:
            first, last = chosen_steps(steps or _STEPS)
            marks = StepWindow(first, last, chosen_step_end(step_on), chosen_ranks(given["ranks"]))
            when = _When(ProfilerCalls(), marks)
        elif steps is not None or step_on:
            raise click.UsageError("--steps and --step-on exclude the other windows")
        else:
            when = _When(window)
        function(*args, when=when, **given)

    decorated: Any = command
    for option in reversed(_WINDOW_OPTIONS):
        decorated = option(decorated)
    return cast("Callable[..., None]", decorated)


_WINDOW_OPTIONS = [
    click.option("--steps", metavar="A:B", help=f"Record steps A to B, counted from 0 (default: {_STEPS})."),
    click.option("--step-on", metavar="WHAT", default="", help="What ends a step, as of stepscope record."),
    click.option("--after", "after_s", type=click.FloatRange(min=0), metavar="S", help="Record from S seconds on ..."),
    click.option("--duration", "duration_s", type=click.FloatRange(min=1), metavar="S", help="... for S seconds."),
    click.option("--range", "range_", metavar="NAME", help="Record while an NVTX range is open: NAME or NAME@DOMAIN."),
    click.option(
        "--profiler-calls", is_flag=True, help="Record between the script's own torch.cuda.profiler.start and stop."
    ),
    click.option(
        "--times", type=click.IntRange(min=1), default=1, metavar="N", help="Of --range and --profiler-calls: so often."
    ),
    click.option("--whole", is_flag=True, help="Record all of it: for short jobs."),
]


def _window(
    after_s: float | None, duration_s: float | None, range_: str | None, calls: bool, times: int, whole: bool
) -> Window | None:
    """The window that options ask for; None for one of steps."""
    timed = after_s is not None or duration_s is not None
    if sum((timed, range_ is not None, calls, whole)) > 1:
        raise click.UsageError("--after/--duration, --range, --profiler-calls and --whole exclude each other")
    if times > 1 and range_ is None and not calls:
        raise click.UsageError("--times belongs to --range or --profiler-calls")
    if timed:
        if duration_s is None:
            raise click.UsageError("--after needs --duration: how many seconds to record")
        return Seconds(after_s or 0.0, duration_s)
    if range_ is not None:
        return Range(range_, times)
    if calls:
        return ProfilerCalls(times)
    return Whole() if whole else None


@click.command(context_settings={"allow_interspersed_args": False})
@_window_options
@click.option("--trace", metavar="LIST", help=f"Of {', '.join(TRACES)} (default: {','.join(DEFAULT_TRACES)}).")
@click.option("--with", "with_", metavar="LIST", help=f"Of {', '.join(RECORDS)}, each at a cost (default: none).")
@click.option("--ranks", metavar="LIST", help="Of a torchrun record only these, as in 0,7.")
@click.option("--out", metavar="DIR", help="Folder of the reports (default: recordings/TIME).")
@click.option("--nsys", "path", metavar="PATH", help="The nsys to use (default: that on PATH, else the newest found).")
@click.option("--print", "print_", is_flag=True, help="Show the command and run nothing.")
@click.option("--no-report", is_flag=True, help="Record and export only: show no report at the end.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def nsys(
    when: _When,
    trace: str | None,
    with_: str | None,
    ranks: str | None,
    out: str | None,
    path: str | None,
    print_: bool,
    no_report: bool,
    command: Sequence[str],
) -> None:
    """Run COMMAND below Nsight Systems, export what it records, and show the report.

    stepscope nsys -- torchrun --nproc-per-node 8 train.py

    The script is not changed. Each rank of a torchrun is recorded by itself. COMMAND goes on when the window ends;
    its output and exit code stay as they are.
    """
    plan = NsysPlan(
        folder=new_folder(out),
        window=when.window,
        traces=chosen_names(trace, "--trace", TRACES, _default_traces(when.window)),
        records=_allowed(chosen_names(with_, "--with", RECORDS, ()), ThisMachine()),
        rank=own_rank(os.environ),
        ranks=chosen_ranks(ranks),
    )
    tool = below.found_tool(NSYS, path, ThisMachine())
    built = _built(tool, plan, command)
    if print_:
        below.print_command(plan.folder, built.argv)
        say([Message("nsys-printed-steps")] if when.marks else [])
        return
    done = below.run(built.argv, plan.folder, _REPORTS, when.marks)
    exported = [export_report(tool, report, ThisMachine()) for report in done.left.reports]
    say(_sentences(done, exported, plan, when.marks))
    databases = [one.database for one in exported if not one.problem]
    if databases and not no_report and (is_first_of_many() or torchrun(command)):
        show_report(databases)
    sys.exit(done.code)


def _allowed(records: Sequence[str], system: System) -> Sequence[str]:
    """Without those that this machine refuses: with them nsys would fail, and the job not start."""
    needs = {"gpu-metrics": counters.CHECK, "cpu": kernel_rights.PERF}
    refused = [name for name in records if name in needs and below.keeps_from_working(needs[name], system)]
    say(Message("nsys-not-allowed", record=record) for record in refused)
    return [name for name in records if name not in refused]


def _default_traces(window: Window) -> Sequence[str]:
    return LONG_TRACES if isinstance(window, Whole) else DEFAULT_TRACES


def _built(tool: Tool, plan: NsysPlan, command: Sequence[str]) -> Built:
    try:
        built = profile(tool, plan, command)
    except CannotStayAlive:
        say([Message("nsys-ends-job", version=tool.version_text)])
        sys.exit(2)
    if plan.ranks and torchrun(command) is None:
        raise click.UsageError(
            "--ranks needs a COMMAND that is torchrun; under srun or mpirun put stepscope nsys behind it"
        )
    say(below.launcher_sentences(command, NSYS))
    say(Message("nsys-left-out", record=record, version=tool.version_text) for record in built.left_out)
    return built


def _sentences(done: Run, exported: Sequence[Exported], plan: NsysPlan, marks: StepWindow | None) -> Iterator[Message]:
    """What there is, and why something is not."""
    for one in exported:
        if one.problem:
            yield Message("nsys-not-exported", report=one.report, reason=one.problem)
    databases = [one for one in exported if not one.problem]
    if databases:
        yield Message("nsys-done", reports=len(databases), folder=plan.folder)
    for raw in done.left.raw:
        yield Message("nsys-raw", raw=raw, report=f"{os.path.splitext(raw)[0]}.nsys-rep")
    if marks is not None:
        yield from below.window_sentences(done, marks)
        if done.marked.opened:
            yield from step_times([window for process in done.processes for window in process.windows])
    if done.left.reports or done.left.raw:
        return
    yield Message("nsys-nothing")
    if isinstance(plan.window, Range):
        yield Message("nsys-no-range", name=plan.window.name)
    elif isinstance(plan.window, ProfilerCalls) and marks is None:
        yield Message("nsys-no-calls")
    elif isinstance(plan.window, Seconds):
        yield Message("nsys-ended-before", after=plan.window.after_s)
