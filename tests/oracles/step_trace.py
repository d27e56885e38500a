"""A second, slow computation of ``step_trace`` from the words of its page, activity by activity."""

from __future__ import annotations

import itertools
import re
from typing import Any

from oracles import general as oracle

_OPTIMIZER = re.compile(r"Optimizer\.(step|zero_grad)#")
_ENGINE = "autograd::engine::evaluate_function"


def _open_at(ranges: list[oracle.Timed], place: tuple[str, str], at: int) -> bool:
    return any(event.place == place and event.start <= at < event.end for event in ranges)


def phases(events: oracle.Events) -> list[tuple[int, int, int, str]]:
    """(launched, start, end, phase) of every kernel of forward and backward, in order of launch."""
    engine = [event for event in events.operators if (event.name or "").startswith(_ENGINE)]
    if not engine:
        engine = [e for e in events.operators if re.search(r"^\w+Backward\d*$|AccumulateGrad$", e.name or "")]
    outside = [
        event
        for event in events.timed
        if (event.name or "").startswith("enumerate(DataLoader)#")
        or (_OPTIMIZER.match(event.name or "") and event.category in {"user_annotation", "cpu_op", "Operator"})
    ]
    computing = []
    for activity in events.activity:
        launch = events.launches.get(activity.number)
        if launch is not None and events.layer(activity) == "compute":
            computing.append((activity, launch, _open_at(engine, launch.place, launch.start)))
    places = {launch.place for _, launch, _ in computing}
    engines = set()
    for place in places:
        inside = [backward for _, launch, backward in computing if launch.place == place]
        if 2 * sum(inside) >= len(inside):
            engines.add(place)
    if engines == places:
        engines = set()
    found = []
    for activity, launch, backward in computing:
        if backward:
            found.append((launch.start, activity.start, activity.end, "backward"))
        elif not _open_at(outside, launch.place, launch.start) and launch.place not in engines:
            found.append((launch.start, activity.start, activity.end, "forward"))
    return sorted(found)


def step_trace(events: oracle.Events, ranges: list[tuple[int, int, int]]) -> list[dict[str, Any]]:
    """Rows for steps (number, start, end) on the GPU's clock; steps without GPU work have no entry but the number."""
    every = phases(events)
    launched = [(events.launches[a.number].start, a.end) for a in events.activity if a.number in events.launches]
    optimizers = [e.start for e in events.timed if (e.name or "").startswith("Optimizer.step#") and e.category != "x"]
    rows: list[dict[str, Any]] = []
    previous: int | None = None
    reached: int | None = None
    for number, begin, end in ranges:
        ends = [stop for at, stop in launched if begin <= at < end]
        if not ends:
            rows.append({"step": number})
            previous = None
            continue
        start = _begin(events, begin, end) if previous is None else previous
        start = start if reached is None else max(start, reached)
        stop = max(start, max(ends))
        previous, reached = max(ends), stop
        mine = [kernel for kernel in every if begin <= kernel[0] < end]
        inside = sorted(at for at in optimizers if begin <= at < end)
        rows.append({"step": number, **_divided(mine, start, stop, inside)})
    return rows


def _begin(events: oracle.Events, begin: int, end: int) -> int:
    """Where a step begins that follows on none with GPU work: its host range, or the end of what ran before it."""
    launches = events.launches
    mine = [a for a in events.activity if a.number in launches and begin <= launches[a.number].start < end]
    first = min(activity.start for activity in mine)
    before = [a.end for a in events.activity if a not in mine and a.start < first]
    return max(begin, min(max(before, default=begin), first))


def _divided(mine: list[tuple[int, int, int, str]], start: int, stop: int, optimizers: list[int]) -> dict[str, Any]:
    def clip(at: int, low: int) -> int:
        return min(max(at, low), stop)

    first = clip(min((kernel[1] for kernel in mine), default=stop), start)
    passes: list[list[tuple[int, int]]] = []
    open_pass = False
    for _, begin, end, phase in mine:
        if phase == "backward":
            if not open_pass:
                passes.append([])
            passes[-1].append((begin, end))
        open_pass = phase == "backward"
    last, backward = stop, 0
    if passes:
        last = clip(max(end for group in passes for _, end in group), first)
        spans = [(min(b for b, _ in group), max(e for _, e in group)) for group in passes]
        edges = sorted({clip(max(edge, first), first) for span in spans for edge in span} | {first, last})
        for a, b in itertools.pairwise(edges):
            if b <= last and any(s <= a and b <= e for s, e in spans):
                backward += b - a
    elif mine and optimizers:
        last = clip(max((kernel[2] for kernel in mine if kernel[0] < optimizers[0]), default=first), first)
    middle = last - first
    unknown = bool(mine and optimizers and not passes)
    return {
        "passes": len(passes),
        "start_ns": start,
        "interval_ns": first - start,
        "forward_backward_ns": middle,
        "forward_ns": None if unknown else middle - backward,
        "backward_ns": None if unknown else backward,
        "tail_ns": stop - last,
        "total_ns": stop - start,
    }
