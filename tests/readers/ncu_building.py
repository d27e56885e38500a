"""Writes small reports of Nsight Compute, and the CSV of the same kernels."""

from __future__ import annotations

import csv
import io
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Value = float | int | str | None
_FUNCTIONS = "launch__kernel_name"


def varint(number: int) -> bytes:
    parts = []
    while number >= 128:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def number_field(place: int, value: int) -> bytes:
    return varint(place << 3) + varint(value)


def bytes_field(place: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return varint(place << 3 | 2) + varint(len(data)) + data


def double_field(place: int, value: float) -> bytes:
    return varint(place << 3 | 1) + struct.pack("<d", value)


def float_field(place: int, value: float) -> bytes:
    return varint(place << 3 | 5) + struct.pack("<f", value)


def lengthed(message: bytes) -> bytes:
    return struct.pack("<I", len(message)) + message


def value_message(value: Value) -> bytes:
    if value is None:
        return b""
    if isinstance(value, str):
        return bytes_field(1, value)
    return number_field(5, value) if isinstance(value, int) else double_field(3, value)


@dataclass(frozen=True)
class MadeRule:
    """A sentence of a rule.

    Attributes:
        printed: how Nsight Compute prints it, where that is not as in the report.
    """

    section: str
    name: str
    kind: int
    text: str
    scope: int = 0
    speedup_pct: float | None = None
    printed: str = ""

    def message(self) -> bytes:
        said = bytes_field(1, self.text) + number_field(2, self.kind) + bytes_field(4, f"Title of {self.name}")
        item = bytes_field(1, said)
        if self.speedup_pct is not None:
            item += bytes_field(10, number_field(1, self.scope) + double_field(2, self.speedup_pct))
        whole = bytes_field(1, self.name) + bytes_field(2, self.name)
        return whole + bytes_field(3, bytes_field(1, item)) + bytes_field(4, self.section)


@dataclass(frozen=True)
class MadeKernel:
    """A kernel with metrics in base units."""

    name: str
    metrics: Mapping[str, Value]
    grid: tuple[int, int, int] = (64, 1, 1)
    block: tuple[int, int, int] = (256, 1, 1)
    rules: Sequence[MadeRule] = ()
    sections: Sequence[str] = ("SpeedOfLight",)
    instances: Mapping[str, Sequence[int] | Mapping[int, int]] = field(default_factory=dict)

    def message(self, names: Sequence[str]) -> bytes:
        parts = [number_field(2, 1), bytes_field(6, self.name.partition("(")[0]), bytes_field(7, self.name)]
        parts += [bytes_field(place, _sizes(size)) for place, size in ((10, self.grid), (11, self.block))]
        parts += [bytes_field(13, self.metric(name, names)) for name in self.metrics]
        parts += [number_field(14, 1_700_000_000)]
        parts += [bytes_field(17, bytes_field(1, section)) for section in self.sections]
        parts += [bytes_field(19, rule.message()) for rule in self.rules]
        return b"".join([*parts, number_field(22, 1), number_field(23, 7)])

    def metric(self, name: str, names: Sequence[str]) -> bytes:
        whole = number_field(1, names.index(name)) + bytes_field(2, value_message(self.metrics[name]))
        own = self.instances.get(name, ())
        for at, value in own.items() if isinstance(own, Mapping) else enumerate(own):
            whole += bytes_field(3, bytes_field(1, number_field(5, at)) + bytes_field(2, number_field(5, value)))
        return whole + number_field(4, 0)


def _sizes(size: tuple[int, int, int]) -> bytes:
    return b"".join(number_field(axis, count) for axis, count in enumerate(size, start=1))


def made_range(metrics: MadeKernel, functions: Sequence[str]) -> Callable[[list[str]], bytes]:
    """A range with the metrics of a kernel and kernels of some functions: its bytes by the names of the report."""

    def message(names: list[str]) -> bytes:
        names += [name for name in (*metrics.metrics, _FUNCTIONS) if name not in names]
        every = b"".join(bytes_field(4, metrics.metric(name, names)) for name in metrics.metrics)
        said = [bytes_field(1, number_field(5, at)) for at in range(len(functions))]
        own = [at + bytes_field(2, bytes_field(1, one)) for at, one in zip(said, functions, strict=True)]
        named = number_field(1, names.index(_FUNCTIONS)) + b"".join(bytes_field(3, one) for one in own)
        return every + bytes_field(4, named) + number_field(5, 1_700_000_000) + number_field(11, 1)

    return message


def report(
    kernels: Sequence[MadeKernel], graphs: int = 0, ranges: Sequence[Callable[[list[str]], bytes]] = ()
) -> bytes:
    """The bytes of a report: each kernel in a block of its own, which holds the names that are new in it."""
    process = bytes_field(6, number_field(1, 815) + bytes_field(3, "/home/someone/train"))
    version = bytes_field(1, "Nsight Compute Target") + bytes_field(2, "2025.3.1.0 (build 1)")
    device = number_field(1, 0) + bytes_field(2, "NVIDIA H200")
    session = bytes_field(8, version) + bytes_field(6, device)
    blocks = [
        lengthed(bytes_field(3, session) + process),
        _block(process, [], sources=[number_field(1, 1) + bytes_field(4, "code")]),
    ]
    names: list[str] = []
    for kernel in kernels:
        new = [name for name in kernel.metrics if name not in names]
        names += new
        blocks.append(_block(process, [kernel.message(names)], new))
    for one in ranges:
        known = len(names)
        message = one(names)
        blocks.append(_block(process, [], names[known:], ranges=[message]))
    if graphs:
        blocks.append(_block(process, [], graphs=[b"\x08\x01"] * graphs))
    return b"NVR\0" + lengthed(number_field(1, 7)) + b"".join(blocks)


def _block(
    process: bytes,
    results: Sequence[bytes],
    names: Sequence[str] = (),
    sources: Sequence[bytes] = (),
    ranges: Sequence[bytes] = (),
    graphs: Sequence[bytes] = (),
) -> bytes:
    payload = b"".join(map(lengthed, [*sources, *results, *ranges, *graphs]))
    strings = b"".join(bytes_field(1, name) for name in names)
    header = number_field(1, len(sources)) + number_field(2, len(results)) + bytes_field(4, strings)
    header += number_field(5, len(payload)) + process + number_field(7, len(ranges))
    header += number_field(9, len(graphs))
    return lengthed(header) + payload


_FIXED = [
    "ID",
    "Process ID",
    "Process Name",
    "Host Name",
    "Kernel Name",
    "Context",
    "Stream",
    "Block Size",
    "Grid Size",
]
_FIXED += ["Device", "CC"]


def raw_page(kernels: Sequence[MadeKernel], units: Mapping[str, tuple[str, float]]) -> str:
    """What ``--page raw`` prints, values in units that are given with what they are divided by."""
    names = list(dict.fromkeys(name for kernel in kernels for name in kernel.metrics))
    rows = [[*_FIXED, *names], [*[""] * len(_FIXED), *(units.get(name, ("", 1.0))[0] for name in names)]]
    for at, kernel in enumerate(kernels):
        cells = [_cell(kernel.metrics.get(name), units.get(name, ("", 1.0))[1]) for name in names]
        rows.append([*_first(at, kernel), *cells])
    return _text(rows)


def details_page(kernels: Sequence[MadeKernel], labels: Mapping[str, tuple[str, str, str, float]]) -> str:
    """What ``--page details`` prints: of each metric its section, label, unit and what its value is divided by."""
    names = [*_FIXED, "Section Name", "Metric Name", "Metric Unit", "Metric Value", "Rule Name", "Rule Type"]
    rows = [[*names, "Rule Description", "Estimated Speedup Type", "Estimated Speedup"]]
    for at, kernel in enumerate(kernels):
        first = _first(at, kernel)
        for name, value in kernel.metrics.items():
            if name in labels:
                section, label, unit, divisor = labels[name]
                rows.append([*first, section, label, unit, _cell(value, divisor), ""])
        for rule in kernel.rules:
            kind, scope = {1: "INF", 4: "OPT"}[rule.kind], {0: "", 1: "local", 2: "global"}[rule.scope]
            estimate = "" if rule.speedup_pct is None else f"{rule.speedup_pct:.4g}"
            rows.append([*first, rule.section, "", "", "", rule.name, kind, rule.printed or rule.text, scope, estimate])
    return _text(rows)


def _first(at: int, kernel: MadeKernel) -> list[str]:
    known = [str(at), "815", "train", "127.0.0.1", kernel.name, "1", "7", str(kernel.block), str(kernel.grid)]
    return [*known, "0", "9.0"]


def _cell(value: Value, divisor: float) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{value / divisor:,.6f}" if isinstance(value, float) else f"{value:,}"


def _text(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return text.getvalue()
