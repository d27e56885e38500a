"""What else uses the GPU's counters, and at which clocks it runs."""

from __future__ import annotations

import re

from stepscope.capture.doctor.machine import has_driver
from stepscope.capture.doctor.state import NCU, NOT_APPLICABLE, NSYS, OK, RECORD, WARNING, Check, Finding, Wanted
from stepscope.capture.system import System

_DCGM = ("nv-hostengine", "dcgm-exporter")
DCGM_CODES = {"ok": OK, "not-applicable": NOT_APPLICABLE, "running": WARNING}
CLOCK_CODES = {
    "ok": OK,
    "locked": OK,
    "not-applicable": NOT_APPLICABLE,
    "unknown": NOT_APPLICABLE,
    "hot": WARNING,
    "slowed": WARNING,
    "power-capped": WARNING,
}
_REASONS = ("clocks_event_reasons.active", "clocks_throttle_reasons.active")
"""The newer and the older name of the same field."""
_LOCKED, _POWER_CAP, _HARDWARE, _THERMAL = 0x2, 0x4, 0x88, 0x60
"""Bits of nvmlClocksEventReasons: application clocks, software power cap, slowdown or power brake by hardware, heat."""


def _examine_dcgm(system: System, _: Wanted) -> Finding:
    if not has_driver(system):
        return Finding("not-applicable")
    names = {(system.read(path) or "").strip() for path in system.glob("/proc/[0-9]*/comm")}
    running = [name for name in _DCGM if name in names]
    return Finding("running", {"names": running}) if running else Finding("ok")


def _examine_clocks(system: System, _: Wanted) -> Finding:
    if system.which("nvidia-smi") is None:
        return Finding("not-applicable")
    masks = next((found for found in (_masks(system, field) for field in _REASONS) if found), {})
    if not masks:
        return Finding("unknown")
    for code, bits in (("hot", _THERMAL), ("slowed", _HARDWARE), ("power-capped", _POWER_CAP), ("locked", _LOCKED)):
        gpus = [gpu for gpu, mask in masks.items() if mask & bits]
        if gpus:
            return Finding(code, {"gpus": gpus})
    return Finding("ok")


def _masks(system: System, field: str) -> dict[str, int]:
    """Why each GPU does not run at its highest clocks."""
    answer = system.ask(["nvidia-smi", f"--query-gpu=index,{field}", "--format=csv,noheader"])
    rows = re.findall(r"^(\d+), (0x[0-9a-fA-F]+)", answer.out, re.MULTILINE) if answer and not answer.code else []
    return {gpu: int(mask, 16) for gpu, mask in rows}


DCGM = Check("dcgm", _examine_dcgm, DCGM_CODES, (NSYS, NCU))
CLOCKS = Check("clocks", _examine_clocks, CLOCK_CODES, (RECORD, NSYS, NCU))
