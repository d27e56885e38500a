"""What records a process from within. The launcher copies this folder, so it imports nothing but the standard library.

It runs in the interpreter of the job, from Python 3.8 on, and torch is whatever version that has. No error of it may
reach the job: what goes wrong is noted in the process's side file.
"""

from __future__ import annotations

from typing import Any

_agents: list[Any] = []


def imported(module: Any, config: dict[str, Any]) -> None:
    """Called by ``sitecustomize`` after torch, or another module that was asked for, was executed."""
    if module.__name__ == "torch" and "marks" in config:
        from .step_marks import StepMarks

        _agents.append(StepMarks(module, config).install())
    elif module.__name__ == "torch":
        from .recorder import Recorder

        _agents.append(Recorder(module, config).install())
    elif _agents:
        _agents[0].hooks.watch_call(module)
    else:
        config.setdefault("imported", []).append(module)
