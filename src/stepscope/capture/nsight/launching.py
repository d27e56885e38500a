"""Running a job below ``nsys`` or ``ncu``: bring in what marks its steps, run it, see what it left."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stepscope.capture.command import run_command
from stepscope.capture.injection import HELLO, Injection
from stepscope.capture.nsight.reports import Left, left_in, names_in
from stepscope.capture.outcome import Process, collect, snapshot


@dataclass(frozen=True)
class StepWindow:
    """Steps ``first`` to ``last``, counted from 0, between which the job itself has the profiler record.

    Attributes:
        step_on: what ends a step, as of `stepscope.capture.plan.Plan`.
        ranks: only these; all where there are none.
    """

    first: int
    last: int
    step_on: str = ""
    ranks: Sequence[int] = ()

    def config(self, folder: str) -> dict[str, Any]:
        """For the agent.

        Args:
            folder: of the reports.
        """
        kind, _, what = self.step_on.partition(":")
        return {
            "out": folder,
            "marks": {"first": self.first, "last": self.last},
            "step_on": self.step_on,
            "watched": [what.partition(":")[0]] if kind == "call" else [],
            "ranks": list(self.ranks),
        }


@dataclass(frozen=True)
class Marked:
    """What the processes of a job said about the window.

    Attributes:
        pythons: how many ran the agent; None where the window was not one of steps.
        opened: how many began to record.
        without_cuda: how many had not used CUDA when the first step of the window began.
        foreign: how many used torch.profiler themselves.
        steps: of each process that ended before that, how many it took.
        errors: what went wrong in any.
    """

    pythons: int | None = None
    opened: int = 0
    without_cuda: int = 0
    foreign: int = 0
    steps: tuple[int, ...] = ()
    errors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """A job that was run.

    Attributes:
        code: its exit code, as the profiler passes it on.
        processes: that took steps, each with the times of those outside the window; none without a window of steps.
    """

    code: int
    left: Left
    marked: Marked = field(default_factory=Marked)
    processes: tuple[Process, ...] = ()


def run_below(
    argv: Sequence[str],
    folder: str,
    endings: tuple[str, ...],
    window: StepWindow | None,
    given: Mapping[str, str] = os.environ,
) -> Run:
    """Run a command line that was built.

    Args:
        folder: where its reports will lie.
        endings: of their names.

    Raises:
        OSError: the folder cannot be written, or the profiler cannot be started.
    """
    os.makedirs(folder, exist_ok=True)
    before = names_in(folder)
    if window is None:
        return Run(run_command(argv, given), left_in(folder, before, endings))
    known = snapshot(folder)
    injection = Injection(folder, window.config(folder))
    try:
        code = run_command(argv, injection.environment(given))
        marked = marked_by([said for _, said in injection.seen()])
    finally:
        injection.remove()
    return Run(code, left_in(folder, before, endings), marked, collect(folder, known).processes)


def marked_by(said: Sequence[str]) -> Marked:
    """What the lines of all processes say together."""
    words = [line.split(" ", 1) for line in said]
    return Marked(
        pythons=said.count(HELLO),
        opened=sum(word[0] == "opened" for word in words),
        without_cuda=sum(word[0] == "no-cuda" for word in words),
        foreign=said.count("foreign"),
        steps=tuple(int(word[1]) for word in words if word[0] == "steps" and word[1:] and word[1].isdecimal()),
        errors=tuple(dict.fromkeys(" ".join(word[1:]) for word in words if word[0] == "error")),
    )
