"""Sequences, repeated runs and candidates for fusion, worked out one by one."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from oracles import general as oracle

_Key = tuple[str | None, tuple[str | None, ...]]


def by_operator(events: oracle.Events) -> dict[_Key, dict[str, int]]:
    """Count, GPU time, gaps and host time by (outermost operator, names of its kernels in order of launch)."""
    calls: dict[int, list[oracle.Timed]] = defaultdict(list)
    operators = {event.number: event for event in events.operators}
    for activity in events.activity:
        around = events.around(activity)
        if around and events.layer(activity) in ("compute", "communication"):
            calls[around[-1].number].append(activity)
    rows: dict[_Key, dict[str, int]] = {}
    for number, kernels in calls.items():
        ordered = sorted(kernels, key=lambda event: (events.launches[event.number].start, event.start, event.end))
        if len(ordered) < 2:
            continue
        first, last = min(e.start for e in kernels), max(e.end for e in kernels)
        busy = oracle.layered([("x", e.start, e.end) for e in kernels], first, last)
        key = (operators[number].name, tuple(event.name for event in ordered))
        row = rows.setdefault(key, dict.fromkeys(("count", "total_ns", "gap_ns", "host_ns"), 0))
        row["count"] += 1
        row["total_ns"] += sum(event.duration for event in kernels)
        row["gap_ns"] += sum(length for layers, length in busy.items() if not layers)
        row["host_ns"] += operators[number].duration
    return rows


def repeated(codes: Sequence[int], parts: Sequence[int], longest: int) -> dict[tuple[int, ...], list[int]]:
    """First places of the occurrences of each run of 2 to ``longest`` codes that occurs twice or more."""
    found: dict[tuple[int, ...], list[int]] = {}
    for length in range(1, longest + 1):
        for at in range(len(codes) - length + 1):
            run = tuple(codes[at : at + length])
            if run in found or len(set(parts[at : at + length])) > 1:
                continue
            places: list[int] = []
            for other in range(at, len(codes) - length + 1):
                same = tuple(codes[other : other + length]) == run and len(set(parts[other : other + length])) == 1
                if same and (not places or other >= places[-1] + length):
                    places.append(other)
            if len(places) > 1:
                found[run] = places
    # A run in which something occurs once only cannot occur twice, whatever it is cut from.
    longer: dict[tuple[int, ...], int] = {}
    for run, places in found.items():
        for inner in (run[1:], run[:-1]):
            longer[inner] = max(longer.get(inner, 0), len(places))
    return {run: places for run, places in found.items() if len(run) > 1 and longer.get(run, 0) < len(places)}


def fusible_runs(events: oracle.Events, kinds: dict[str | None, str], least: int) -> dict[Any, dict[str, int]]:
    """Count, GPU time, gaps and saving by names of the kernels.

    Args:
        kinds: what each kernel does, by its name.
    """
    streams: dict[Any, list[oracle.Timed]] = defaultdict(list)
    for activity in events.activity:
        streams[activity.args.get("device"), activity.args.get("stream")].append(activity)
    owners: dict[Any, int] = defaultdict(int)
    for launch in events.launches.values():
        owners[launch.number] += 1

    def copies(event: oracle.Timed) -> bool:
        """An elementwise kernel whose template names a copy."""
        before, cut, after = (event.name or "").partition("elementwise_kernel")
        for word in ("templated_", "unrolled_", "vectorized_"):
            before = before.removesuffix(word)
        rest, _, template = after.partition("<")
        plain = bool(cut) and before[-1:] in ("", " ", ":") and rest.replace("_", "").isalnum() | (rest == "")
        return kinds.get(event.name) == "copy" and plain and "copy" in template

    def fits(event: oracle.Timed) -> bool:
        launch = events.launches.get(event.number)
        name = event.name or ""
        return (
            events.layer(event) == "compute"
            and (kinds.get(event.name) in ("elementwise", "norm", "reduce") or copies(event))
            and not name.startswith("triton_")
            and "multi_tensor_apply" not in name
            and launch is not None
            and owners[launch.number] == 1
        )

    rows: dict[Any, dict[str, int]] = {}
    for members in streams.values():
        run: list[oracle.Timed] = []
        for event in [*sorted(members, key=lambda event: event.order), None]:
            if event is not None and fits(event):
                run.append(event)
                continue
            if len(run) >= least and not all(copies(member) for member in run):
                _add(rows, run, [kinds.get(member.name) in ("norm", "reduce") for member in run])
            run = []
    return rows


def _add(rows: dict[Any, dict[str, int]], run: list[oracle.Timed], passes: list[bool]) -> None:
    times: dict[str | None, int] = defaultdict(int)
    for event in run:
        times[event.name] += event.duration
    zeros = dict.fromkeys(("count", "total_ns", "gap_ns", "saving_ns"), 0)
    row = rows.setdefault(tuple(event.name for event in run), zeros)
    row["count"] += 1
    row["total_ns"] += sum(times.values())
    needed = sum(event.duration for event, own in zip(run, passes, strict=True) if own)
    row["saving_ns"] += sum(times.values()) - max(needed, *times.values())
    row["gap_ns"] += sum(max(0, b.start - a.end) for a, b in itertools.pairwise(run))
