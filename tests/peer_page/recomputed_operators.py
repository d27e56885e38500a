"""The TensorBoard plugin's operators computed anew from a trace: its tree, its self times, its GPU times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from peer_page.recomputed_plugin import ACTIVITY, CALLS, role_of
from peer_page.rows import Row, timed_rows


@dataclass
class Node:
    """A host event in the plugin's tree, with what it called and launched directly, in us."""

    name: str
    start: float
    end: float
    is_operator: bool
    calls_us: float = 0.0
    device_us: float = 0.0
    children: list[Node] = field(default_factory=list)

    @property
    def host_self_us(self) -> float:
        return self.end - self.start - sum(child.end - child.start for child in self.children) - self.calls_us

    @property
    def device_total_us(self) -> float:
        return self.device_us + sum(child.device_total_us for child in self.children)


@dataclass
class Sums:
    """An operator's row in the plugin's view, in us."""

    calls: int = 0
    host_total: float = 0.0
    host_self: float = 0.0
    device_total: float = 0.0
    device_self: float = 0.0


MODULE = "nn.Module: "


@cache
def operators(path: Path, *, mended: bool = False) -> dict[str, Sums]:
    """By name. GPU time goes to the operator whose External id the runtime call carries."""
    return {name: row for name, row in _sums(path, mended).items() if not name.startswith(MODULE)}


@cache
def modules(path: Path, *, mended: bool = False) -> dict[str, Sums]:
    """By name. A runtime call without an External id goes to the first module, which has none either."""
    found = _sums(path, mended)
    return {name.removeprefix(MODULE): row for name, row in found.items() if name.startswith(MODULE)}


def _sums(path: Path, mended: bool) -> dict[str, Sums]:
    called, launched = _by_external_id(path) if mended else ({}, {})
    found: dict[str, Sums] = defaultdict(Sums)
    for node in _nodes(_trees(path, mended, called, launched)):
        if node.is_operator or node.name.startswith(MODULE):
            row = found[node.name]
            row.calls += 1
            row.host_total += node.end - node.start
            row.host_self += node.host_self_us
            row.device_total += node.device_total_us
            row.device_self += node.device_us
    return found


def _by_external_id(path: Path) -> tuple[dict[object, float], dict[object, float]]:
    """Time of runtime calls, and of what they launched, by the calls' External id."""
    rows = timed_rows(path)
    device: dict[object, float] = defaultdict(float)
    for row in rows:
        if row.category in ACTIVITY:
            device[row.args["correlation"]] += row.duration
    called: dict[object, float] = defaultdict(float)
    launched: dict[object, float] = defaultdict(float)
    for row in rows:
        if row.category in CALLS:
            called[row.args.get("External id")] += row.duration
            launched[row.args.get("External id")] += device.get(row.args.get("correlation"), 0.0)
    return called, launched


def _trees(path: Path, mended: bool, called: dict[object, float], launched: dict[object, float]) -> Iterator[Node]:
    """A root per thread; what sticks out of its parent is dropped, what only calls its own name is one with it."""
    threads: dict[str, list[Row]] = defaultdict(list)
    for row in timed_rows(path):
        is_module = row.category == "python_function" and "Python module id" in row.args
        if is_module or role_of(row, mended) in ("Step", "Communication", "CpuOp"):
            threads[row.place[1]].append(row)
    for rows in threads.values():
        root = Node("", float("-inf"), float("inf"), False)
        stack = [root]
        for row in sorted(rows, key=lambda row: (row.start, -row.end)):
            external = row.args.get("External id") if row.category != "python_function" else None
            node = Node(
                row.name,
                row.start,
                row.end,
                row.category == "cpu_op",
                called.pop(external, 0.0),
                launched.pop(external, 0.0),
            )
            while row.start >= stack[-1].end:
                stack.pop()
            if row.end <= stack[-1].end:
                stack[-1].children.append(node)
                stack.append(node)
        _merge(root)
        yield root


def _merge(node: Node) -> None:
    while len(node.children) == 1 and node.is_operator and node.children[0].is_operator:
        [child] = node.children
        if child.name != node.name:
            break
        node.children, node.calls_us, node.device_us = child.children, child.calls_us, child.device_us
    for child in node.children:
        _merge(child)


def _nodes(roots: Iterable[Node]) -> Iterator[Node]:
    for root in roots:
        yield root
        yield from _nodes(root.children)
