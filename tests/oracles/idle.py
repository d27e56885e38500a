"""A second, slow computation of the parts of gaps from the words of the page of ``idle``, gap by gap."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from oracles import general as oracle

_HOLDS = re.compile(
    r"(?i:synchronize)$|^(cuda|hip|cu)Memcpy|^(cuda|hip)(Host)?(Malloc|Free|Alloc)|^cuMem(Alloc|Free|Host|Create|Release)"
)
_COLLECTIVE = re.compile(r"^(record_param_comms$|c10d::)")
CAUSES = (
    "sync",
    "data_loading",
    "communication_wait",
    "memory_copy",
    "host_late",
    "launch_latency",
    "dependency",
    "unknown",
)
_RANK = {"communication_wait": 0, "sync": 1, "memory_copy": 2, "data_loading": 3}
Place = tuple[str, str]


@dataclass(frozen=True)
class Gap:
    start: int
    end: int
    busy_start: int
    following: oracle.Timed
    position: int


def _whole_number(value: Any) -> int:
    return -1 if value is None else int(value)


class Idle:
    """Gaps of a trace and their parts; ``lane`` tells whose gaps: of everything, a device, a stream."""

    def __init__(self, events: oracle.Events, lane: Callable[[oracle.Timed], Hashable] = lambda _: None) -> None:
        self.events = events
        self.launches = events.launches
        self.ordered = sorted(events.activity, key=self._order)
        self.lanes: dict[Hashable, list[oracle.Timed]] = defaultdict(list)
        for activity in self.ordered:
            self.lanes[lane(activity)].append(activity)
        owners = {launch.number: launch for launch in self.launches.values()}
        self.launching = sorted(owners.values(), key=lambda call: (call.start, call.end, call.place[1]))
        self.held = self._held()
        self.work: dict[Place, list[oracle.Timed]] = defaultdict(list)
        for event in [*events.operators, *events.runtime]:
            self.work[event.place].append(event)

    def _order(self, activity: oracle.Timed) -> tuple[Any, ...]:
        launch = self.launches.get(activity.number)
        return (
            activity.start,
            activity.duration == 0,
            launch is None,
            launch.start if launch else 0,
            -activity.end,
            _whole_number(activity.args.get("device")),
            _whole_number(activity.args.get("stream")),
            activity.name or "",
        )

    def _held(self) -> dict[Place, list[tuple[int, int, str]]]:
        """Ranges in which each thread is held, with the cause."""
        held: dict[Place, list[tuple[int, int, str]]] = defaultdict(list)
        owned: dict[int, list[oracle.Timed]] = defaultdict(list)
        for activity in self.events.activity:
            if activity.number in self.launches:
                owned[self.launches[activity.number].number].append(activity)
        copies = {
            number: activities[0]
            for number, activities in owned.items()
            if len(activities) == 1 and re.search("HtoD|DtoH", activities[0].name or "")
        }
        around = oracle.walk(self.events.operators, {(call.place, call.start) for call in self.events.runtime}).open_at
        for call in self.events.runtime:
            name = call.name or ""
            copy = copies.get(call.number)
            waited = copy and ("ageable" in (copy.name or "") or ("inned" not in copy.name and copy.end <= call.end))
            if not (waited or (_HOLDS.search(name) and "Async" not in name)):
                continue
            inside = around.get((call.place, call.start), [])
            if copy and "HtoD" in (copy.name or ""):
                cause = "memory_copy"
            elif inside and _COLLECTIVE.match(inside[0].name or ""):
                cause = "communication_wait"
            else:
                cause = "sync"
            held[call.place].append((call.start, call.end, cause))
        for operator in self.events.operators:
            if _COLLECTIVE.match(operator.name or "") and operator.duration >= 1_000_000:
                held[operator.place].append((operator.start, operator.end, "communication_wait"))
        for event in self.events.timed:
            if (event.name or "").startswith("enumerate(DataLoader)#"):
                held[event.place].append((event.start, event.end, "data_loading"))
        return held

    def gaps(self) -> list[Gap]:
        found = []
        for members in self.lanes.values():
            first, last = members[0].start, max(activity.end for activity in members)
            reach = began = first
            launches = self.launches
            for position, activity in enumerate(members):
                if activity.duration and activity.start > reach:
                    found.append(Gap(reach, activity.start, began, activity, position))
                    if activity.number in launches and launches[activity.number].start > reach:
                        began = activity.start
                reach = max(reach, activity.end if activity.duration else reach)
            if last > reach:
                position = next(i for i, activity in enumerate(members) if activity.start == last)
                found.append(Gap(reach, last, began, members[position], position))
        return found

    def parts(self, gap: Gap) -> dict[str, int]:
        """Length of the gap by cause."""
        parts: dict[str, int] = defaultdict(int)
        call = self.launches.get(gap.following.number)
        if call is None and not self._came_before(gap):
            return {"unknown": gap.end - gap.start}
        launched = gap.start if call is None else min(max(call.start, gap.start), gap.end)
        if call is not None:
            self._late(gap, call, launched, parts)
        self._begun(gap, call, launched, parts)
        return {cause: part for cause, part in parts.items() if part}

    def _came_before(self, gap: Gap) -> bool:
        """Whether something later of the same stream was launched before the gap."""
        stream = [gap.following.args.get(key) for key in ("device", "stream")]
        start = self.ordered.index(gap.following)
        return any(
            self.launches[later.number].start <= gap.start
            for later in self.ordered[start:]
            if later.number in self.launches and [later.args.get(key) for key in ("device", "stream")] == stream
        )

    def _late(self, gap: Gap, call: oracle.Timed, launched: int, parts: dict[str, int]) -> None:
        earlier = [other for other in self.launching if other.start < call.start]
        before = earlier[-1].place if earlier else None
        busy = self._kept(call.place, before, gap.busy_start, gap.start)
        for cause, part in self._kept(call.place, before, gap.start, launched).items():
            parts[cause] += part
        for cause in ("communication_wait", "sync"):
            carried = min(busy.get(cause, 0), parts["host_late"])
            parts["host_late"] -= carried
            parts[cause] += carried

    def _kept(self, place: Place, before: Place | None, begin: int, end: int) -> dict[str, int]:
        """How a stretch divides by what kept the threads."""
        own = [held for held in self.held[place] if held[0] < end and held[1] > begin]
        other = [] if before is None or before == place else self.held[before]
        other = [held for held in other if held[0] < end and held[1] > begin]
        work = [(event.start, event.end) for event in self.work[place]] if other else []
        edges = {edge for a, b, *_ in [*own, *other, *work] for edge in (a, b) if begin < edge < end}
        kept: dict[str, int] = defaultdict(int)
        for a, b in itertools.pairwise(sorted({begin, end, *edges})):
            causes = [cause for x, y, cause in own if x <= a and b <= y]
            if not any(x <= a and b <= y for x, y in work):
                causes += [cause for x, y, cause in other if x <= a and b <= y]
            kept[min(causes, key=_RANK.__getitem__) if causes else "host_late"] += b - a
        return kept

    def _begun(self, gap: Gap, call: oracle.Timed | None, launched: int, parts: dict[str, int]) -> None:
        returned = launched if call is None else min(max(call.end, launched), gap.end)
        name = gap.following.name or ""
        if call is not None and "HtoD" in name and self._is_held(call):
            parts["memory_copy"] += gap.end - launched
            return
        rest = 0
        layers = oracle.layered(self.events.layers, returned, gap.end) if len(self.lanes) > 1 else {}
        if len(self.lanes) < 2:
            rest = gap.end - returned
        for kinds, length in layers.items():
            if "communication" in kinds:
                parts["communication_wait"] += length
            elif kinds & {"memcpy", "memset"}:
                parts["memory_copy"] += length
            elif kinds:
                parts["dependency"] += length
            else:
                rest += length
        waits = call is not None and self._waits(call)
        inner = call is not None and self._first_of(call) is not gap.following
        parts["dependency" if inner else "launch_latency"] += returned - launched
        if call is None or inner or call.end < gap.start - 20_000 or (waits and call.end <= gap.start):
            parts["dependency" if rest <= 20_000 or (waits and rest <= 1_000_000) else "unknown"] += rest
        else:
            late = "dependency" if waits and rest <= 1_000_000 else "unknown"
            parts["launch_latency" if rest <= 20_000 else late] += rest

    def _first_of(self, call: oracle.Timed) -> oracle.Timed:
        """The first activity of a launch."""
        return next(a for a in self.ordered if a.number in self.launches and self.launches[a.number] is call)

    def _is_held(self, call: oracle.Timed) -> bool:
        return (call.start, call.end, "memory_copy") in self.held[call.place]

    def _waits(self, call: oracle.Timed) -> bool:
        """Whether a wait for an event stands between a call and its thread's launch before it."""
        waits = [e.start for e in self.events.runtime if e.place == call.place and "StreamWaitEvent" in (e.name or "")]
        launches = [e.start for e in self.launching if e.place == call.place and e.start < call.start]
        latest = max((at for at in waits if at < call.start), default=None)
        return latest is not None and latest > max(launches, default=latest - 1)
