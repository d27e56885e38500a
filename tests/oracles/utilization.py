"""A second, slow computation of the table ``utilization``: piece by piece of time, straight from the events.

Which names are those of tensor-core kernels, which operators could use them, and which steps are cut, is not decided
here but taken from the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from oracles import general as oracle
from oracles import occupancy as occupancy_oracle

Window = tuple[int, int]


def clock_windows(
    events: oracle.Events, ranges: list[tuple[int, int, int]], cut: set[int], whole_trace: bool
) -> dict[int, Window]:
    """Start and end of each step on the GPU's clock, by number, for steps that have one."""
    rows = oracle.steps(events, ranges)
    whole = [row for row in rows if row["step"] not in cut] or rows
    periods = {
        row["step"]: (row["device_end_ns"] - row["period_ns"], row["device_end_ns"])
        for row in whole
        if row["period_ns"] is not None and row["period_ns"] > 0
    }
    if periods:
        return periods
    if whole_trace:
        [(number, start, end)] = ranges
        return {number: (start, end)}
    alone = {row["step"]: _alone(events, row) for row in whole}
    if len(ranges) == 1:  # nothing follows
        return {step: (start, max(end, ranges[0][2])) for step, (start, end) in alone.items()}
    return alone


def _alone(events: oracle.Events, row: dict[str, Any]) -> Window:
    """A step without a period: it begins when the work launched before it is done, and ends when all of its own is."""
    start, end = row["start_ns"], row["start_ns"] + row["duration_ns"]
    if row["device_end_ns"] is None:
        return start, end
    if row["period_ns"] is not None:
        return row["device_end_ns"] - row["period_ns"], row["device_end_ns"] - min(0, row["period_ns"])
    launches = events.launches
    mine = {
        activity.number
        for activity in events.activity
        if activity.number in launches and start <= launches[activity.number].start < end
    }
    own = [activity for activity in events.activity if activity.number in mine]
    first = min(activity.start for activity in own)
    before = [a.end for a in events.activity if a.number not in mine and a.start < first]
    begins = min((a for a in own if a.start == first), key=lambda a: launches[a.number].start)
    if not before and first - launches[begins.number].end > 1_000_000:
        start = first  # the GPU was busy with what is not in the trace
    start = max(start, min(max(before, default=start), first))
    return start, max(start, row["device_end_ns"])


def utilization(
    events: oracle.Events,
    windows: list[Window],
    on_tensor_cores: Callable[[str], bool],
    devices: dict[int, dict[str, Any]],
    eligible: Callable[[oracle.Timed], bool],
) -> dict[str, float | None]:
    """The shares of a row, in per cent, of a recording of one GPU."""
    time = sum(end - start for start, end in windows)
    if time == 0:
        return {}
    parts = "busy compute communication memory filled kernels tensor eligible detailed estimated occupancy"
    found: dict[str, Any] = dict.fromkeys(parts.split(), Fraction(0))
    layer = {event.number: events.layer(event) for event in events.activity}
    cuts = [moment for window in windows for moment in window]
    for begin, end, inside in oracle.pieces(events.activity, cuts):
        length = (end - begin) * sum(start <= begin and end <= stop for start, stop in windows)
        if not inside or not length:
            continue
        layers = {layer[event.number] for event in inside}
        found["busy"] += length
        found["compute"] += length * ("compute" in layers)
        found["communication"] += length * ("communication" in layers)
        found["memory"] += length * bool(layers & {"memcpy", "memset"})
        load = Fraction(0)
        for event in inside:
            if layer[event.number] != "compute":
                continue
            found["kernels"] += length
            tensor, owner = on_tensor_cores(event.name or ""), events.owner(event)
            found["tensor"] += length * tensor
            found["eligible"] += length * (tensor or (owner is not None and eligible(owner)))
            blocks = event.args.get("blocks per SM")
            occupancy = occupancy_oracle.credible(event.args, devices.get(int(event.args.get("device", 0)), {}))
            if blocks is not None:
                found["detailed"] += length
                load += Fraction(blocks)
            if occupancy is not None:
                found["estimated"] += length
                found["occupancy"] += length * Fraction(occupancy)
        found["filled"] += length * min(load, 1)
    return _row(found, time)


def _row(found: dict[str, Any], time: int) -> dict[str, float | None]:
    def share(part: str, whole: Any, factor: int = 100) -> float | None:
        return float(factor * found[part] / whole) if whole else None

    return {
        "gpu_util_pct": share("busy", time),
        "compute_pct": share("compute", time),
        "communication_pct": share("communication", time),
        "memory_pct": share("memory", time),
        "sm_efficiency_pct": None if found["kernels"] and not found["detailed"] else share("filled", time),
        "occupancy_pct": share("occupancy", found["estimated"], 1),
        "tensor_core_pct": share("tensor", found["kernels"]),
        "tensor_core_eligible_pct": share("eligible", found["kernels"]),
        "sm_coverage_pct": share("detailed", found["kernels"]),
        "occupancy_coverage_pct": share("estimated", found["kernels"]),
    }
