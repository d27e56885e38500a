"""Time under named ranges, range by range and activity by activity, straight from the events."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from oracles import general as oracle

_ENGINE = "autograd::engine::evaluate_function"


def differences(table: list[dict[str, Any]], events: oracle.Events, main: str) -> list[str]:
    """Rows of ``annotations`` compared with a computation of its own; ``backward_ns`` and ``kind`` are left out.

    Args:
        main: name of the thread that waits for the autograd engine.
    """
    wanted = _rows(events, main)
    found = {row["name"]: row for row in table}
    wrong = [f"only one of both has {name}" for name in found.keys() ^ wanted.keys()]
    for name in found.keys() & wanted.keys():
        for column, value in wanted[name].items():
            if found[name][column] != value:
                wrong.append(f"{name} {column}: {found[name][column]}, not {value}")
    return wrong


def _name(event: oracle.Timed) -> str | None:
    return re.sub(r"^(ProfilerStep#)\d+$", r"\1*", event.name) if event.name else event.name


def _rows(events: oracle.Events, main: str) -> dict[Any, dict[str, int]]:
    ranges = [event for event in events.timed if event.category == "user_annotation"]
    host = oracle.walk(ranges, key=_name)
    rows: dict[Any, dict[str, int]] = {}
    columns = ("calls", "host_total_ns", "host_self_ns", "device_total_ns", "device_self_ns", "engine_ns", "kernels")
    for event in ranges:
        row = rows.setdefault(_name(event), dict.fromkeys([*columns, "device_busy_ns"], 0))
        row["calls"] += 1
        row["host_self_ns"] += host.self_ns.get(event.number, 0)
    for name, total in host.total_ns.items():
        rows[name]["host_total_ns"] += total
    engine = {event.place[1] for event in events.operators if (event.name or "").startswith(_ENGINE)} - {main}
    busy: dict[Any, list[tuple[str, int, int]]] = defaultdict(list)
    for activity in events.activity:
        launch = events.launches.get(activity.number)
        own = _open(ranges, launch.place[1], launch.start) if launch else []
        waiting = _open(ranges, main, launch.start) if launch and launch.place[1] in engine else []
        is_kernel = events.layer(activity) in ("compute", "communication")
        inside = {_name(event) for event in own}
        for name in inside | {_name(event) for event in waiting}:
            row = rows[name]
            row["device_total_ns"] += activity.duration
            row["engine_ns"] += 0 if name in inside else activity.duration
            row["kernels"] += is_kernel
            busy[name].append(("x", activity.start, activity.end))
        if own or waiting:
            innermost = max(own or waiting, key=lambda event: event.depth_key)
            rows[_name(innermost)]["device_self_ns"] += activity.duration
        else:
            rest = rows.setdefault("(unattributed)", dict.fromkeys([*columns, "device_busy_ns"], 0))
            rest["device_total_ns"] += activity.duration
            rest["device_self_ns"] += activity.duration
            rest["kernels"] += is_kernel
    for name, intervals in busy.items():
        first, last = min(i[1] for i in intervals), max(i[2] for i in intervals)
        covered = oracle.layered(intervals, first, last)
        rows[name]["device_busy_ns"] = sum(length for layers, length in covered.items() if layers)
    return rows


def _open(ranges: list[oracle.Timed], thread: str, at: int) -> list[oracle.Timed]:
    return [event for event in ranges if event.place[1] == thread and event.start <= at < event.end]
