"""``stepscope record -- COMMAND``: bring the agent in, run the command, see what came of it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from stepscope.capture.agent.identity import host_name
from stepscope.capture.command import is_first_of_host, run_command
from stepscope.capture.injection import HELLO, OLD, Injection
from stepscope.capture.live_files import remove_ended
from stepscope.capture.outcome import Outcome, collect, snapshot
from stepscope.capture.plan import Plan
from stepscope.capture.telemetry.lines import SUFFIX
from stepscope.capture.telemetry.process import start


@dataclass(frozen=True)
class Done:
    """A command that was run.

    Attributes:
        code: its exit code.
        outcome: what was recorded of it.
        pythons: how many Python processes ran the agent.
        too_old: how many of an interpreter too old for it.
        errors: what kept the agent from starting.
        unsampled: why there is no telemetry, or not all of it; "" where there is, or none was asked for.
    """

    code: int
    outcome: Outcome
    pythons: int
    too_old: int
    errors: tuple[str, ...]
    unsampled: str = ""


def record(plan: Plan, command: Sequence[str], version: str) -> Done:
    """Run a command and record it as planned.

    Args:
        version: of stepscope.

    Raises:
        OSError: the folder cannot be written, or the command cannot be started.
    """
    is_new = not os.path.exists(plan.out)
    os.makedirs(plan.out, exist_ok=True)
    before = snapshot(plan.out)
    injection = Injection(plan.out, plan.config(version))
    try:
        with _sampled(plan) as problems:
            code = run_command(command, injection.environment(plan.variables(os.environ)))
        seen = injection.seen()
        outcome = collect(plan.out, before)
        remove_ended(plan.out, before)
    finally:
        injection.remove()
        if is_new and not os.listdir(plan.out):
            os.rmdir(plan.out)
    said = [what for _, what in seen]
    errors = tuple(dict.fromkeys(what for what in said if what.startswith("error")))
    return Done(code, outcome, said.count(HELLO), said.count(OLD), errors, " ".join(problems))


@contextmanager
def _sampled(plan: Plan) -> Iterator[list[str]]:
    """Sample the machine, and this process with all below it, as long as the block runs; once on each machine.

    Yields what went wrong, which is known behind the block.
    """
    problems: list[str] = []
    if not plan.telemetry_hz or not is_first_of_host():
        yield problems
        return
    try:
        sampler = start(os.path.join(plan.out, f"{host_name()}.{time.time_ns()}{SUFFIX}"), plan.telemetry_hz)
    except OSError as error:  # the job runs without
        problems.append(error.strerror or type(error).__name__)
        yield problems
        return
    try:
        yield problems
    finally:
        problems += filter(None, [sampler.stop()])
