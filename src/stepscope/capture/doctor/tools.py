"""Nsight Systems and Nsight Compute: whether they are there and new enough."""

from __future__ import annotations

from collections.abc import Callable

from stepscope.capture.doctor.state import FAILED, OK, WARNING, Check, Finding, Wanted
from stepscope.capture.nsight.tool import NCU, NSYS, OLDEST, Broken, find
from stepscope.capture.system import System

CODES = {"ok": OK, "off-path": OK, "absent": FAILED, "broken": FAILED, "old": WARNING}


def _examiner(name: str) -> Callable[[System, Wanted], Finding]:
    def examine(system: System, wanted: Wanted) -> Finding:
        found = find(name, system, wanted.nsys if name == NSYS else wanted.ncu)
        oldest = ".".join(map(str, OLDEST[name]))
        if found is None:
            return Finding("absent", {"oldest": oldest})
        if isinstance(found, Broken):
            return Finding("broken", {"path": found.path})
        facts = {"version": found.version_text, "path": found.path}
        if found.is_too_old:
            return Finding("old", {**facts, "oldest": oldest})
        return Finding("ok" if found.path == name else "off-path", facts)

    return examine


SYSTEMS = Check("nsys", _examiner(NSYS), CODES, (NSYS,), (NSYS,))
COMPUTE = Check("ncu", _examiner(NCU), CODES, (NCU,), (NCU,))
