"""Rows of the stored tables of kernel reports, gathered kernel by kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.schema import STORE_TABLES

PART_ROWS = 1 << 17
KERNEL, RANGE = "kernel", "range"
Frames = Iterator[tuple[str, pl.DataFrame]]


@dataclass(frozen=True)
class Kernel:
    """A kernel that was profiled; None and "" where its report does not say.

    Attributes:
        id: its number in the report, from 0.
        name, function: with and without arguments.
        created_s: when it was profiled, in s since 1970.
        sections: identifiers of the sections that were collected.
        kind: `KERNEL`, or `RANGE` of several that were measured together.
        kernels: how many a range holds.
    """

    id: int
    name: str
    function: str = ""
    process_id: int | None = None
    process: str = ""
    device: int | None = None
    context: int | None = None
    stream: int | None = None
    grid: tuple[int | None, ...] = (None, None, None)
    block: tuple[int | None, ...] = (None, None, None)
    created_s: int | None = None
    sections: tuple[str, ...] = ()
    kind: str = KERNEL
    kernels: int | None = None


@dataclass(frozen=True)
class Metrics:
    """Values of a kernel's metrics, as arrays of one length.

    Attributes:
        names, units: codes of texts.
        values: in base units, NaN where a value is a text or missing.
        texts: codes of texts, that of "" where a value is a number.
        instances: how many values it has beside this one: of instructions, of samples.
    """

    names: npt.NDArray[np.uint32]
    units: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float64]
    texts: npt.NDArray[np.uint32]
    instances: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Curve:
    """How a metric would be elsewhere.

    Attributes:
        name: code of the metric's name.
        settings, values: at which setting it would be what, as arrays of one length.
    """

    name: int
    settings: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Rule:
    """What a rule of Nsight Compute says of a kernel.

    Attributes:
        kind: OPT, WRN, INF, ERR, as its CSV has them.
        scope: what the estimate is of: ``global`` the kernel, ``local`` a unit; "" without one.
    """

    section: str
    name: str
    title: str
    kind: str
    message: str
    scope: str = ""
    speedup_pct: float | None = None


@dataclass
class Rows:
    """What was gathered; `frames` hands on what is enough for a part."""

    codes: dict[str, int] = field(default_factory=lambda: {"": 0})
    kernels: list[dict[str, Any]] = field(default_factory=list)
    rules: list[dict[str, Any]] = field(default_factory=list)
    _metrics: list[pl.DataFrame] = field(default_factory=list)
    _curves: list[pl.DataFrame] = field(default_factory=list)

    def code(self, text: str) -> int:
        """The code of a text."""
        return self.codes.setdefault(text, len(self.codes))

    def add(self, kernel: Kernel, metrics: Metrics, rules: Sequence[Rule], curves: Sequence[Curve] = ()) -> None:
        """Take a kernel. Where a metric stands twice the last one holds."""
        self.kernels.append(self._kernel(kernel))
        types = STORE_TABLES["kernel_metric"]
        columns = {
            "kernel": np.full(len(metrics.names), kernel.id),
            "name": metrics.names,
            "unit": metrics.units,
            "value": metrics.values,
            "text": metrics.texts,
            "instances": metrics.instances,
        }
        frame = pl.DataFrame(columns, schema=types).unique("name", keep="last", maintain_order=True)
        self._metrics.append(frame.with_columns(pl.col("value").fill_nan(None)))
        self.rules += [self._rule(kernel.id, rule) for rule in rules]
        for one in curves:
            own = {"kernel": kernel.id, "name": one.name, "setting": one.settings, "value": one.values}
            self._curves.append(pl.DataFrame(own, schema=STORE_TABLES["kernel_curve"]))

    def frames(self, last: bool = False) -> Frames:
        """Metrics that are enough for a part; with ``last`` all that is left, ``texts`` last."""
        waiting = sum(map(len, self._metrics))
        if waiting >= PART_ROWS or (last and waiting):
            yield "kernel_metric", pl.concat(self._metrics)
            self._metrics = []
        if last:
            if self._curves:
                yield "kernel_curve", pl.concat(self._curves)
            yield "kernel_report", pl.DataFrame(self.kernels, schema=STORE_TABLES["kernel_report"])
            yield "kernel_rule", pl.DataFrame(self.rules, schema=STORE_TABLES["kernel_rule"])
            yield "texts", pl.DataFrame({"text": list(self.codes)}, schema=STORE_TABLES["texts"])

    def _kernel(self, one: Kernel) -> dict[str, Any]:
        sizes = {f"grid_{axis}": size for axis, size in zip("xyz", one.grid, strict=True)}
        sizes |= {f"block_{axis}": size for axis, size in zip("xyz", one.block, strict=True)}
        return {
            "event": len(self.kernels),
            "kernel": one.id,
            "name": self.code(one.name),
            "function": self.code(one.function),
            "process_id": one.process_id,
            "process": self.code(one.process),
            "device": one.device,
            "context": one.context,
            "stream": one.stream,
            **sizes,
            "created_s": one.created_s,
            "sections": self.code(" ".join(one.sections)),
            "kind": self.code(one.kind),
            "kernels": one.kernels,
        }

    def _rule(self, kernel: int, rule: Rule) -> dict[str, Any]:
        texts = {
            name: self.code(getattr(rule, name)) for name in ("section", "name", "title", "kind", "message", "scope")
        }
        return {"kernel": kernel, **texts, "speedup_pct": rule.speedup_pct}
