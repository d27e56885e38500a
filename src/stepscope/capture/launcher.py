"""``stepscope record -- COMMAND``: bring the agent in, run the command, see what came of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.capture.command import run_command
from stepscope.capture.injection import HELLO, OLD, Injection
from stepscope.capture.outcome import Outcome, collect, snapshot
from stepscope.capture.plan import Plan


@dataclass(frozen=True)
class Done:
    """A command that was run.

    Attributes:
        code: its exit code.
        outcome: what was recorded of it.
        pythons: how many Python processes ran the agent.
        too_old: how many of an interpreter too old for it.
        errors: what kept the agent from starting.
    """

    code: int
    outcome: Outcome
    pythons: int
    too_old: int
    errors: tuple[str, ...]


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
        # What records the machine beside the job, as telemetry would, starts here and stops behind the command.
        code = run_command(command, injection.environment(os.environ))
        seen = injection.seen()
        outcome = collect(plan.out, before)
    finally:
        injection.remove()
        if is_new and not os.listdir(plan.out):
            os.rmdir(plan.out)
    said = [what for _, what in seen]
    errors = tuple(dict.fromkeys(what for what in said if what.startswith("error")))
    return Done(code, outcome, said.count(HELLO), said.count(OLD), errors)
