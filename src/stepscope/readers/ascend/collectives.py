"""``communication.json``: what each collective took, how much of it was a wait, and what its links moved.

A link class holds what lies in it: SDMA is the sum of HCCS, PCIE and SIO. Sizes are in MB of 10^6 bytes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.readers.ascend.tasks import operation

_TOTAL = "Total Op Info"
_TIMES = {
    "elapse_ns": "Elapse Time(ms)",
    "transit_ns": "Transit Time(ms)",
    "wait_ns": "Wait Time(ms)",
    "synchronization_ns": "Synchronization Time(ms)",
    "idle_ns": "Idle Time(ms)",
}
_MOST = float(1 << 60)

Read = tuple[pl.DataFrame, pl.DataFrame, int]
"""Collectives, their links (``collective`` is the row of the first frame), and how many entries are neither."""


def collectives(text: str) -> Read:
    """Columns of the stored tables ``npu_collective`` and ``npu_link``.

    Raises:
        ValueError: it is no JSON, or none of this kind.
    """
    steps = by_step(text)
    rows: list[dict[str, Any]] = []
    links: list[dict[str, Any]] = []
    odd = 0
    for step, p2p, name, entry in entries(steps):
        row = _row(step, p2p, name, entry)
        if row is None:
            odd += 1
            continue
        links.extend(_links(len(rows), entry.get("Communication Bandwidth Info")))
        rows.append(row)
    return pl.DataFrame(rows, _COLLECTIVE), pl.DataFrame(links, _LINK), odd


def by_step(text: str) -> dict[str, Any]:
    """What a file of this kind, or the matrix of communication, says of each step.

    Raises:
        ValueError: it is no JSON, or none of this kind.
    """
    try:
        steps = json.loads(text)
    except RecursionError as error:
        raise ValueError from error
    if not isinstance(steps, dict):
        raise ValueError
    return steps


def entries(steps: dict[str, Any]) -> Iterator[tuple[int | None, bool, str, Any]]:
    """Number of the step, whether it is a message, name and content of each entry that is no sum of all."""
    for step, kinds in steps.items():
        digits = step.removeprefix("step")
        known = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None
        for kind, named in (kinds if isinstance(kinds, dict) else {}).items():
            for name, entry in (named if isinstance(named, dict) else {}).items():
                if name != _TOTAL:
                    yield known, kind == "p2p", name, entry


def _row(step: int | None, p2p: bool, name: str, entry: Any) -> dict[str, Any] | None:
    times = entry.get("Communication Time Info") if isinstance(entry, dict) else None
    if not isinstance(times, dict):
        return None
    title, _, group = name.partition("@")
    found = {column: scaled(times.get(key), 1e6) for column, key in _TIMES.items()}
    if found["elapse_ns"] is None:
        return None
    start = scaled(times.get("Start Timestamp(us)"), 1e3)
    said = {"step": step, "p2p": p2p, "name": title, "operation": operation(title)[0], "group": group or None}
    return said | {"start_ns": start} | found


def _links(collective: int, classes: Any) -> Iterator[dict[str, Any]]:
    for transport, said in (classes if isinstance(classes, dict) else {}).items():
        if not isinstance(said, dict):
            continue
        size = scaled(said.get("Transit Size(MB)"), 1e6)
        if not size:
            continue
        packets = said.get("Size Distribution")
        counts = (
            [one[0] for one in packets.values() if isinstance(one, list) and one] if isinstance(packets, dict) else []
        )
        known = [count for count in counts if isinstance(count, int) and 0 <= count < 1 << 50]
        yield {
            "collective": collective,
            "transport": transport,
            "bytes": size,
            "transit_ns": scaled(said.get("Transit Time(ms)"), 1e6),
            "packets": sum(known) if known else None,
            "large_pct": number(said.get("Large Packet Ratio"), 100.0),
        }


def scaled(value: object, unit: float) -> int | None:
    """A number times a unit, whole; None where it is none, or none that can be."""
    found = number(value, unit)
    return None if found is None else round(found)


def number(value: object, unit: float) -> float | None:
    """A number times a unit; None where it is none, or none that can be."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value) * unit
    except OverflowError:
        return None
    return found if math.isfinite(found) and 0 <= found < _MOST * 2 else None


_COLLECTIVE = {
    "step": pl.Int64,
    "p2p": pl.Boolean,
    "name": pl.String,
    "operation": pl.String,
    "group": pl.String,
    "start_ns": pl.Int64,
    **dict.fromkeys(_TIMES, pl.Int64),
}
_LINK = {
    "collective": pl.Int64,
    "transport": pl.String,
    "bytes": pl.Int64,
    "transit_ns": pl.Int64,
    "packets": pl.Int64,
    "large_pct": pl.Float64,
}
