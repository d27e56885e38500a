"""Whether torch.compile writes a log of what it does, and whether such logs lie where recordings go."""

from __future__ import annotations

import glob
import os

from stepscope.capture.doctor.state import NOT_APPLICABLE, OK, RECORD, Check, Finding, Wanted
from stepscope.capture.plan import COMPILE_LOGS
from stepscope.capture.system import System

_NAMES = "*torch_trace*.log"
CODES = {"recorded": OK, "set": OK, "off": NOT_APPLICABLE}


def _examine(system: System, wanted: Wanted) -> Finding:
    named = system.environment.get(COMPILE_LOGS)
    for folder in (named, wanted.folder):
        logs = system.glob(os.path.join(glob.escape(folder), _NAMES)) if folder else []
        if logs:
            return Finding("recorded", {"logs": len(logs), "folder": folder})
    return Finding("set", {"folder": named}) if named else Finding("off", {"folder": wanted.folder})


CHECK = Check("compile_log", _examine, CODES, (RECORD,))
