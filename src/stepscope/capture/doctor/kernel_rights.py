"""What the Linux kernel and the container allow: samples of the CPU, looking into other processes."""

from __future__ import annotations

from stepscope.capture.doctor.machine import (
    PERFMON,
    SYS_ADMIN,
    SYS_PTRACE,
    has_capability,
    is_container,
    is_filtered,
)
from stepscope.capture.doctor.state import (
    ATTACH,
    FAILED,
    NCU,
    NOT_APPLICABLE,
    NSYS,
    OK,
    WARNING,
    Check,
    Finding,
    Wanted,
)
from stepscope.capture.system import System

_TREE, _SYSTEM = 2, 0
"""Values of perf_event_paranoid up to which a process may sample its own tree, and the whole machine."""
PERF_CODES = {"ok": OK, "ok-tree": OK, "not-applicable": NOT_APPLICABLE, "paranoid": WARNING, "filtered": WARNING}
PTRACE_CODES = {"ok": OK, "children-only": FAILED, "admin-only": FAILED, "never": FAILED}
CONTAINER_CODES = {"ok": OK, "not-applicable": NOT_APPLICABLE, "lacking": WARNING}


def _number(system: System, path: str) -> int | None:
    text = (system.read(path) or "").strip()
    return int(text) if text.lstrip("-").isdecimal() else None


def _examine_perf(system: System, _: Wanted) -> Finding:
    level = _number(system, "/proc/sys/kernel/perf_event_paranoid")
    if level is None:
        return Finding("not-applicable")
    if has_capability(system, PERFMON) or has_capability(system, SYS_ADMIN):
        return Finding("ok", {"level": str(level)})
    if level > _TREE:
        return Finding("paranoid", {"level": str(level)})
    if is_filtered(system) and is_container(system):
        return Finding("filtered", {"level": str(level)})
    return Finding("ok" if level <= _SYSTEM else "ok-tree", {"level": str(level)})


def _examine_ptrace(system: System, _: Wanted) -> Finding:
    scope = _number(system, "/proc/sys/kernel/yama/ptrace_scope") or 0
    facts = {"scope": str(scope)}
    if scope == 0 or (scope < 3 and has_capability(system, SYS_PTRACE)):
        return Finding("ok", facts)
    return Finding({1: "children-only", 2: "admin-only"}.get(scope, "never"), facts)


def _examine_container(system: System, _: Wanted) -> Finding:
    if not is_container(system):
        return Finding("not-applicable")
    wanted = {"SYS_ADMIN": SYS_ADMIN, "SYS_PTRACE": SYS_PTRACE}
    lacking = [name for name, bit in wanted.items() if not has_capability(system, bit)]
    if not lacking:
        return Finding("ok")
    return Finding("lacking", {"names": lacking, "options": " ".join(f"--cap-add {name}" for name in lacking)})


PERF = Check("perf_events", _examine_perf, PERF_CODES, (NSYS,))
PTRACE = Check("ptrace", _examine_ptrace, PTRACE_CODES, (ATTACH,), (ATTACH,))
CONTAINER = Check("container", _examine_container, CONTAINER_CODES, (NSYS, NCU, ATTACH))
