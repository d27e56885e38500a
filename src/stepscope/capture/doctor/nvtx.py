"""Ranges of NVTX, recorded with the nsys that is here and read back: the only check that can be trusted.

``nvtx`` from 0.2.12 on loses all ranges under nsys 2022.4 and 2023.4, while ``nvtx.enabled()`` is true.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from contextlib import closing

from stepscope.capture.doctor.machine import last_line
from stepscope.capture.doctor.pytorch import interpreter
from stepscope.capture.doctor.state import FAILED, NOT_APPLICABLE, NSYS, OK, WARNING, Check, Finding, Wanted
from stepscope.capture.nsight.nsys import NsysPlan, Whole, export, profile
from stepscope.capture.nsight.reports import left_in
from stepscope.capture.nsight.tool import Tool, find
from stepscope.capture.system import System

_PATIENCE_S = 180.0
_BEGIN = "stepscope-nvtx "
_RANGES = 3
_PROGRAM = f"""
import json
said = {{}}
try:
    import torch
    for number in range({_RANGES}):
        torch.cuda.nvtx.range_push("stepscope-torch-%d" % number)
        torch.cuda.nvtx.range_pop()
    said["torch"] = torch.__version__
except Exception:
    pass
try:
    import nvtx
    for number in range({_RANGES}):
        nvtx.push_range("stepscope-nvtx-%d" % number)
        nvtx.pop_range()
    said["nvtx"] = getattr(nvtx, "__version__", "")
except Exception:
    pass
print({_BEGIN!r} + json.dumps(said))
"""
_COUNT = """
    SELECT COUNT(*) FROM NVTX_EVENTS LEFT JOIN StringIds ON StringIds.id = NVTX_EVENTS.textId
    WHERE COALESCE(text, value) LIKE ?
"""
CODES = {
    "ok": OK,
    "not-applicable": NOT_APPLICABLE,
    "no-library": NOT_APPLICABLE,
    "no-report": FAILED,
    "no-importer": FAILED,
    "no-export": FAILED,
    "lost": WARNING,
}


def _examine(system: System, wanted: Wanted) -> Finding:
    tool, python = find(NSYS, system, wanted.nsys), interpreter(system, wanted)
    if not isinstance(tool, Tool) or python is None:
        return Finding("not-applicable")
    with tempfile.TemporaryDirectory(prefix="stepscope-") as folder:
        return _recorded(system, tool, python, folder)


def _recorded(system: System, tool: Tool, python: str, folder: str) -> Finding:
    plan = NsysPlan(folder, Whole(), ("nvtx",))
    answer = system.ask(profile(tool, plan, [python, "-c", _PROGRAM]).argv, _PATIENCE_S)
    said = _said(answer.out) if answer is not None else None
    left = left_in(folder, frozenset())
    if left.raw:
        return Finding("no-importer")
    if said is not None and not said:
        return Finding("no-library")
    if answer is None or said is None or not left.reports:
        return Finding("no-report", {"reason": last_line(answer.out + answer.err) if answer is not None else ""})
    database = os.path.join(folder, "back.sqlite")
    back = system.ask(export(tool, left.reports[0], database), _PATIENCE_S)
    counts = _counted(database, said)
    if counts is None:
        return Finding("no-export", {"reason": last_line(back.out + back.err) if back is not None else ""})
    lost = [f"{name} {said[name]}".strip() for name, count in counts.items() if count < _RANGES]
    if lost:
        return Finding("lost", {"names": lost, "version": tool.version_text})
    return Finding("ok", {"names": [f"{name} {version}".strip() for name, version in said.items()]})


def _said(text: str) -> dict[str, str] | None:
    lines = [line for line in text.splitlines() if line.startswith(_BEGIN)]
    return json.loads(lines[-1][len(_BEGIN) :]) if lines else None


def _counted(database: str, said: dict[str, str]) -> dict[str, int] | None:
    """How many ranges of each library were read back; None where the database cannot be read."""
    if not os.path.exists(database):
        return None
    try:
        with closing(sqlite3.connect(database)) as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            if "NVTX_EVENTS" not in tables:
                return dict.fromkeys(said, 0)
            return {name: int(connection.execute(_COUNT, (f"stepscope-{name}-%",)).fetchone()[0]) for name in said}
    except sqlite3.Error:
        return None


CHECK = Check("nvtx", _examine, CODES, (NSYS,), (NSYS,))
