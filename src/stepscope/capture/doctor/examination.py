"""All checks, and which of what they found keeps what is asked for from working."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stepscope.capture.doctor import compile_log, counters, disk, driver, gpu_use, kernel_rights, nvtx, pytorch, tools
from stepscope.capture.doctor.state import FAILED, RECORD, WARNING, Check, State, Wanted
from stepscope.capture.system import System

CHECKS: Sequence[Check] = (
    driver.CHECK,
    pytorch.TORCH,
    pytorch.CUPTI,
    compile_log.CHECK,
    tools.SYSTEMS,
    nvtx.CHECK,
    tools.COMPUTE,
    counters.CHECK,
    gpu_use.DCGM,
    gpu_use.CLOCKS,
    kernel_rights.PERF,
    kernel_rights.PTRACE,
    kernel_rights.CONTAINER,
    disk.CHECK,
)


def state_of(check: Check, system: System, wanted: Wanted) -> State:
    """What one check finds, as if it were asked for."""
    found = check.examine(system, wanted)
    return State(check.name, found.code, check.codes[found.code], found.facts)


def examine(system: System, wanted: Wanted, purposes: Sequence[str] = ()) -> Iterator[State]:
    """What each check finds.

    Args:
        purposes: what is asked for: their checks, and what fails one of them has failed. Without any, all checks, and
            what fails is a warning unless ``record`` does not work.
    """
    for check in CHECKS:
        if purposes and not set(purposes) & set(check.purposes):
            continue
        state = state_of(check, system, wanted)
        if state.status == FAILED and not set(purposes or (RECORD,)) & set(check.blocks):
            state = replace(state, status=WARNING)
        yield state
