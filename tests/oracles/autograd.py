"""The backward pass and the modules once more, event by event, straight from the words of docs/tables/modules.md.

Slow and simple, on top of `oracle`; it imports nothing of stepscope.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from oracles.general import Events, Timed, nanoseconds, walk

ENGINE = "autograd::engine::evaluate_function: "
NOTHING = "(unattributed)"

MODULE_COLUMNS = (
    "calls",
    "host_total_ns",
    "host_self_ns",
    "device_total_ns",
    "device_self_ns",
    "forward_device_ns",
    "backward_device_ns",
    "recompute_device_ns",
    "backward_host_ns",
)


def _number(event: Timed, key: str) -> int | None:
    value = event.args.get(key)
    return int(value) if isinstance(value, int) and value >= 0 else None


def _known_as(name: str) -> str:
    bare = re.sub(r"Backward\d*$", "", name.removeprefix(ENGINE))
    return re.sub(r"^.*::", "", bare).replace("_", "").lower()


def _communicates(name: str) -> bool:
    return name == "record_param_comms" or name.startswith("c10d::")


def _is_custom(name: str) -> bool:
    bare = name.removeprefix(ENGINE)
    return not bare.startswith("aten::") and not re.match(r"^[A-Z]\w*Backward\d+$", bare)


@dataclass
class Autograd:
    """Backward functions, their forward operators, and what runs inside them."""

    events: Events
    forward_of: dict[int, Timed | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for function in sorted(self.functions, key=lambda event: self.order[event.number]):
            self.forward_of[function.number] = self._numbered(function)
        self._complete()

    def is_function(self, event: Timed) -> bool:
        name = event.name or ""
        numbered = _number(event, "Sequence number") is not None and (_number(event, "Fwd thread id") or 0) > 0
        named = name.startswith(ENGINE) or re.match(r"^(torch::autograd::\w+|[A-Z]\w*Backward\d*)$", name)
        return numbered or bool(named)

    @cached_property
    def functions(self) -> list[Timed]:
        return [event for event in self.events.operators if self.is_function(event)]

    @cached_property
    def order(self) -> dict[int, int]:
        """Place of each operator: by start, of equal ones the outer first."""
        by_depth = sorted(self.events.operators, key=lambda event: (*event.depth_key, event.number))
        return {event.number: i for i, event in enumerate(by_depth)}

    @cached_property
    def around(self) -> dict[int, list[Timed]]:
        """Operators open where each operator begins, innermost first, itself included."""
        moments = {(event.place, event.start) for event in self.events.operators}
        open_at = walk(self.events.operators, moments).open_at
        found = {}
        for event in self.events.operators:
            stack = open_at.get((event.place, event.start), [])
            found[event.number] = [event, *(other for other in stack if other.depth_key < event.depth_key)]
        return found

    def parent(self, event: Timed) -> Timed | None:
        outer = self.around[event.number][1:]
        return outer[0] if outer else None

    def function(self, event: Timed | None) -> Timed | None:
        """The innermost backward function that an operator runs in."""
        if event is None:
            return None
        return next((outer for outer in self.around[event.number] if self.is_function(outer)), None)

    @cached_property
    def _candidates(self) -> dict[int, list[Timed]]:
        found: dict[int, list[Timed]] = defaultdict(list)
        for event in self.events.operators:
            number = _number(event, "Sequence number")
            if number is not None and not self.is_function(event):
                found[number].append(event)
        return found

    @cached_property
    def _place_of_thread(self) -> dict[tuple[str, int | None], tuple[str, str]]:
        arrows: dict[Any, Counter[tuple[str, str]]] = defaultdict(Counter)
        matches: dict[Any, Counter[tuple[str, str]]] = defaultdict(Counter)
        starts = {(event.place, event.start): self._thread(event) for event in self.functions}
        tails: dict[Any, tuple[str, str]] = {}
        rows = [row for row in self.events.rows if isinstance(row, dict) and row.get("cat") == "fwdbwd"]
        for row in rows:
            if row.get("ph") == "s":
                tails[row.get("id")] = (str(row.get("pid")), str(row.get("tid")))
        for row in rows:
            thread = starts.get(((str(row.get("pid")), str(row.get("tid"))), nanoseconds(row.get("ts")) or 0))
            if row.get("ph") == "f" and thread is not None and row.get("id") in tails:
                arrows[thread][tails[row["id"]]] += 1
        for event in {(self._thread(event), _number(event, "Sequence number")) for event in self.functions}:
            thread, number = event
            for place in {other.place for other in self._candidates.get(number, []) if other.place[0] == thread[0]}:
                matches[thread][place] += 1
        return {
            thread: max(places, key=lambda place: (arrows[thread][place], places[place]))
            for thread, places in matches.items()
        }

    def _thread(self, event: Timed) -> tuple[str, int | None]:
        return event.place[0], _number(event, "Fwd thread id") or None

    def _numbered(self, function: Timed) -> Timed | None:
        number = _number(function, "Sequence number")
        place = self._place_of_thread.get(self._thread(function))
        if number is None or place is None:
            return None
        found = [e for e in self._candidates[number] if e.place == place and e.start <= function.start]
        same = [e for e in found if _known_as(e.name or "") == _known_as(function.name or "")]
        custom = [e for e in found if _is_custom(e.name or "") and _is_custom(function.name or "")]
        best = same or custom or found
        return max(best, key=lambda event: self.order[event.number]) if best else None

    def _complete(self) -> None:
        lone = [event for event in self.functions if _number(event, "Sequence number") is None]
        ordered = sorted(self.functions, key=lambda event: self.order[event.number])
        for event in lone:
            inner = [e for e in ordered if self.forward_of[e.number] and self.parent(e) is event]
            if inner:
                self.forward_of[event.number] = self.forward_of[inner[0].number]
        before: dict[Any, Timed | None] = {}
        for event in ordered:
            outer = self.parent(event)
            key = (event.place, outer.number if outer else None)
            if _number(event, "Sequence number") is not None:
                before[key] = self.forward_of[event.number]
            elif (event.name or "").endswith("torch::autograd::AccumulateGrad") and not self.forward_of[event.number]:
                self.forward_of[event.number] = before.get(key)
        settled = {e.number for e in ordered if self.forward_of[e.number] or _number(e, "Sequence number") is not None}
        for event in lone:
            if not self.forward_of[event.number]:
                outer = next((e for e in self.around[event.number][1:] if e.number in settled), None)
                self.forward_of[event.number] = self.forward_of[outer.number] if outer else None

    def forward(self, event: Timed | None) -> Timed | None:
        """Forward operator of what an operator does in the backward pass."""
        function = self.function(event)
        if event is None or function is None:
            return None
        inner = self.around[event.number]
        inner = inner[: inner.index(function)]
        if (function.name or "").endswith("torch::autograd::AccumulateGrad") and any(
            _communicates(e.name or "") for e in inner
        ):
            return None
        return self.forward_of[function.number]

    @cached_property
    def _children(self) -> dict[int, list[Timed]]:
        found: dict[int, list[Timed]] = defaultdict(list)
        for event in sorted(self.events.operators, key=lambda event: self.order[event.number]):
            outer = self.parent(event)
            if outer is not None:
                found[outer.number].append(event)
        return found

    @cached_property
    def _repeating(self) -> set[int]:
        """Functions that run a forward pass again."""
        found = set()
        for function in self.functions:
            own = [event for event in self._children[function.number] if not self.is_function(event)]
            if own and _number(own[-1], "Sequence number") is None:
                found.add(function.number)
            outer, forward = self.function(self.parent(function)), self.forward_of[function.number]
            inside = self.function(forward)
            if outer is not None and inside is not None and outer is inside:
                found.add(outer.number)
        return found

    def recomputed(self, event: Timed | None) -> bool:
        function = self.function(event)
        if event is None or function is None:
            return False
        for outer in self.around[event.number]:
            if outer is function:
                return False
            numbered = _number(outer, "Sequence number") is not None
            if re.search("CheckpointFunctionBackward$", function.name or "") or (
                numbered and function.number in self._repeating
            ):
                return True
        return False

    def hook(self, event: Timed | None) -> bool:
        function = self.function(event)
        if event is None or function is None or function is event:
            return False
        inner = [e for e in self._children[function.number] if self.is_function(e)]
        return bool(inner) and event.start < inner[0].start


def backward_times(events: Events) -> dict[str, tuple[int, int]]:
    """``backward_host_ns`` and ``backward_device_ns`` of each operator name."""
    grad = Autograd(events)
    host = walk(events.operators)
    result: dict[str, list[int]] = defaultdict(lambda: [0, 0])

    def credit(operator: Timed | None, column: int, amount: int) -> None:
        forward = grad.forward(operator)
        if forward is None or grad.recomputed(operator) or grad.hook(operator):
            return
        for name in {outer.name or "" for outer in grad.around[forward.number]}:
            result[name][column] += amount

    for operator in events.operators:
        credit(operator, 0, host.self_ns.get(operator.number, 0))
    for activity in events.activity:
        credit(events.owner(activity), 1, activity.duration)
    return {name: (times[0], times[1]) for name, times in result.items()}


def modules(events: Events) -> dict[str, dict[str, int]]:
    """Rows of ``modules`` by name; `NOTHING` holds what belongs to none."""
    return _Modules(events).rows()


class _Modules:
    def __init__(self, events: Events) -> None:
        self.events = events
        self.grad = Autograd(events)
        self.calls = [
            event
            for event in events.timed
            if event.category == "python_function" and (event.name or "").startswith("nn.Module: ")
        ]
        self.moments = {(event.place, event.start) for event in [*events.operators, *self.calls]}
        self.moments |= {(launch.place, launch.start) for launch in events.launches.values()}
        keyed = [
            Timed(c.number, c.category, c.name, c.place, c.start, c.end, {"External id": c.args.get("Python id")})
            for c in self.calls
        ]
        self.walk = walk(keyed, self.moments)
        open_operators = walk(events.operators, self.moments).open_at
        self.again = {c.number: self._function_at(open_operators, c) is not None for c in keyed}
        self.keyed = keyed
        self.rows_by_name: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(MODULE_COLUMNS, 0))

    def _function_at(self, open_operators: Any, call: Timed) -> Timed | None:
        stack = open_operators.get((call.place, call.start), [])
        return self.grad.function(stack[0]) if stack else None

    def stack_at(self, place: tuple[str, str], at: int) -> list[Timed]:
        return self.walk.open_at.get((place, at), [])

    def repeated(self, call: Timed, stack: list[Timed]) -> list[Timed]:
        """The stack of the last call of the module before, where this one is inside a backward function."""
        if not self.again[call.number]:
            return stack
        before = [c for c in self.keyed if c.name == call.name and c.start <= call.start and not self.again[c.number]]
        if not before:
            return self.inside_of(call, call.start)
        last = max(before, key=lambda c: c.start)
        return self.inside_of(last, last.start)

    def inside_of(self, call: Timed, at: int) -> list[Timed]:
        stack = self.stack_at(call.place, at)
        return stack[[c.number for c in stack].index(call.number) :]

    def stack(self, operator: Timed | None, place: tuple[str, str], at: int, deep: int = 0) -> tuple[list[Timed], bool]:
        """Modules around a moment, innermost first, and whether it belongs to calls made again."""
        function = self.grad.function(operator)
        stack = self.stack_at(place, at)
        if function is None:
            return stack, False
        if stack and stack[0].start >= function.start:
            return self.repeated(stack[0], stack), True
        forward = self.grad.forward(operator)
        if forward is not None and deep < 50:
            return self.stack(self.grad.around[forward.number][0], forward.place, forward.start, deep + 1)[0], False
        of_function = self.grad.forward_of[function.number]
        if of_function is not None and deep < 50:  # communication of a ready gradient
            return self.stack(of_function, of_function.place, of_function.start, deep + 1)[0][-1:], False
        return [], False

    def rows(self) -> dict[str, dict[str, int]]:
        for call in self.keyed:
            row = self.row(call)
            row["calls"] += 1
            row["host_self_ns"] += self.walk.self_ns.get(call.number, 0)
        for name, total in self.walk.total_ns.items():
            self.rows_by_name[str(name).removeprefix("nn.Module: ")]["host_total_ns"] += total
        self._backward_host()
        for activity in self.events.activity:
            self._activity(activity)
        return dict(self.rows_by_name)

    def row(self, call: Timed) -> dict[str, int]:
        return self.rows_by_name[(call.name or "").removeprefix("nn.Module: ")]

    def _backward_host(self) -> None:
        host = walk(self.events.operators)
        for operator in self.events.operators:
            if self.grad.function(operator) is not None:
                stack, _ = self.stack(operator, operator.place, operator.start)
                for name in {c.name: c for c in stack}.values():
                    self.row(name)["backward_host_ns"] += host.self_ns.get(operator.number, 0)

    def _activity(self, activity: Timed) -> None:
        launch = self.events.launches.get(activity.number)
        operator = self.events.owner(activity)
        stack: list[Timed] = []
        again = False
        if launch is not None:
            stack, again = self.stack(operator, launch.place, launch.start)
        columns = ["device_total_ns"]
        if self.grad.function(operator) is None:
            columns.append("forward_device_ns")
        else:
            columns.append("backward_device_ns")
            if again or self.grad.recomputed(operator):
                columns.append("recompute_device_ns")
        own = self.row(stack[0]) if stack else self.rows_by_name[NOTHING]
        own["device_self_ns"] += activity.duration
        for row in [self.row(c) for c in {c.name: c for c in stack}.values()] if stack else [own]:
            for column in columns:
                row[column] += activity.duration
