"""Tiny traces: events as a profiler writes them, with all times in whole nanoseconds from start to end.

Host events run on process 1, thread 1, GPU events on process 0, thread 7, unless told otherwise.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

import stepscope
from stepscope.api import OpenProfile

Event = dict[str, Any]
Events = Event | list[Any]

_numbers = itertools.count()


def timed(category: str, name: str, start: int, end: int, *, process: Any, thread: Any, **args: Any) -> Event:
    """An event with a duration, ``end`` excluded. Arguments with spaces in their names: ``**{"External id": 1}``."""
    return {
        "ph": "X",
        "cat": category,
        "name": name,
        "pid": process,
        "tid": thread,
        "ts": microseconds(start),
        "dur": microseconds(end - start),
        "args": args,
    }


def operator(name: str, start: int, end: int, *, thread: Any = 1, external_id: int | None = None, **args: Any) -> Event:
    """An operator on the host."""
    numbered = {} if external_id is None else {"External id": external_id}
    return timed("cpu_op", name, start, end, process=1, thread=thread, **numbered, **args)


def annotation(name: str, start: int, end: int, *, thread: Any = 1) -> Event:
    """A named range on the host, as of ``record_function``."""
    return timed("user_annotation", name, start, end, process=1, thread=thread)


def step(number: int, start: int, end: int) -> Event:
    """The host range of a step."""
    return annotation(f"ProfilerStep#{number}", start, end)


def call(start: int, end: int, correlation: int, *, name: str = "cudaLaunchKernel", thread: Any = 1) -> Event:
    """A runtime call; a kernel launch unless named otherwise."""
    return timed("cuda_runtime", name, start, end, process=1, thread=thread, correlation=correlation)


def kernel(name: str, start: int, end: int, correlation: int | None = None, *, stream: int = 7, **args: Any) -> Event:
    """A kernel."""
    return _on_gpu("kernel", name, start, end, correlation, stream, args)


def memcpy(
    start: int, end: int, correlation: int | None = None, *, name: str = "Memcpy HtoD (Pinned -> Device)", **args: Any
) -> Event:
    """A copy; from pinned memory to the device unless named otherwise."""
    return _on_gpu("gpu_memcpy", name, start, end, correlation, 7, args)


def memset(start: int, end: int, correlation: int | None = None) -> Event:
    """A fill of device memory."""
    return _on_gpu("gpu_memset", "Memset (Device)", start, end, correlation, 7, {})


def sync(name: str, start: int, end: int, correlation: int, *, stream: int = 7, **args: int) -> Event:
    """A CUDA sync event of a stream, as "Stream Sync"."""
    place = {"process": 0, "thread": stream, "device": 0, "stream": stream}
    return timed("cuda_sync", name, start, end, **place, correlation=correlation, **args)


def memory(at: int, change: int, total: int, number: int) -> Event:
    """The n-th change of the GPU's memory, at an address of its own; ``total`` is what is allocated after it."""
    args = {"Bytes": change, "Addr": number, "Device Type": 1, "Device Id": 0, "Ev Idx": number}
    args |= {"Total Allocated": total, "Total Reserved": 256}
    place = {"pid": 1, "tid": 1, "ts": microseconds(at), "s": "t"}
    return {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", **place, "args": args}


def _on_gpu(category: str, name: str, start: int, end: int, correlation: int | None, stream: int, args: Event) -> Event:
    linked = {} if correlation is None else {"correlation": correlation}
    return timed(category, name, start, end, process=0, thread=stream, device=0, stream=stream, **linked, **args)


def launched(activity: Event, at: int, *, thread: Any = 1) -> list[Event]:
    """An activity and, 2 ns long, the call of the same correlation that queued it."""
    return [call(at, at + 2, activity["args"]["correlation"], thread=thread), activity]


def arrow(number: int, source: Event, target: Event, category: str = "ac2g") -> list[Event]:
    """A flow from the start of one event to the start of another."""
    tail = {"ph": "s", "id": number, "cat": category, "name": category}
    head = {"ph": "f", "id": number, "cat": category, "name": category, "bp": "e"}
    return [part | {key: end[key] for key in ("pid", "tid", "ts")} for part, end in ((tail, source), (head, target))]


def microseconds(ns: int) -> Decimal:
    """Nanoseconds as a trace writes them."""
    return Decimal(ns) / 1000


def flat(events: Iterable[Events]) -> list[Event]:
    """Events, and lists of them in any depth, as one list."""
    return [event for one in events for event in (flat(one) if isinstance(one, list) else [one])]


def write(path: Path, *events: Events, **head: Any) -> Path:
    """Write a trace. ``head`` holds its other top-level members; decimals are written digit by digit."""
    document = head | {"traceEvents": flat(events)}
    text = json.dumps(document, default=lambda number: f"<{number:f}>")
    path.write_text(re.sub(r'"<([0-9.-]+)>"', r"\1", text))
    return path


def opened(folder: Path, *events: Events, **head: Any) -> OpenProfile:
    """Write a trace into a folder, under a name of its own, and open it."""
    return stepscope.open(str(write(folder / f"trace{next(_numbers)}.json", *events, **head)))


def rows(table: pl.DataFrame, *columns: str) -> list[Any]:
    """Some columns of a table as tuples; of one column as values."""
    if len(columns) == 1:
        return table[columns[0]].to_list()
    return table.select(columns).rows()


def check(profile: OpenProfile, name: str) -> tuple[str, str, str] | None:
    """Status, value and detail of a check of the table ``health``; None where it was not made."""
    found = profile.show("health").filter(pl.col("check") == name)
    return found.select("status", "value", "detail").row(0) if len(found) else None
