"""The Python frames behind an event, and the module it works for."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.host.annotated_modules import annotated_modules
from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.analyses.host.module_calls import module_calls
from stepscope.analyses.host.source import frames
from stepscope.numeric.nested import NOBODY
from stepscope.store.autograd import backward_pass
from stepscope.store.profile import Rank
from stepscope.timeline.event_search import Event
from stepscope.timeline.related_events import Links
from stepscope.timeline.stored_rows import stored_row

_FRAME = re.compile(r"^(.*)\((\d+)\): (.*)$", re.DOTALL)
_HOST = ("operator", "runtime", "annotation", "python", "other")
_MOST_FRAMES = 200

Frame = dict[str, Any]


def frame_of(name: str) -> Frame:
    """Function, file and line of a frame's name; the name alone where it does not say.

    >>> frame_of("model.py(20): forward")
    {'function': 'forward', 'file': 'model.py', 'line': 20}
    >>> frame_of("<built-in function len>")
    {'function': '<built-in function len>', 'file': None, 'line': None}
    """
    match = _FRAME.match(name)
    if match is None:
        return {"function": name, "file": None, "line": None}
    return {"function": match.group(3), "file": match.group(1), "line": int(match.group(2))}


def stack_of(event: Event, found: Links) -> list[Frame]:
    """Python frames that were open where an event began or was launched, innermost first; of a sample its functions,
    of a collective in a dump its recorded stack.

    Of the backward pass those of its forward operator. Where an operator carries its call stack, it is that one.
    """
    rank = event.rank
    table, row = event.source
    if table == "cpu_sample":
        return _sampled(rank, row)
    if table == "collective_record":
        lines = stored_row(rank, table, row)["stack"] or ""
        return [frame_of(line) for line in lines.splitlines()]
    recorded = _recorded(rank, found.operator) if found.operator >= 0 else []
    if recorded or rank.trace.rows("python") == 0:
        return recorded
    if table == "activity":
        if found.launch < 0:
            return []
        table, row = "runtime", found.launch
    if table not in _HOST:
        return []
    if found.operator >= 0:
        forward = int(backward_pass(rank).origin[found.operator])
        if forward >= 0:
            table, row = "operator", forward
    return _open_frames(rank, table, row)


def _sampled(rank: Rank, row: int) -> list[Frame]:
    """The functions of a sample, the one that ran first, each with the file that its code lies in."""
    stack = rank.trace.frame("cpu_sample", ["stack"])["stack"][row]
    if stack is None or rank.trace.rows("sample_frame") == 0:
        return []
    frames = pl.scan_parquet(rank.trace.files("sample_frame")).filter(pl.col("stack") == stack)
    found = frames.select("depth", "name", "module").collect().sort("depth", "name").head(_MOST_FRAMES)
    texts = (rank.trace.text(found[column]).to_list() for column in ("name", "module"))
    return [{"function": name or "", "file": module, "line": None} for name, module in zip(*texts, strict=True)]


def _recorded(rank: Rank, operator: int) -> list[Frame]:
    """The call stack that an operator carries as an argument."""
    code = rank.trace.frame("operator", ["call_stack"])["call_stack"][operator]
    text = rank.trace.texts[code] if code is not None else ""
    return [frame_of(part.strip()) for part in text.split(";") if part.strip()]


def _open_frames(rank: Rank, table: str, row: int) -> list[Frame]:
    place = rank.trace.frame(table, ["process", "thread", "start_ns"])[row].rename({"start_ns": "at"})
    inner = int(innermost_rows(rank, "python", place)[0])
    known = frames(rank)
    at = place["at"][0]
    rows: list[int] = []
    while inner != NOBODY and len(rows) < _MOST_FRAMES:
        # A frame that ended before the moment only seems to be around it.
        if known.end[inner] > at and not (table == "python" and inner == row):
            rows.append(inner)
        inner = int(known.caller[inner])
    names = rank.trace.frame("python", ["name"])["name"].gather(pl.Series(rows, dtype=pl.UInt32))
    return [frame_of(name or "") for name in rank.trace.text(names).to_list()]


def module_of(event: Event, found: Links) -> str | None:
    """Path of the module whose call an event works for."""
    rank = event.rank
    named = _annotated(rank, *event.source)
    if named is not None:
        return named
    if found.operator < 0 or not _has_modules(rank):
        return None
    calls = module_calls(rank)
    if calls is None:
        return None
    call = int(calls.operators.call[found.operator])
    return str(calls.modules["path"][int(calls.module[call])]) if call >= 0 else None


def _annotated(rank: Rank, table: str, row: int) -> str | None:
    """Path of the module that a kernel's annotation names."""
    named = annotated_modules(rank) if table == "activity" else None
    if named is None or named.place.call[row] < 0:
        return None
    return str(named.calls.modules["path"][int(named.place.call[row])])


def _has_modules(rank: Rank) -> bool:
    if rank.trace.rows("python"):
        return True
    return bool(np.any(rank.trace.frame("operator", ["module_hierarchy"])["module_hierarchy"].is_not_null().to_numpy()))
