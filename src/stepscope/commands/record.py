"""``stepscope record``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from stepscope.capture.command import is_first_of_many
from stepscope.capture.launcher import Done
from stepscope.capture.launcher import record as run_recorded
from stepscope.capture.plan import (
    DEFAULT_RECORDS,
    DETAILED_EVENTS,
    EVENTS,
    EVERY,
    PRESETS,
    RECORDS,
    OnDemand,
    Plan,
    Seconds,
    Steps,
)
from stepscope.capture.telemetry.sampling import FASTEST_HZ, SLOWEST_HZ
from stepscope.commands.job_options import check_folder, chosen_ranks, chosen_step_end, chosen_steps, new_folder
from stepscope.commands.job_words import not_started, say, show_report
from stepscope.commands.recorded import sentences
from stepscope.messages import Message

_LIGHT = "none"


@click.command(context_settings={"allow_interspersed_args": False})
@click.option("--steps", metavar="A:B", help="Record steps A to B, counted from 0 (default: --preset steady).")
@click.option(
    "--preset",
    type=click.Choice(list(PRESETS)),
    help="early: steps 3 to 5; steady: 23 to 28; periodic: 13 to 15, and again every so many (--every).",
)
@click.option("--every", type=click.IntRange(min=10), metavar="N", help=f"Of --preset periodic (default: {EVERY}).")
@click.option("--after", "after_s", type=click.FloatRange(min=0), metavar="S", help="Record from S seconds on ...")
@click.option(
    "--duration", "duration_s", type=click.FloatRange(min=0, min_open=True), metavar="S", help="... for S seconds."
)
@click.option("--on-demand", is_flag=True, help="Record whenever stepscope attach PID asks for it.")
@click.option(
    "--step-on",
    metavar="WHAT",
    help="What ends a step: optimizer[:CLASS], data, forward[:CLASS], call:MODULE:FUNCTION or range:NAME "
    "(default: found out).",
)
@click.option(
    "--with",
    "with_",
    metavar="LIST",
    help=f"Of {', '.join(RECORDS)}, or none (default: {','.join(DEFAULT_RECORDS)}).",
)
@click.option("--two-pass", is_flag=True, help="A light recording for the times, then one with all that --with says.")
@click.option("--ranks", metavar="LIST", help="Record only these, as in 0,7.")
@click.option("--memory-history", is_flag=True, help="A snapshot of the CUDA allocator with it, too.")
@click.option("--compile-log", is_flag=True, help="What torch.compile does with it (TORCH_TRACE), too.")
@click.option(
    "--max-events",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"End a recording before it has more events (default: {EVENTS:,}, with shapes or stacks {DETAILED_EVENTS:,}: "
    "2 GB of memory; 0: never).",
)
@click.option(
    "--telemetry",
    "telemetry_hz",
    type=click.FloatRange(SLOWEST_HZ, FASTEST_HZ),
    metavar="HZ",
    help="Sample GPUs, cores and the job's processes as well, so often a second.",
)
@click.option("--out", metavar="DIR", help="Folder of the recordings (default: recordings/TIME).")
@click.option("--no-report", is_flag=True, help="Record only: show no report at the end.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def record(
    steps: str | None,
    preset: str | None,
    every: int | None,
    after_s: float | None,
    duration_s: float | None,
    on_demand: bool,
    step_on: str | None,
    with_: str | None,
    two_pass: bool,
    ranks: str | None,
    memory_history: bool,
    compile_log: bool,
    max_events: int | None,
    telemetry_hz: float | None,
    out: str | None,
    no_report: bool,
    command: Sequence[str],
) -> None:
    """Run COMMAND, record some of its steps, and show the report. The script is not changed.

    stepscope record -- torchrun --nproc-per-node 8 train.py

    Works for Python programs with PyTorch and for what starts them. COMMAND's output and exit code stay as they are;
    what stepscope says goes to stderr.
    """
    plan = Plan(
        out=new_folder(out),
        when=_when(steps, preset, every, after_s, duration_s, on_demand),
        records=_records(with_),
        step_on=chosen_step_end(step_on or ""),
        two_pass=two_pass,
        ranks=chosen_ranks(ranks),
        memory_history=memory_history,
        events=max_events,
        telemetry_hz=telemetry_hz or 0,
        compile_log=compile_log,
    )
    sys.exit(_recorded(plan, command, not no_report))


def _recorded(plan: Plan, command: Sequence[str], reports: bool) -> int:
    """Run and record it, say what came of it, and show the report; returns the exit code of the command."""
    check_folder(plan.out)
    done = _run(plan, command)
    say(sentences(plan, done))
    if reports and done.outcome.files:
        if is_first_of_many():
            show_report([plan.out])
        else:
            say([Message("record-report-elsewhere", folder=plan.out)])
    return done.code


def _when(
    steps: str | None,
    preset: str | None,
    every: int | None,
    after_s: float | None,
    duration_s: float | None,
    on_demand: bool,
) -> Steps | Seconds | OnDemand:
    """Which part of the job to record, if that is said in one way."""
    is_timed = after_s is not None or duration_s is not None
    if sum((steps is not None, preset is not None, is_timed, on_demand)) > 1:
        raise click.UsageError("--steps, --preset, --after/--duration and --on-demand exclude each other")
    if every is not None and preset != "periodic":
        raise click.UsageError("--every belongs to --preset periodic")
    if on_demand:
        return OnDemand()
    if is_timed:
        if duration_s is None:
            raise click.UsageError("--after needs --duration: how many seconds to record")
        return Seconds(after_s or 0.0, duration_s)
    if steps is not None:
        return Steps(*chosen_steps(steps))
    chosen = PRESETS[preset or "steady"]
    return Steps(chosen.first, chosen.last, every) if every else chosen


def _records(text: str | None) -> Sequence[str]:
    if text is None:
        return DEFAULT_RECORDS
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in (*RECORDS, _LIGHT)]
    if unknown or not names:
        raise click.UsageError(f"--with takes {', '.join(RECORDS)} and {_LIGHT}, separated by commas")
    return [name for name in RECORDS if name in names]


def _run(plan: Plan, command: Sequence[str]) -> Done:
    from importlib import metadata

    try:
        version = metadata.version("stepscope")
    except metadata.PackageNotFoundError:
        version = ""
    try:
        return run_recorded(plan, command, version)
    except OSError as error:
        not_started(command[0], error)
