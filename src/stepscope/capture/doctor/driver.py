"""The NVIDIA driver and the GPUs that it has."""

from __future__ import annotations

import re

from stepscope.capture.doctor.machine import has_driver, last_line
from stepscope.capture.doctor.state import FAILED, NCU, OK, PURPOSES, WARNING, Check, Finding, Wanted
from stepscope.capture.system import System

_VERSION = re.compile(r"Kernel Module(?: for \S+)?\s+(\d+(?:\.\d+)+)")
_QUERY = ("nvidia-smi", "--query-gpu=driver_version,name", "--format=csv,noheader")
CODES = {"ok": OK, "absent": FAILED, "no-smi": WARNING, "smi-failed": FAILED, "no-gpu": FAILED}


def _examine(system: System, _: Wanted) -> Finding:
    if not has_driver(system):
        return Finding("absent")
    module = _VERSION.search(system.read("/proc/driver/nvidia/version") or "")
    version = module[1] if module else ""
    if system.which("nvidia-smi") is None:
        return Finding("no-smi", {"version": version})
    answer = system.ask(_QUERY)
    if answer is None or answer.code:
        reason = last_line(answer.out + answer.err) if answer is not None else "nvidia-smi does not end"
        return Finding("smi-failed", {"reason": reason})
    rows = [line.split(", ", 1) for line in answer.out.splitlines() if ", " in line]
    if not rows:
        return Finding("no-gpu", {"version": version})
    return Finding("ok", {"version": rows[0][0], "gpus": len(rows), "name": rows[0][1].strip()})


CHECK = Check("driver", _examine, CODES, PURPOSES, (NCU,))
