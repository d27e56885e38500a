"""Every table of a profile of one rank, compared with the oracle, value by value."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from oracles import general as oracle
from stepscope.api import OpenProfile
from stepscope.schema import UNATTRIBUTED

_HOST = ("calls", "host_total_ns", "host_self_ns", "device_total_ns", "device_self_ns")
_BY = {"shape": "Input Dims", "dtype": "Input type"}


def differences(profile: OpenProfile, events: oracle.Events) -> list[str]:
    """What the tables say and what the oracle says, where they differ."""
    pairs = [
        *_summary(profile, events),
        *_steps(profile, events),
        *_operators(profile, events, ""),
        *(pair for by in _BY for pair in _operators(profile, events, by)),
        *_kernels(profile, events),
        *_memcpy(profile, events),
    ]
    return [f"{place}: {got!r}, not {wanted!r}" for place, got, wanted in pairs if not _is_same(got, wanted)]


def _is_same(got: Any, wanted: Any) -> bool:
    if isinstance(got, float) and isinstance(wanted, (int, float)):
        return math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(got == wanted and type(got) is type(wanted))


def _summary(profile: OpenProfile, events: oracle.Events) -> Iterator[tuple[str, Any, Any]]:
    [row] = profile.show("summary").to_dicts()
    for column, wanted in oracle.summary(events).items():
        yield f"summary {column}", row[column], wanted


def _steps(profile: OpenProfile, events: oracle.Events) -> Iterator[tuple[str, Any, Any]]:
    """Where no ProfilerStep is in the trace, the oracle takes the ranges as found and checks the rest."""
    table = profile.show("steps").to_dicts()
    found = [(row["step"], row["start_ns"], row["start_ns"] + row["duration_ns"]) for row in table]
    ranges = oracle.profiler_steps(events) or found
    yield "steps", found, ranges
    for row, wanted in zip(table, oracle.steps(events, ranges), strict=False):
        for column, value in wanted.items():
            yield f"step {row['step']} {column}", row[column], value


def _operators(profile: OpenProfile, events: oracle.Events, by: str) -> Iterator[tuple[str, Any, Any]]:
    def key(operator: oracle.Timed) -> tuple[str | None, str | None]:
        return operator.name, _canonical(operator.args.get(_BY[by])) if by else None

    wanted, unattributed = oracle.operators(events, key)
    table = {(row["name"], _read(row.get(by))): row for row in profile.show("operators", by=by).to_dicts()}
    rest = table.pop((UNATTRIBUTED, None), dict.fromkeys(_HOST, 0))
    yield f"operators by {by!r}, unattributed", rest["device_self_ns"], unattributed
    yield f"operators by {by!r}", sorted(table, key=repr), sorted(wanted, key=repr)
    for name, row in table.items():
        yield f"operator {name}", {column: row[column] for column in _HOST}, wanted.get(name)


def _canonical(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


def _read(text: str | None) -> str | None:
    """Text of the table, JSON or bare, as `_canonical` writes the value."""
    if text is None:
        return None
    try:
        return json.dumps(json.loads(text))
    except ValueError:
        return json.dumps(text)


def _kernels(profile: OpenProfile, events: oracle.Events) -> Iterator[tuple[str, Any, Any]]:
    wanted = oracle.kernels(events)
    table = {row["name"]: row for row in profile.show("kernels").to_dicts()}
    yield "kernels", sorted(table, key=repr), sorted(wanted, key=repr)
    for name in table.keys() & wanted.keys():
        row, other = table[name], wanted[name]
        for column in (
            "calls",
            "total_ns",
            "mean_ns",
            "min_ns",
            "max_ns",
            "share_pct",
            "blocks_per_sm",
            "occupancy_pct",
        ):
            yield f"kernel {name} {column}", row[column], other[column]
        yield f"kernel {name} communicates", (row["kind"] == "communication") in other["communication"], True
        # Of operators or launches with equally much time any will do.
        grid, block = (None if row[column] is None else json.loads(row[column]) for column in ("grid", "block"))
        launch = tuple(str(value) for value in (grid, block, row["registers"], row["shared_bytes"]))
        for column, value in (("ops", row["op"]), ("launches", launch)):
            time = other[column]
            yield f"kernel {name} {column} {value}", time.get(value), max(time.values())


def _memcpy(profile: OpenProfile, events: oracle.Events) -> Iterator[tuple[str, Any, Any]]:
    wanted = oracle.memcpy(events)
    table = {(row["kind"], row["pinned"]): row for row in profile.show("memcpy").to_dicts()}
    yield "memcpy", sorted(table), sorted(wanted)
    for kind in table.keys() & wanted.keys():
        row, other = table[kind], wanted[kind]
        for column in ("calls", "bytes", "total_ns"):
            yield f"memcpy {kind} {column}", row[column], other[column]
        known = other["bytes"] is not None and other["sized_ns"] > 0
        bandwidth = other["bytes"] / other["sized_ns"] if known else None
        yield f"memcpy {kind} bandwidth", row["bandwidth"], bandwidth
