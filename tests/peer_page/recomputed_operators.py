"""The TensorBoard plugin's operators computed anew from a trace: its tree, its self times, its GPU times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from peer_page.recomputed_plugin import ACTIVITY, CALLS, TENSOR_CORES, role_of
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
    kernels_us: float = 0.0
    tensor_us: float = 0.0
    children: list[Node] = field(default_factory=list)

    @property
    def host_self_us(self) -> float:
        return self.end - self.start - sum(child.end - child.start for child in self.children) - self.calls_us

    @property
    def is_fit(self) -> bool:
        """For tensor cores: by its name, or because it used them."""
        return self.name in ELIGIBLE or self.tensor_us > 0

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
ELIGIBLE = {
    *(f"aten::{name}" for name in ("_convolution", "conv1d", "conv2d", "conv3d", "conv_tbc", "convolution")),
    *(f"aten::{name}" for name in ("conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cudnn_convolution")),
    *(f"aten::{name}" for name in ("cudnn_convolution_transpose", "prelu", "addmm", "addmm_", "addmv", "addr", "mm")),
    *(f"aten::{name}" for name in ("matmul", "mv", "linear", "addbmm", "baddbmm", "bmm", "chain_matmul", "lstm_cell")),
    *(f"aten::{name}" for name in ("linalg_multi_dot", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell")),
    *("BmmBackward0", "MmBackward", "MvBackward", "AddmvBackward", "AddmmBackward", "AddbmmBackward"),
}
"""Operators that the plugin holds to be fit for tensor cores, without some for cuDNN that no recording has."""


@cache
def operators(path: Path, *, patched: bool = False) -> dict[str, Sums]:
    """By name. GPU time goes to the operator whose External id the runtime call carries."""
    return {name: row for name, row in _sums(path, patched).items() if not name.startswith(MODULE)}


@cache
def modules(path: Path, *, patched: bool = False) -> dict[str, Sums]:
    """By name. A runtime call without an External id goes to the first module, which has none either."""
    found = _sums(path, patched)
    return {name.removeprefix(MODULE): row for name, row in found.items() if name.startswith(MODULE)}


def _sums(path: Path, patched: bool) -> dict[str, Sums]:
    found: dict[str, Sums] = defaultdict(Sums)
    for node in _nodes(_trees(path, patched)):
        if node.is_operator or node.name.startswith(MODULE):
            row = found[node.name]
            row.calls += 1
            row.host_total += node.end - node.start
            row.host_self += node.host_self_us
            row.device_total += node.device_total_us
            row.device_self += node.device_us
    return found


def eligible(path: Path, *, patched: bool = False) -> float:
    """Share of the operators' kernel time in those fit for tensor cores, by the innermost that is fit, in %."""
    nodes = [node for node in _nodes(_trees(path, patched)) if node.is_operator]
    fit = [node for node in nodes if node.is_fit and not _holds_fit(node)]
    total = sum(node.kernels_us for node in nodes)
    return 100 * sum(node.kernels_us for node in fit) / total if total else 0.0


def _holds_fit(node: Node) -> bool:
    return any(child.is_fit or _holds_fit(child) for child in node.children)


def _by_external_id(path: Path) -> dict[object, list[float]]:
    """By External id of runtime calls: their time, that of what they launched, its kernels, those on tensor cores."""
    rows = timed_rows(path)
    work: dict[object, list[Row]] = defaultdict(list)
    for row in rows:
        if row.category in ACTIVITY:
            work[row.args["correlation"]].append(row)
    found: dict[object, list[float]] = defaultdict(lambda: [0.0] * 4)
    for row in rows:
        if row.category in CALLS:
            done = work.get(row.args.get("correlation"), [])
            kernels = [one for one in done if one.category == "kernel"]
            on_tensor_cores = [one for one in kernels if any(text in one.name for text in TENSOR_CORES)]
            times = [sum(one.duration for one in some) for some in ([row], done, kernels, on_tensor_cores)]
            sums = found[row.args.get("External id")]
            sums[:] = [old + new for old, new in zip(sums, times, strict=True)]
    return found


def _trees(path: Path, patched: bool) -> Iterator[Node]:
    """A root per thread; what sticks out of its parent is dropped, what only calls its own name is one with it."""
    by_id = _by_external_id(path) if patched else {}
    threads: dict[str, list[Row]] = defaultdict(list)
    for row in timed_rows(path):
        is_module = row.category == "python_function" and "Python module id" in row.args
        if is_module or role_of(row, patched) in ("Step", "Communication", "CpuOp"):
            threads[row.place[1]].append(row)
    for rows in threads.values():
        root = Node("", float("-inf"), float("inf"), False)
        stack = [root]
        for row in sorted(rows, key=lambda row: (row.start, -row.end)):
            external = row.args.get("External id") if row.category != "python_function" else None
            times = by_id.pop(external, [0.0] * 4)
            node = Node(row.name, row.start, row.end, row.category == "cpu_op", *times)
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
        node.children, node.calls_us = child.children, child.calls_us
        node.device_us, node.kernels_us, node.tensor_us = child.device_us, child.kernels_us, child.tensor_us
    for child in node.children:
        _merge(child)


def _nodes(roots: Iterable[Node]) -> Iterator[Node]:
    for root in roots:
        yield root
        yield from _nodes(root.children)
