"""``stepscope ncu``."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import click

from stepscope.capture.doctor import counters
from stepscope.capture.nsight.kernels import Kernel, Target, heaviest, may_deadlock, pattern_of
from stepscope.capture.nsight.ncu import NcuPlan, checked_set, cost, profile, sets_of
from stepscope.capture.nsight.ranks import own_rank, torchrun
from stepscope.capture.nsight.tool import NCU, Tool
from stepscope.capture.system import ThisMachine
from stepscope.commands import below
from stepscope.commands.job_options import chosen_ranks, new_folder
from stepscope.commands.job_words import say
from stepscope.commands.options import Selection, open_selected
from stepscope.messages import Message

_REPORTS = (".ncu-rep",)


class _BehindDashes(click.Command):
    """A command with another command line behind ``--``; what stands before it are options and a trace."""

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "-- COMMAND..."]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            ctx.obj = args[place + 1 :]
            args = args[:place]
        return super().parse_args(ctx, args)


@dataclass(frozen=True)
class _Chosen:
    """Functions to examine.

    Attributes:
        targets: of a trace; none where a pattern was given.
    """

    pattern: str
    targets: Sequence[Target] = ()
    left_out: Sequence[str] = ()
    all_ns: int = 0


@click.command(cls=_BehindDashes)
@click.option("--top", type=click.IntRange(min=1), default=5, metavar="N", help="Of TRACE so many (default: 5).")
@click.option("--kernel", "pattern", metavar="REGEX", help="Functions to examine, instead of those of a trace.")
@click.option(
    "--skip", type=click.IntRange(min=0), default=20, metavar="N", help="Pass over so many launches of each (20)."
)
@click.option("--count", type=click.IntRange(min=1), default=2, metavar="N", help="Examine so many of each (2).")
@click.option("--set", "set_name", metavar="SET", help="Of sections: basic, detailed, full, roofline (default: basic).")
@click.option("--section", "sections", multiple=True, metavar="NAME", help="Another section; repeatable.")
@click.option("--lock-clocks", is_flag=True, help="Launches are comparable with one another, and not with the trace.")
@click.option("--ranks", metavar="LIST", help="Of a torchrun examine these (default: 0).")
@click.option("--out", metavar="DIR", help="Folder of the reports (default: recordings/TIME).")
@click.option("--ncu", "path", metavar="PATH", help="The ncu to use (default: that on PATH, else the newest found).")
@click.option("--print", "print_", is_flag=True, help="Show the command and run nothing.")
@click.argument("trace", required=False)
@click.pass_obj
def ncu(
    command: Sequence[str] | None,
    trace: str | None,
    top: int,
    pattern: str | None,
    skip: int,
    count: int,
    set_name: str | None,
    sections: Sequence[str],
    lock_clocks: bool,
    ranks: str | None,
    out: str | None,
    path: str | None,
    print_: bool,
) -> None:
    """Run a command below Nsight Compute, which examines launches of the heaviest kernels of TRACE.

    stepscope ncu recordings/RUN -- python train.py

    What it will cost is said first. Kernels of communication are never examined: replayed, they wait for ever.
    """
    if not command:
        raise click.UsageError("what to run stands behind --: stepscope ncu TRACE -- python train.py")
    asked_ranks = chosen_ranks(ranks) or (0,)
    chosen = _chosen(trace, pattern, top)
    tool = below.found_tool(NCU, path, ThisMachine())
    plan = NcuPlan(
        *(new_folder(out), chosen.pattern, skip, count, None, _set(tool, set_name)),
        *(sections, lock_clocks, own_rank(os.environ), asked_ranks),
    )
    say([*below.launcher_sentences(command, NCU), *_announcement(plan, chosen, command)])
    if chosen.targets:
        plan = replace(plan, most=cost(chosen.targets, count, plan.set_name).launches)
    argv = profile(tool, plan, command)
    if print_:
        below.print_command(plan.folder, argv)
        return
    sys.exit(_run(argv, plan))


def _run(argv: Sequence[str], plan: NcuPlan) -> int:
    """Run it, unless it is known to fail; returns the exit code."""
    if below.keeps_from_working(counters.CHECK, ThisMachine()):
        return 2
    done = below.run(argv, plan.folder, _REPORTS, None)
    say([_outcome(done.left.reports, plan)])
    return done.code


def _outcome(reports: Sequence[str], plan: NcuPlan) -> Message:
    if not reports:
        return Message("ncu-nothing", skip=plan.skip)
    look = shlex.join(["stepscope", "report", plan.folder])
    return Message("ncu-done", reports=len(reports), folder=plan.folder, command=look)


def _chosen(trace: str | None, pattern: str | None, top: int) -> _Chosen:
    if (trace is None) == (pattern is None):
        raise click.UsageError(
            "give either a TRACE, of which the heaviest kernels are examined (stepscope record makes one),"
            " or --kernel REGEX"
        )
    if pattern is not None:
        try:
            refused = may_deadlock(pattern)
        except re.error as error:
            raise click.UsageError("--kernel takes a regular expression of function names") from error
        if refused:
            say([Message("ncu-refused", pattern=pattern)])
            sys.exit(2)
        return _Chosen(pattern)
    kernels = _kernels(trace or "")
    targets, left_out = heaviest(kernels, top)
    if not targets:
        say([Message("ncu-no-kernels")])
        sys.exit(2)
    functions = [target.function for target in targets]
    return _Chosen(pattern_of(functions), targets, left_out, sum(kernel.total_ns for kernel in kernels))


def _kernels(trace: str) -> list[Kernel]:
    """Rows of the table of kernels, as the capture layer takes them."""
    from stepscope.analyses import make_table
    from stepscope.analyses.gpu.mangled_names import readable

    profile = open_selected(Selection((trace,)), ["kernels"])
    rows = make_table(profile, "kernels", "", False).select("name", "calls", "total_ns", "kind")
    return [
        Kernel(readable(name) if name.startswith("_Z") else name, calls, total_ns, kind == "communication")
        for name, calls, total_ns, kind in rows.iter_rows()
    ]


def _set(tool: Tool, asked: str | None) -> str:
    known = sets_of(tool, ThisMachine())
    name = checked_set(asked, known)
    if name is None:
        say([Message("ncu-no-set", set=asked or "basic", sets=known)])
        sys.exit(2)
    return name


def _announcement(plan: NcuPlan, chosen: _Chosen, command: Sequence[str]) -> Iterator[Message]:
    """What will be examined, what not, and what it costs."""
    yield from (_target(target, chosen.all_ns) for target in chosen.targets)
    if chosen.left_out:
        yield Message("ncu-left-out", functions=chosen.left_out, count=len(chosen.left_out))
    expected = cost(chosen.targets, plan.count, plan.set_name)
    least, most = expected.passes
    passes = {"least": least, "most": most if most > least else 0}
    if chosen.targets:
        yield Message("ncu-cost", launches=expected.launches, gpu_ns=expected.gpu_ns, **passes)
    else:
        yield Message("ncu-cost-unknown", count=plan.count, **passes)
    if torchrun(command) is not None:
        yield Message("ncu-one-rank", ranks=[str(rank) for rank in plan.ranks])


def _target(target: Target, all_ns: int) -> Message:
    return Message(
        "ncu-target",
        function=target.function,
        share_pct=100.0 * target.total_ns / max(1, all_ns),
        calls=target.calls,
        mean_ns=target.mean_ns,
        kernels=target.kernels,
    )
