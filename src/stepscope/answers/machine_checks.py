"""What the doctor found, in sentences: what is there, what to do about what is not, and the commands for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stepscope.capture.doctor.state import NOT_APPLICABLE, OK, State
from stepscope.messages import Message

OPEN_COUNTERS = (
    "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/nvidia-profiling.conf",
    "sudo update-initramfs -u || sudo dracut -f",
)
_COMMANDS = {
    ("counters", "restricted"): OPEN_COUNTERS,
    ("counters", "restricted-container"): OPEN_COUNTERS,
    ("dcgm", "running"): ("dcgmi profile --pause", "dcgmi profile --resume"),
    ("clocks", "power-capped"): ("sudo nvidia-smi --lock-gpu-clocks=tdp,tdp", "sudo nvidia-smi --reset-gpu-clocks"),
    ("perf_events", "paranoid"): ("sudo sysctl kernel.perf_event_paranoid=2",),
    ("ptrace", "children-only"): ("sudo sysctl kernel.yama.ptrace_scope=0",),
}
"""What a shell is told for a fix, as it is: not wrapped, not translated."""


def said(state: State) -> Message:
    """What a check found."""
    return Message(f"doctor-{state.check}-{state.code}", **_params(state))


def fix_of(state: State) -> Message | None:
    """What to do about it; None where nothing is wrong."""
    if state.status in (OK, NOT_APPLICABLE):
        return None
    return Message(f"doctor-{state.check}-{state.code}-fix", **_params(state))


def commands_of(state: State) -> Sequence[str]:
    """What a shell is told for the fix."""
    return _COMMANDS.get((state.check, state.code), ()) if fix_of(state) is not None else ()


def _params(state: State) -> dict[str, Any]:
    return {name: "none" if value == "" else value for name, value in state.facts.items()}
