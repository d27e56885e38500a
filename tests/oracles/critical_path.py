"""What must hold for a critical path, checked stretch by stretch against the events of the file.

It knows nothing of how the path was found. The windows are worked out anew; each stretch is compared with the events
that lie at its place and time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from oracles import general as oracle

_LOADER = "enumerate(DataLoader)#"
_HOST = {"cpu_op": "operator", "Operator": "operator", "cuda_runtime": "runtime", "cuda_driver": "runtime"}
_HOST |= {"hip_runtime": "runtime", "Runtime": "runtime", "python_function": "python", "user_annotation": "other"}
_NEVER = -(10**30)

Row = dict[str, Any]


def violations(table: list[Row], events: oracle.Events, ranges: list[tuple[int, int, int]]) -> list[str]:
    """What is wrong with the rows of ``critical_path --by event``.

    Args:
        ranges: number, start and end of each step on the host.
    """
    windows = list(_windows(events, ranges))
    wrong = list(_coverage(table, windows))
    gpu = _GpuSide(events)
    host = _HostSide(events)
    for number, row in enumerate(table):
        if row["kind"] in ("operator", "runtime", "python", "data_loading", "other"):
            # Every host stretch has its own scan: some of them will do.
            if number % max(1, len(table) // 400) == 0:
                wrong.extend(host.problems(row))
        else:
            wrong.extend(gpu.problems(row))
    return wrong


def _windows(events: oracle.Events, ranges: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Step, begin and end on the path."""
    recorded = [int(c.args["correlation"]) for c in events.runtime if int(c.args.get("correlation") or 0) > 0]
    queued = []
    for activity in events.activity:
        launch = events.launches.get(activity.number)
        correlation = int(activity.args.get("correlation") or 0)
        before = launch is None and recorded and 0 < correlation < min(recorded)
        queued.append((launch.start if launch else _NEVER if before else activity.start, activity.end))
    floor = _NEVER
    for number, start, end in ranges:
        begin = max([start, floor, *(ended for at, ended in queued if at < start)])
        finish = max([end, begin, *(ended for at, ended in queued if start <= at < end)])
        floor = finish
        yield number, begin, finish


def _coverage(table: list[Row], windows: list[tuple[int, int, int]]) -> Iterator[str]:
    by_step: dict[int, list[Row]] = defaultdict(list)
    for row in table:
        by_step[row["step"]].append(row)
    for number, begin, end in windows:
        at = begin
        for row in by_step.pop(number, []):
            if row["start_ns"] != at:
                yield f"step {number}: a stretch begins at {row['start_ns']}, not {at}"
            at = row["start_ns"] + row["duration_ns"]
        if at != end:
            yield f"step {number} ends at {at}, not {end}"
    yield from (f"step {number} is none" for number in by_step)


class _GpuSide:
    """Stretches on the GPU and at its borders."""

    def __init__(self, events: oracle.Events) -> None:
        self.events = events
        self.by_start: dict[int, list[oracle.Timed]] = defaultdict(list)
        self.by_name: dict[str | None, list[oracle.Timed]] = defaultdict(list)
        for activity in events.activity:
            self.by_start[activity.start].append(activity)
            self.by_name[activity.name].append(activity)
        self.returns = {(call.name, call.end) for call in events.runtime}

    def problems(self, row: Row) -> Iterator[str]:
        start, end = row["start_ns"], row["start_ns"] + row["duration_ns"]
        if row["kind"] in ("compute", "communication", "memcpy", "memset"):
            around = [a for a in self.by_name[row["name"]] if a.start <= start and end <= a.end]
            if not any(self.events.layer(a) == row["kind"] for a in around):
                yield f"no {row['kind']} {row['name']} from {start} to {end}"
        elif row["kind"] == "launch_latency":
            launches = [self.events.launches.get(a.number) for a in self.by_start[end]]
            if not any(c and c.name == row["name"] and start >= min(c.end, end) for c in launches):
                yield f"nothing starts at {end} that {row['name']} launched by {start}"
        elif row["kind"] == "sync_return" and (row["name"], end) not in self.returns:
            yield f"no {row['name']} returns at {end}"
        elif row["kind"] == "gpu_gap" and not self.by_start[end]:
            yield f"no activity starts at {end}"


class _HostSide:
    """Stretches on threads."""

    def __init__(self, events: oracle.Events) -> None:
        self.by_thread: dict[str, list[oracle.Timed]] = defaultdict(list)
        for event in events.timed:
            name = event.name or ""
            if name.startswith(_LOADER) or (event.category in _HOST and not name.startswith("ProfilerStep#")):
                self.by_thread[event.place[1]].append(event)

    def problems(self, row: Row) -> Iterator[str]:
        start, end = row["start_ns"], row["start_ns"] + row["duration_ns"]
        mine = [e for e in self.by_thread[row["thread"]] if e.duration and e.start < end and e.end > start]
        if row["kind"] != "data_loading" and any(start < e.start < end for e in mine):
            yield f"something begins within {row['name']} from {start} to {end}"
        around = [e for e in mine if e.start <= start and end <= e.end]
        loading = [e for e in around if (e.name or "").startswith(_LOADER)]
        if loading or not around:
            wanted = {(loading[0].name if loading else "nothing recorded", "data_loading" if loading else "other")}
        else:
            last = max((e.start, -e.end) for e in around)
            wanted = {(e.name, _HOST[e.category]) for e in around if (e.start, -e.end) == last}
        if (row["name"], row["kind"]) not in wanted:
            yield f"{row['kind']} {row['name']} from {start} to {end}, not {wanted}"
