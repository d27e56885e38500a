"""Waits for the data loader once more, straight from the events: which fetch waits, and what the GPU does meanwhile."""

from __future__ import annotations

from typing import Any

from oracles import general as oracle

_CALLS = {"cuda_runtime", "cuda_driver", "Runtime", "hip_runtime", "hip_driver"}


def length_of(intervals: list[tuple[int, int]], begin: int, end: int) -> int:
    """Time in ``[begin, end)`` that any of some intervals covers."""
    return sum(
        part for layers, part in oracle.layered((("x", *one) for one in intervals), begin, end).items() if layers
    )


def data_loading(events: oracle.Events) -> list[dict[str, Any]]:
    """Some columns of ``data_loading`` for a trace with ``ProfilerStep`` ranges and a loader of PyTorch's."""
    steps = {(event.start, event.end): event.place for event in events.timed if _is_step(event)}
    threads = set(steps.values())
    found = [event for event in events.timed if (event.name or "").startswith("enumerate(DataLoader)#")]
    found = sorted((event for event in found if event.place in threads), key=lambda event: (event.start, -event.end))
    fetches = [
        event
        for event in found
        if not any(other is not event and other.start <= event.start and event.end <= other.end for other in found)
    ]
    busy = [(event.start, event.end) for event in events.activity]
    rows = []
    for number, begin, end in oracle.profiler_steps(events):
        mine = [event for event in fetches if begin <= event.start < end]
        row = {"step": number, "fetches": len(mine), "wait_ns": sum(event.duration for event in mine)}
        row |= {"exposed_ns": 0, "idle_ns": 0 if busy else None}
        for fetch in mine:
            exposed, idle = _fetch(events, fetch, fetches, busy)
            row["exposed_ns"] += exposed
            row["idle_ns"] = None if idle is None else row["idle_ns"] + idle
        rows.append(row | _copies(events, begin, end))
    return rows


def _is_step(event: oracle.Timed) -> bool:
    return (event.name or "").startswith("ProfilerStep#") and event.category in {
        "user_annotation",
        "cpu_op",
        "Operator",
    }


def _fetch(
    events: oracle.Events, fetch: oracle.Timed, fetches: list[oracle.Timed], busy: list[tuple[int, int]]
) -> tuple[int, int | None]:
    calls = [
        (event.start, min(event.end, fetch.end))
        for event in events.timed
        if event.category in _CALLS and event.place == fetch.place and fetch.start <= event.start < fetch.end
    ]
    loading = fetch.duration - length_of(calls, fetch.start, fetch.end)
    if not busy:
        return fetch.duration, None
    later = [
        (events.launches[event.number].start, event.start)
        for event in events.activity
        if event.number in events.launches and events.launches[event.number].start >= fetch.end
    ]
    bounds = [min(later)[1]] if later else []
    bounds += [other.start for other in fetches if other.start > fetch.start][:1]
    until = max(min(bounds), fetch.end) if bounds else fetch.end
    idle = until - fetch.start - length_of(busy, fetch.start, until)
    unforced = until - fetch.start - length_of(busy + calls, fetch.start, until)
    return min(loading, unforced), idle


def _copies(events: oracle.Events, begin: int, end: int) -> dict[str, Any]:
    compute = [(start, stop) for layer, start, stop in events.layers if layer == "compute"]
    copies = []
    for event in events.activity:
        launch = events.launches.get(event.number)
        if "HtoD" in (event.name or "") and begin <= (launch.start if launch else event.start) < end:
            copies.append(event)
    running = [(event.start, event.end) for event in copies]
    edges = [edge for one in running for edge in one]
    low, high = (min(edges), max(edges)) if edges else (0, 0)
    if not events.activity:
        return dict.fromkeys(("h2d_bytes", "h2d_pageable_bytes", "h2d_copy_ns", "h2d_exposed_ns"))
    return {
        "h2d_bytes": sum(int(event.args["bytes"]) for event in copies),
        "h2d_pageable_bytes": sum(int(event.args["bytes"]) for event in copies if "Pageable" in (event.name or "")),
        "h2d_copy_ns": length_of(running, low, high),
        "h2d_exposed_ns": length_of(running + compute, low, high) - length_of(compute, low, high),
    }
