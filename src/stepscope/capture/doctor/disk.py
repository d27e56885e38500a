"""Room for recordings, and in the temporary folder, where nsys writes before it makes a report."""

from __future__ import annotations

from stepscope.capture.doctor.state import FAILED, OK, PURPOSES, WARNING, Check, Finding, Wanted
from stepscope.capture.system import System

_LEAST, _ENOUGH = 1 << 30, 10 << 30
CODES = {"ok": OK, "unknown": WARNING, "little": WARNING, "full": FAILED}


def _examine(system: System, wanted: Wanted) -> Finding:
    places = {wanted.folder: system.free_bytes(wanted.folder)}
    temporary = system.environment.get("TMPDIR") or "/tmp"
    places[temporary] = system.free_bytes(temporary)
    known = {place: free for place, free in places.items() if free is not None}
    if not known:
        return Finding("unknown", {"folder": wanted.folder})
    folder, free = min(known.items(), key=lambda one: one[1])
    code = "full" if free < _LEAST else "little" if free < _ENOUGH else "ok"
    return Finding(code, {"folder": folder, "free_bytes": free})


CHECK = Check("disk", _examine, CODES, PURPOSES, PURPOSES)
