"""PyTorch in the interpreter of the job, and whether its profiler sees what the GPU does (CUPTI)."""

from __future__ import annotations

import json
from typing import Any

from stepscope.capture.doctor.machine import has_driver, last_line
from stepscope.capture.doctor.state import (
    FAILED,
    NCU,
    NOT_APPLICABLE,
    NSYS,
    OK,
    RECORD,
    WARNING,
    Check,
    Finding,
    Wanted,
)
from stepscope.capture.system import System

_PATIENCE_S = 180.0
_BEGIN = "stepscope-torch "
_IMPORT = """
import json, sys
said = {"python": ".".join(map(str, sys.version_info[:3]))}
try:
    import torch
    said["torch"] = torch.__version__
    said["cuda"] = torch.version.cuda
    said["hip"] = getattr(torch.version, "hip", None)
    said["gpus"] = torch.cuda.device_count() if torch.cuda.is_available() else 0
except Exception as error:
    said["error"] = "%s: %s" % (type(error).__name__, error)
"""
_PROFILE = """
if said.get("gpus"):
    try:
        from torch.profiler import ProfilerActivity, profile
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as p:
            torch.ones(1000, device="cuda").add_(1).sum().item()
            torch.cuda.synchronize()
        cuda = torch.autograd.DeviceType.CUDA
        said["activities"] = sum(event.device_type() == cuda for event in p.profiler.kineto_results.events())
    except Exception as error:
        said["profiler"] = "%s: %s" % (type(error).__name__, error)
"""
_SAY = f"print({_BEGIN!r} + json.dumps(said))"

TORCH_CODES = {
    "ok": OK,
    "cpu": OK,
    "absent": FAILED,
    "no-python": FAILED,
    "not-imported": FAILED,
    "cpu-build": WARNING,
    "sees-no-gpu": FAILED,
}
CUPTI_CODES = {
    "ok": OK,
    "not-applicable": NOT_APPLICABLE,
    "no-activity": FAILED,
    "no-permission": FAILED,
    "error": FAILED,
}


def interpreter(system: System, wanted: Wanted) -> str | None:
    """The one that the job would run with."""
    return wanted.python or next((name for name in ("python", "python3") if system.which(name)), None)


def _asked(system: System, wanted: Wanted, program: str) -> tuple[dict[str, Any] | None, str]:
    """What the interpreter says, and what it wrote to stderr."""
    python = interpreter(system, wanted)
    answer = system.ask([python, "-c", program], _PATIENCE_S) if python is not None else None
    if answer is None:
        return None, ""
    lines = [line for line in answer.out.splitlines() if line.startswith(_BEGIN)]
    return (json.loads(lines[-1][len(_BEGIN) :]) if lines else None), answer.err


def _examine_torch(system: System, wanted: Wanted) -> Finding:
    said, err = _asked(system, wanted, _IMPORT + _SAY)
    facts = {"python": interpreter(system, wanted) or "python"}
    if said is None:
        return Finding("no-python", {**facts, "reason": last_line(err)})
    if "torch" not in said:
        error = str(said.get("error", ""))
        missing = error.startswith("ModuleNotFoundError: No module named 'torch'")
        return Finding("absent", facts) if missing else Finding("not-imported", {**facts, "reason": error})
    facts["version"] = str(said["torch"])
    built = said.get("cuda") or said.get("hip")
    if said["gpus"]:
        return Finding("ok", {**facts, "gpus": said["gpus"]})
    if not has_driver(system):
        return Finding("cpu", facts)
    return Finding("sees-no-gpu" if built else "cpu-build", facts)


def _examine_cupti(system: System, wanted: Wanted) -> Finding:
    said, err = _asked(system, wanted, _IMPORT + _PROFILE + _SAY) if has_driver(system) else (None, "")
    if said is None or not said.get("gpus"):
        return Finding("not-applicable")
    if said.get("activities"):
        return Finding("ok", {"activities": said["activities"]})
    if "INSUFFICIENT_PRIVILEGES" in err:
        return Finding("no-permission")
    return Finding("error", {"reason": said["profiler"]}) if "profiler" in said else Finding("no-activity")


TORCH = Check("torch", _examine_torch, TORCH_CODES, (RECORD, NSYS, NCU), (RECORD,))
CUPTI = Check("cupti", _examine_cupti, CUPTI_CODES, (RECORD,), (RECORD,))
