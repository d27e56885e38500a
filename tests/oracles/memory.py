"""The memory tables once more, event by event, straight from the ``[memory]`` instants of a trace."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from oracles import general as oracle

_KINDS = {0: "cpu", 1: "cuda", 12: "xpu"}
_MERE_ALLOCATORS = ("aten::empty", "aten::new_empty", "aten::resize_", "aten::_resize_output_")


@dataclass
class Change:
    """One allocation or release: device, time, bytes, address, totals, operators around it (innermost first)."""

    device: str
    at: int
    change: int
    address: int | None
    allocated: int | None
    reserved: int | None
    around: list[oracle.Timed]

    @property
    def op(self) -> str | None:
        """The innermost operator that does not merely allocate for another."""
        for operator in self.around:
            if not (operator.name or "").startswith(_MERE_ALLOCATORS):
                return operator.name
        return self.around[-1].name if self.around else None

    @property
    def innermost(self) -> str | None:
        return self.around[0].name if self.around else None


def changes(events: oracle.Events) -> list[Change]:
    """Every memory event in order of time."""
    found: list[tuple[int, int, dict[str, Any]]] = []
    for number, row in enumerate(events.rows):
        if isinstance(row, dict) and row.get("name") == "[memory]" and row.get("ph") == "i":
            at = oracle.nanoseconds(row.get("ts"))
            if at is not None and isinstance(row.get("args", {}).get("Bytes"), int):
                found.append((at, number, row))
    found.sort(key=lambda item: item[:2])
    places = {((str(row.get("pid")), str(row.get("tid"))), at) for at, _, row in found}
    open_at = oracle.walk(events.operators, places).open_at
    result = []
    for at, _, row in found:
        args = row["args"]
        kind, index = args.get("Device Type"), args.get("Device Id")
        name = _KINDS.get(kind, "unknown")
        device = name if kind == 0 or index is None or index < 0 else f"{name}:{index}"
        totals = args.get("Total Allocated"), args.get("Total Reserved")
        around = open_at.get(((str(row.get("pid")), str(row.get("tid"))), at), [])
        result.append(Change(device, at, args["Bytes"], args.get("Addr"), *totals, around))
    return result


def memory(all_changes: list[Change]) -> dict[tuple[str | None, str], dict[str, int]]:
    """Rows of ``memory`` by operator (None: outside operators) and device."""
    columns = ("allocations", "allocated_bytes", "increase_bytes")
    zero = dict.fromkeys([*columns, *(f"self_{name}" for name in columns)], 0)
    rows: dict[tuple[str | None, str], dict[str, int]] = defaultdict(lambda: dict(zero))
    for change in all_changes:
        amounts = (int(change.change > 0), max(change.change, 0), change.change)
        for name, amount in zip(columns, amounts, strict=True):
            rows[change.innermost, change.device][f"self_{name}"] += amount
            for around in {operator.name for operator in change.around} or {None}:
                rows[around, change.device][name] += amount
    return {key: row for key, row in rows.items() if any(row.values())}


def levels(all_changes: list[Change]) -> dict[str, list[int]]:
    """Total of each device before its first event and after each; taken from the events' totals."""
    found: dict[str, list[int]] = {}
    for change in all_changes:
        assert change.allocated is not None
        found.setdefault(change.device, [change.allocated - change.change]).append(change.allocated)
    return found


def peak(all_changes: list[Change], device: str) -> tuple[int, dict[str | None, tuple[int, int]], int]:
    """Total at the peak, bytes and blocks alive by operator (None: outside), and bytes from before the recording."""
    mine = [change for change in all_changes if change.device == device]
    curve = levels(all_changes)[device]
    top = curve.index(max(curve))
    alive: dict[int | None, Change] = {}
    before = curve[0]
    for change in mine[:top]:
        if change.change > 0:
            alive[change.address] = change
        elif change.address in alive:
            del alive[change.address]
        else:
            before += change.change
    by_op: dict[str | None, tuple[int, int]] = {}
    for change in alive.values():
        size, blocks = by_op.get(change.op, (0, 0))
        by_op[change.op] = size + change.change, blocks + 1
    return curve[top], by_op, before


def blocks(all_changes: list[Change]) -> list[tuple[Any, ...]]:
    """Every block: device, op, bytes, start, end, releasing operator, address."""
    found: list[tuple[Any, ...]] = []
    alive: dict[tuple[str, int | None], Change] = {}
    for change in all_changes:
        key = (change.device, change.address)
        old = alive.pop(key, None)
        if change.change > 0:
            if old is not None:
                found.append((old.device, old.op, old.change, old.at, None, None, old.address))
            alive[key] = change
        elif old is not None:
            found.append((old.device, old.op, old.change, old.at, change.at, change.innermost, old.address))
        else:
            found.append((change.device, None, -change.change, None, change.at, change.innermost, change.address))
    found += [(old.device, old.op, old.change, old.at, None, None, old.address) for old in alive.values()]
    return found
