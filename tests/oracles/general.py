"""A second, slow computation of the tables, straight from the events and from the words of the design (sections 4, 5).

It imports nothing of stepscope. Everything is decided moment by moment: time is cut wherever anything begins or ends,
and each piece is given to whom it belongs. No unions, no parents, no sorting keys that the tables' code might share.
"""

from __future__ import annotations

import gzip
import itertools
import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

KERNEL, MEMCPY, MEMSET = "kernel", "memcpy", "memset"
_ACTIVITY = {
    "kernel": KERNEL,
    "gpu_memcpy": MEMCPY,
    "gpu_memset": MEMSET,
    "Kernel": KERNEL,
    "Memcpy": MEMCPY,
    "Memset": MEMSET,
}
_OPERATOR = {"cpu_op", "Operator"}
_RUNTIME = {"cuda_runtime", "cuda_driver", "Runtime", "hip_runtime", "hip_driver"}
_HOST_FLOWS = {"ac2g", "async_cpu_to_gpu"}
_LAUNCH = ("grid", "block", "registers per thread", "shared memory")
_EXACT = Context(prec=400)

BREAKDOWN = ("compute", "communication", "memcpy", "memset", "runtime", "data_loading", "cpu")


@dataclass(frozen=True)
class Timed:
    """A timed event: half-open [start, end) in ns. ``place`` is its process and thread, ``number`` its row."""

    number: int
    category: str
    name: str | None
    place: tuple[str, str]
    start: int
    end: int
    args: dict[str, Any] = field(hash=False, compare=False)

    @property
    def duration(self) -> int:
        return self.end - self.start

    @property
    def order(self) -> tuple[Any, ...]:
        """To sort activities by: equal times by what was recorded of them; what is alike in all of it as it stands."""
        lane = [-1 if self.args.get(key) is None else int(self.args[key]) for key in ("device", "stream")]
        return (
            self.start,
            self.end,
            *self.place,
            *lane,
            self.name or "",
            self.args.get("correlation") or -1,
            self.number,
        )

    @property
    def depth_key(self) -> tuple[int, int, int]:
        """The larger, the further in: latest start, then shorter, then higher External id."""
        external = self.args.get("External id")
        return self.start, -self.duration, -1 if external is None else int(external)


def read(path: Path) -> Events:
    """The events of a trace file, decimals kept exact."""
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    document = json.loads(data.decode("utf-8", "replace"), parse_float=Decimal, strict=False)
    return Events(document["traceEvents"] if isinstance(document, dict) else document)


def nanoseconds(value: Any) -> int | None:
    """Microseconds in decimal to whole ns, half to even; None where that is no finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, str, Decimal)):
        return None
    try:
        exact = _EXACT.multiply(Decimal(value), Decimal(1000))
        return int(exact.quantize(Decimal(1), ROUND_HALF_EVEN, _EXACT)) if exact.is_finite() else None
    except InvalidOperation:
        return None


def believed(activity: list[Timed]) -> list[Timed]:
    """Activities, those cut that run on for more than 20 us behind the start of the next launch on their stream."""
    streams: dict[Hashable, list[Timed]] = defaultdict(list)
    for event in sorted(activity, key=lambda event: event.order):
        streams[_stream(event)].append(event)
    cut = {}
    for stream, mine in streams.items():
        for index, event in enumerate(mine):
            places = itertools.takewhile(
                lambda at, mine=mine, end=event.end: end - mine[at].start > 20_000, range(index + 1, len(mine))
            )
            later = next((mine[at].start for at in places if _launch(mine[at]) != _launch(event)), None)
            if stream is not None and later is not None:
                cut[event.number] = later
    return [replace(event, end=cut.get(event.number, event.end)) for event in activity]


def _launch(event: Timed) -> Any:
    return event.args.get("correlation") or -1 - event.number


def _stream(event: Timed) -> Hashable:
    stream = event.args.get("original_stream", event.args.get("stream"))
    return None if stream is None else (event.place[0], event.args.get("device"), event.args.get("context"), stream)


class Events:
    """What the design says about a list of trace events."""

    def __init__(self, rows: list[Any]) -> None:
        self.rows = rows
        self.broken = 0
        self.timed: list[Timed] = []
        for number, row in enumerate(rows):
            if isinstance(row, dict) and row.get("ph") == "X":
                start, duration = nanoseconds(row.get("ts")), nanoseconds(row.get("dur"))
                if start is None or duration is None or duration < 0:
                    self.broken += 1
                    continue
                place = (str(row.get("pid")), str(row.get("tid")))
                args = row.get("args") or {}
                self.timed.append(
                    Timed(number, str(row.get("cat")), row.get("name"), place, start, start + duration, args)
                )

    @cached_property
    def activity(self) -> list[Timed]:
        return believed([event for event in self.timed if event.category in _ACTIVITY])

    @cached_property
    def operators(self) -> list[Timed]:
        return [event for event in self.timed if event.category in _OPERATOR]

    @cached_property
    def runtime(self) -> list[Timed]:
        return [event for event in self.timed if event.category in _RUNTIME]

    @cached_property
    def _flows(self) -> tuple[dict[Any, list[tuple[int, Any]]], dict[Any, list[tuple[tuple[str, str], int]]]]:
        """Arrow heads by place and time: (number, flow); arrow tails by flow: (place, time)."""
        heads: dict[Any, list[tuple[int, Any]]] = defaultdict(list)
        tails: dict[Any, list[tuple[tuple[str, str], int]]] = defaultdict(list)
        for number, row in enumerate(self.rows):
            if isinstance(row, dict) and row.get("cat") in _HOST_FLOWS and row.get("ph") in ("s", "f"):
                at = nanoseconds(row.get("ts"))
                place = (str(row.get("pid")), str(row.get("tid")))
                if at is not None and row["ph"] == "s":
                    tails[row.get("id")].append((place, at))
                elif at is not None:
                    heads[place, at].append((number, row.get("id")))
        return heads, tails

    @cached_property
    def _calls(self) -> dict[int, Timed]:
        """The one call of each correlation."""
        candidates: dict[int, list[Timed]] = defaultdict(list)
        for call in self.runtime:
            correlation = call.args.get("correlation")
            if correlation is not None and int(correlation) != 0:
                candidates[int(correlation)].append(call)
        tails = self._flows[1]
        return {
            number: max(
                calls,
                key=lambda call: (
                    (call.place, call.start) in tails.get(number, ()),
                    call.start,
                    call.duration,
                    call.name or "",
                    call.place,
                ),
            )
            for number, calls in candidates.items()
        }

    def launch(self, activity: Timed) -> Timed | None:
        """The call that queued an activity (5.4)."""
        correlation = activity.args.get("correlation")
        if correlation is not None and int(correlation) in self._calls:
            return self._calls[int(correlation)]
        heads, tails = self._flows
        for _, flow in reversed(heads.get((activity.place, activity.start), [])):
            for place, at in reversed(tails.get(flow, [])):
                found = [call for call in self._calls_at(place) if call.start <= at < max(call.end, call.start + 1)]
                if found:
                    return max(found, key=lambda call: call.depth_key[:2])
        return None

    @cached_property
    def _runtime_by_place(self) -> dict[tuple[str, str], list[Timed]]:
        by_place: dict[tuple[str, str], list[Timed]] = defaultdict(list)
        for call in self.runtime:
            by_place[call.place].append(call)
        return by_place

    def _calls_at(self, place: tuple[str, str]) -> list[Timed]:
        return self._runtime_by_place.get(place, [])

    @cached_property
    def launches(self) -> dict[int, Timed]:
        """Launch of each linked activity, by the activity's row number."""
        found = ((event.number, self.launch(event)) for event in self.activity)
        return {number: launch for number, launch in found if launch is not None}

    @cached_property
    def _walk(self) -> HostWalk:
        return walk(self.operators, {(launch.place, launch.start) for launch in self.launches.values()})

    def around(self, activity: Timed) -> list[Timed]:
        """Operators open where an activity was launched, innermost first; empty where none or unlinked (5.6)."""
        launch = self.launches.get(activity.number)
        return self._walk.open_at.get((launch.place, launch.start), []) if launch else []

    def owner(self, activity: Timed) -> Timed | None:
        """The operator that an activity belongs to."""
        around = self.around(activity)
        return around[0] if around else None

    def is_communication(self, activity: Timed) -> bool:
        if _ACTIVITY[activity.category] != KERNEL:
            return False
        if activity.args.get("Collective name") is not None or is_communication_name(activity.name or ""):
            return True
        owner = self.owner(activity)
        name = (owner.name or "") if owner else ""
        return name == "record_param_comms" or name.startswith("c10d::")

    def layer(self, activity: Timed) -> str:
        """compute, communication, memcpy or memset."""
        kind = _ACTIVITY[activity.category]
        if kind != KERNEL:
            return kind
        return "communication" if self.is_communication(activity) else "compute"

    @cached_property
    def layers(self) -> list[tuple[str, int, int]]:
        """Every activity as (layer, start, end)."""
        return [(self.layer(event), event.start, event.end) for event in self.activity]


def is_communication_name(name: str) -> bool:
    """Whether a kernel's own name, without return type, namespaces and parameters, is a collective's."""
    if name.startswith("triton_"):
        return False
    spaces = re.sub(r"\(anonymous namespace\)", "", name)
    whole = re.split(r"[(<]", spaces, maxsplit=1)[0].split(" ")[-1].lower()
    own = whole.split("::")[-1]
    libraries = ("nccl", "rccl", "hccl", "multimem_", "nvshmem")
    words = ("allreduce", "crossdevicereduce", "allgather", "reducescatter", "alltoall")
    squeezed = own.replace("_", "")
    return own.startswith(libraries) or any(word in squeezed for word in words) or "deep_ep" in whole


@dataclass
class HostWalk:
    """What a walk over every thread found: ``self_ns`` by operator, ``total_ns`` by key, operators at moments."""

    self_ns: dict[int, int]
    total_ns: dict[Hashable, int]
    open_at: dict[tuple[tuple[str, str], int], list[Timed]]
    ties: int = 0


def walk(
    operators: Iterable[Timed],
    moments: Iterable[tuple[tuple[str, str], int]] = (),
    key: Callable[[Timed], Hashable] = lambda operator: operator.name,
) -> HostWalk:
    """Walk over each thread from edge to edge; between two edges nothing begins or ends (5.5)."""
    result = HostWalk(defaultdict(int), defaultdict(int), {})
    threads: dict[tuple[str, str], list[Timed]] = defaultdict(list)
    asked: dict[tuple[str, str], set[int]] = defaultdict(set)
    for operator in operators:
        if operator.duration:
            threads[operator.place].append(operator)
    for place, at in moments:
        asked[place].add(at)
    for place, members in threads.items():
        for begin, end, inside in pieces(members, asked[place]):
            stack = sorted(inside, key=lambda operator: operator.depth_key, reverse=True)
            if begin in asked[place]:
                result.open_at[place, begin] = stack
            if not stack:
                continue
            result.ties += len(stack) > 1 and stack[0].depth_key == stack[1].depth_key
            result.self_ns[stack[0].number] += end - begin
            for name in {key(operator) for operator in stack}:
                result.total_ns[name] += end - begin
    return result


def pieces(events: Iterable[Timed], cuts: Iterable[int] = ()) -> Iterator[tuple[int, int, list[Timed]]]:
    """Cut time at every start, end and further cut; yield each piece with the events open in it."""
    starting: dict[int, list[Timed]] = defaultdict(list)
    for event in events:
        starting[event.start].append(event)
    edges = {edge for event in events for edge in (event.start, event.end)} | set(cuts)
    inside: list[Timed] = []
    ordered = sorted(edges)
    for begin, end in zip(ordered, [*ordered[1:], None], strict=True):
        inside = [event for event in inside if event.end > begin] + starting.get(begin, [])
        inside = [event for event in inside if event.end > begin]
        yield begin, begin if end is None else end, inside


def layered(intervals: Iterable[tuple[str, int, int]], begin: int, end: int) -> dict[frozenset[str], int]:
    """Length of the time inside [begin, end) by the set of layers that cover it."""
    changes: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for layer, start, stop in intervals:
        start, stop = max(start, begin), min(stop, end)
        if stop > start:
            changes[start].append((layer, 1))
            changes[stop].append((layer, -1))
    count: dict[str, int] = defaultdict(int)
    lengths: dict[frozenset[str], int] = defaultdict(int)
    edges = sorted({begin, end, *changes})
    for here, following in itertools.pairwise(edges):
        for layer, change in changes.get(here, ()):
            count[layer] += change
        lengths[frozenset(layer for layer, open_now in count.items() if open_now)] += following - here
    return lengths


def summary(events: Events) -> dict[str, Any]:
    """A row of ``summary`` (section 2)."""
    activity = events.activity
    begin = min((event.start for event in activity), default=0)
    end = max((event.end for event in activity), default=0)
    lengths = layered(events.layers, begin, end)

    def total(holds: Callable[[frozenset[str]], bool]) -> int:
        return sum(length for layers, length in lengths.items() if holds(layers))

    communication = total(lambda layers: "communication" in layers)
    both = total(lambda layers: {"communication", "compute"} <= layers)
    kinds = [_ACTIVITY[event.category] for event in activity]
    memory = {"memcpy", "memset"}
    return {
        "events": len(events.rows),
        "span_ns": end - begin,
        "busy_ns": total(bool),
        "idle_ns": total(lambda layers: not layers),
        "compute_ns": total(lambda layers: "compute" in layers),
        "communication_ns": communication,
        "exposed_communication_ns": total(lambda layers: "communication" in layers and "compute" not in layers),
        "memory_ns": total(lambda layers: bool(layers & memory)),
        "exposed_memory_ns": total(lambda layers: bool(layers) and layers <= memory),
        "overlap_pct": 100 * both / communication if communication else None,
        "kernels": kinds.count(KERNEL),
        "memcpys": kinds.count(MEMCPY),
        "memsets": kinds.count(MEMSET),
    }


def profiler_steps(events: Events) -> list[tuple[int, int, int]]:
    """(number, start, end) of the host ranges ``ProfilerStep#N``, by start."""
    found = set()
    for event in events.timed:
        match = re.fullmatch(r"ProfilerStep#(\d+)", event.name or "")
        if match and event.category in {"user_annotation", *_OPERATOR}:
            found.add((event.start, event.end, int(match.group(1))))
    return [(number, start, end) for start, end, number in sorted(found, key=lambda step: (step[0], step[2]))]


def steps(events: Events, ranges: list[tuple[int, int, int]]) -> list[dict[str, Any]]:
    """Rows of ``steps`` for some ranges, all columns but ``rank`` and ``cut`` (5.7)."""
    runtime = [("runtime", event.start, event.end) for event in events.runtime]
    cpu = [("cpu", event.start, event.end) for event in events.operators]
    loading = [
        ("data_loading", event.start, event.end)
        for event in events.timed
        if (event.name or "").startswith("enumerate(DataLoader)#")
    ]
    intervals = [*events.layers, *runtime, *cpu, *loading]
    rows = []
    previous = None
    for number, start, end in ranges:
        launched = [
            event.end
            for event in events.activity
            if event.number in events.launches and start <= events.launches[event.number].start < end
        ]
        device_end = max(launched, default=None)
        parts = dict.fromkeys([*BREAKDOWN, "other"], 0)
        for layers, length in layered(intervals, start, end).items():
            parts[next((layer for layer in BREAKDOWN if layer in layers), "other")] += length
        rows.append(
            {
                "step": number,
                "start_ns": start,
                "duration_ns": end - start,
                "device_end_ns": device_end,
                "lag_ns": None if device_end is None else device_end - end,
                "period_ns": None if device_end is None or previous is None else device_end - previous,
                **{f"{layer}_ns": length for layer, length in parts.items()},
            }
        )
        previous = device_end
    return rows


def operators(
    events: Events, key: Callable[[Timed], Hashable] = lambda operator: operator.name
) -> tuple[dict[Hashable, dict[str, int]], int]:
    """Rows of ``operators`` by name (or another key), and the unattributed device time (5.5, 5.6)."""
    rows: dict[Hashable, dict[str, int]] = {}
    columns = ("calls", "host_total_ns", "host_self_ns", "device_total_ns", "device_self_ns")
    host = walk(events.operators, key=key)
    for operator in events.operators:
        row = rows.setdefault(key(operator), dict.fromkeys(columns, 0))
        row["calls"] += 1
        row["host_self_ns"] += host.self_ns.get(operator.number, 0)
    for name, total in host.total_ns.items():
        rows[name]["host_total_ns"] += total
    unattributed = 0
    for activity in events.activity:
        around = events.around(activity)
        if not around:
            unattributed += activity.duration
            continue
        rows[key(around[0])]["device_self_ns"] += activity.duration
        for name in {key(operator) for operator in around}:
            rows[name]["device_total_ns"] += activity.duration
    return rows, unattributed


def kernels(events: Events) -> dict[str | None, dict[str, Any]]:
    """Rows of ``kernels`` by name; ``ops``, ``launches`` hold the time of each operator and launch configuration."""
    rows: dict[str | None, dict[str, Any]] = {}
    members: dict[str | None, list[Timed]] = defaultdict(list)
    for activity in events.activity:
        if _ACTIVITY[activity.category] == KERNEL:
            members[activity.name].append(activity)
    whole = sum(event.duration for group in members.values() for event in group)
    for name, group in members.items():
        total = sum(event.duration for event in group)
        ops: dict[str | None, int] = defaultdict(int)
        launches: dict[tuple[Any, ...], int] = defaultdict(int)
        for event in group:
            owner, launch = events.owner(event), events.launches.get(event.number)
            graph = launch.name if launch and "graphlaunch" in (launch.name or "").lower() else None
            ops[owner.name if owner else graph] += event.duration
            launches[tuple(str(event.args.get(key)) for key in _LAUNCH)] += event.duration
        rows[name] = {
            "calls": len(group),
            "total_ns": total,
            "mean_ns": round(Fraction(total, len(group))),
            "min_ns": min(event.duration for event in group),
            "max_ns": max(event.duration for event in group),
            "share_pct": 100 * total / whole if whole else 0.0,
            "communication": {events.is_communication(event) for event in group},
            "ops": dict(ops),
            "launches": dict(launches),
            "blocks_per_sm": _weighted(group, "blocks per SM"),
            "occupancy_pct": _weighted(group, "est. achieved occupancy %"),
        }
    return rows


def _weighted(events: list[Timed], key: str) -> float | None:
    """Mean weighted by duration over the events that have the value."""
    known = [(float(event.args[key]), event.duration) for event in events if event.args.get(key) is not None]
    weight = sum(duration for _, duration in known)
    return sum(value * duration for value, duration in known) / weight if weight else None


def memcpy(events: Events) -> dict[tuple[str, str], dict[str, Any]]:
    """Rows of ``memcpy`` by (kind, pinned)."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for event in events.activity:
        if _ACTIVITY[event.category] != MEMCPY:
            continue
        row = rows.setdefault(_copy_kind(event), {"calls": 0, "bytes": None, "total_ns": 0, "sized_ns": 0})
        row["calls"] += 1
        row["total_ns"] += event.duration
        size = event.args.get("bytes")
        if size is not None:
            row["bytes"] = (row["bytes"] or 0) + int(size)
            row["sized_ns"] += event.duration
    return rows


def _copy_kind(event: Timed) -> tuple[str, str]:
    name = event.name or ""
    words = {"Host": "H", "Device": "D", "Peer": "P"}
    long = re.search(r"(Host|Device|Peer)To(Host|Device|Peer)", name)
    short = re.search(r"\b([HDP]to[HDP])\b", f"{name} {event.args.get('kind') or ''}")
    kind = f"{words[long[1]]}to{words[long[2]]}" if long else short[1] if short else "unknown"
    memory = [word for word in ("pinned", "pageable") if word in name.lower()]
    return kind, memory[0] if memory else ""
