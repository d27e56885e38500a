"""Whether this process may read performance counters: what ncu and the GPU metrics of nsys need.

Where it may not, they say ERR_NVGPUCTRPERM. The driver's option is NVreg_RestrictProfilingToAdminUsers; what it was
loaded with stands in ``/proc/driver/nvidia/params``.
"""

from __future__ import annotations

import re

from stepscope.capture.doctor.machine import SYS_ADMIN, has_capability, is_container, is_kubernetes
from stepscope.capture.doctor.state import FAILED, NCU, NOT_APPLICABLE, NSYS, OK, Check, Finding, Wanted
from stepscope.capture.system import System

CODES = {
    "ok": OK,
    "ok-admin": OK,
    "not-applicable": NOT_APPLICABLE,
    "unknown": NOT_APPLICABLE,
    "restricted": FAILED,
    "restricted-container": FAILED,
    "restricted-kubernetes": FAILED,
}


def _examine(system: System, _: Wanted) -> Finding:
    params = system.read("/proc/driver/nvidia/params")
    if params is None:
        return Finding("not-applicable")
    found = re.search(r"^RmProfilingAdminOnly:\s*(\d+)", params, re.MULTILINE)
    if found is None:
        return Finding("unknown")
    if int(found[1]) == 0:
        return Finding("ok")
    if has_capability(system, SYS_ADMIN):
        return Finding("ok-admin")
    if is_kubernetes(system):
        return Finding("restricted-kubernetes")
    return Finding("restricted-container" if is_container(system) else "restricted")


CHECK = Check("counters", _examine, CODES, (NSYS, NCU), (NCU,))
