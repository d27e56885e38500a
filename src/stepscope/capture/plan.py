"""What is to be recorded, as the agent reads it in ``config.json``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

RECORDS = ("shapes", "stack", "memory", "flops", "modules")
"""What can be recorded beside operators and GPU activity."""
DEFAULT_RECORDS = ("shapes", "stack")
TYPICAL_SLOWDOWN = {True: 1.6, False: 1.3}
"""How much longer a host-bound step takes while it is recorded, with stacks and without (docs/recording.md)."""
EVENTS = 1_500_000
DETAILED_EVENTS = 600_000
"""Events after which a window ends early, without and with shapes or stacks: when it stops, torch holds
1.3 kB and 3 kB of the host's memory for each, and 2 GB are what a job may be asked for."""
MEMORY_ENTRIES = 200_000
EVERY = 1000
COMPILE_LOGS = "TORCH_TRACE"
"""Variable that names the folder in which each process writes what torch.compile does."""

STEP_KINDS = ("optimizer", "data", "forward", "call", "range")
PASS_GAP = 10
"""From the last step of the light window to the first one of the deep window: steps between them are measured."""
DEEP_STEPS = 3


@dataclass(frozen=True)
class Steps:
    """Steps ``first`` to ``last``, counted from 0, and again after every so many; 0 for once."""

    first: int
    last: int
    every: int = 0

    def config(self) -> dict[str, Any]:
        return {"kind": "steps", "first": self.first, "last": self.last, "every": self.every}


@dataclass(frozen=True)
class Seconds:
    """A window of time from so many seconds after torch was imported."""

    after_s: float
    duration_s: float

    def config(self) -> dict[str, Any]:
        return {"kind": "time", "after_s": self.after_s, "duration_s": self.duration_s}


@dataclass(frozen=True)
class OnDemand:
    """Whenever ``stepscope attach`` asks."""

    def config(self) -> dict[str, Any]:
        return {"kind": "demand"}


PRESETS: Mapping[str, Steps] = {"early": Steps(3, 5), "steady": Steps(23, 28), "periodic": Steps(13, 15, EVERY)}
"""What PyTorch's schedule would call skip_first, warmup, active: 0, 3, 3; 20, 3, 6; 10, 3, 3 and again."""


@dataclass(frozen=True)
class Plan:
    """A recording.

    Attributes:
        out: folder of the files.
        when: which part of the job.
        records: of `RECORDS`.
        step_on: what ends a step, as ``KIND`` or ``KIND:WHAT`` with a kind of `STEP_KINDS`; "" to find out.
        ranks: only these; all where there are none.
        events: budget of a window; 0 for none, None for what 2 GB of memory hold.
        telemetry_hz: how often the machine is sampled beside the job; 0 for never.
        compile_log: whether torch.compile writes its log beside the traces.
    """

    out: str
    when: Steps | Seconds | OnDemand = PRESETS["steady"]
    records: Sequence[str] = DEFAULT_RECORDS
    step_on: str = ""
    two_pass: bool = False
    ranks: Sequence[int] = field(default_factory=tuple)
    memory_history: bool = False
    events: int | None = None
    telemetry_hz: float = 0
    compile_log: bool = False

    def variables(self, given: Mapping[str, str]) -> dict[str, str]:
        """The environment of the command, without the agent. A folder that the job names for its log stays."""
        return {COMPILE_LOGS: os.path.abspath(self.out), **given} if self.compile_log else dict(given)

    @property
    def steps_needed(self) -> int | None:
        """Steps that a process has to take for all to be recorded; None where that is not a matter of steps."""
        if not isinstance(self.when, Steps):
            return None
        return self.when.last + 1 + (PASS_GAP + DEEP_STEPS - 1 if self.two_pass else 0)

    @property
    def budget(self) -> int:
        """Events after which a window ends early; 0 for never."""
        if self.events is not None:
            return self.events
        return DETAILED_EVENTS if {"shapes", "stack"} & set(self.records) else EVENTS

    def config(self, version: str) -> dict[str, Any]:
        """For the agent.

        Args:
            version: of stepscope.
        """
        kind, _, what = self.step_on.partition(":")
        return {
            "version": version,
            "out": self.out,
            "plan": self.when.config(),
            "with": list(self.records),
            "step_on": self.step_on,
            "watched": [what.partition(":")[0]] if kind == "call" else [],
            "two_pass": self.two_pass,
            "pass_gap": PASS_GAP,
            "deep_steps": DEEP_STEPS,
            "ranks": list(self.ranks),
            "memory_history": self.memory_history,
            "memory_entries": MEMORY_ENTRIES,
            "budget": self.budget,
        }
