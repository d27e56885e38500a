"""Counters that a recording sampled over time: which there are, of which GPU, and their samples.

Sources: torch's CUPTI monitor (2.13 and later) writes a process "GPU N Counters"; Kineto gives counters of other
devices the number of the device as their process; any other writer may add counters of the host.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.intervals import Ints, Union, union
from stepscope.readers.formats import TELEMETRY
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank
from stepscope.store.sharing import GPU_PROCESS
from stepscope.store.trace import Trace

DEVICE_CATEGORIES = ("hardware_counters", "mtia_counters", "xpu_scope_profiler")
"""Categories of counters whose process is a device and whose thread is a part of it."""

_IDENTITY = ["category", "process", "thread", "name", "key", "flow"]
_FACTS = ["gpu", "series_process", "title", "unit"]
_UNIT = re.compile(r"(.*\S)\s*\(([^()]+)\)")
_UNITS = {unit: unit for unit in ("W", "mW", "J", "mJ", "V", "mV", "Hz", "MHz", "GHz", "%", "B", "B/s", "RPM")}
_UNITS |= {unit: unit for unit in ("KB", "MB", "GB", "KiB", "MiB", "GiB", "KB/s", "MB/s", "GB/s", "GiB/s")}
_UNITS |= {"C": "°C", "bytes": "B", "°C": "°C"}
_BRACKETS = {re.compile(r".*\[Avg Warps per Cycle\]"): "warps", re.compile(r".*\bWarps\b.*\[Avg\]"): "warp cycles"}
"""Of Nsight Systems, whose names are unique by these brackets only; `[Avg]` sums warps over the cycles of a sample."""
_CYCLES = "Cycles (Current Kernel)"

_REACH = 2
"""A sample stands for the time until the next one, but for no more than so many usual intervals."""

_LATEST = np.iinfo(np.int64).max


@dataclass(frozen=True)
class SampledCounter:
    """One counter and its samples.

    Attributes:
        gpu: number of the GPU; None of a counter that belongs to none.
        process: what the recording calls its process, as "GPU 0 Counters" or a number.
        name: of the counter, without its unit.
        unit: as "W" or "%"; None where the name does not say.
        at: moments in ns, ascending.
        value: at each moment; NaN where the recording holds no finite number.
    """

    gpu: int | None
    process: str | None
    name: str
    unit: str | None
    at: Ints
    value: npt.NDArray[np.float64]

    @property
    def interval_ns(self) -> int | None:
        """Median time between two samples, of an even number of times the lower; None of fewer than two samples."""
        known = self.at[~np.isnan(self.value)]
        gaps = _gaps(known)
        gaps = gaps[gaps > 0]
        return int(np.sort(gaps)[(len(gaps) - 1) // 2]) if len(gaps) else None

    @property
    def covered(self) -> Union:
        """The time that its samples stand for."""
        interval = self.interval_ns
        if interval is None:
            return union(self.at[:0], self.at[:0])
        reach = np.append(np.minimum(_gaps(self.at), min(_REACH * interval, _LATEST)), interval)
        known = ~np.isnan(self.value)
        at, reach = self.at[known], reach[known]
        return union(at, np.where(at > _LATEST - reach, _LATEST, at + reach))


def _gaps(at: Ints) -> Ints:
    """Time between neighbours of ascending moments; what int64 cannot hold counts as the most that it can."""
    gaps = np.diff(at.view(np.uint64))
    return np.minimum(gaps, np.uint64(_LATEST)).astype(np.int64)


def is_telemetry(rank: Rank) -> bool:
    """Whether nothing but telemetry was recorded of a rank."""
    return rank.trace.kind == TELEMETRY


@per_rank(whole=True)
def sampled_counters(rank: Rank) -> list[SampledCounter]:
    """Every counter of the whole recording and of telemetry beside it, those of GPUs first, by GPU, process and name.

    Telemetry beside a trace is on the clock of the trace where the two are joined (`store.joining`); else it is left
    out. Of a log of several ranks' GPUs, those of other ranks are left out.
    """
    found = _counters_of(rank.trace, 0)
    for one in rank.recordings[1:]:
        if one.kind == TELEMETRY and one.joined and one.shift_ns is not None:
            mine = _counters_of(one.trace, one.shift_ns)
            found += [counter for counter in mine if one.gpus is None or counter.gpu in (None, *one.gpus)]
    return sorted(found, key=lambda one: (one.gpu is None, one.gpu or 0, one.process or "", one.name, one.unit or ""))


def _counters_of(trace: Trace, shift_ns: int) -> list[SampledCounter]:
    """The counters of a trace, their times shifted."""
    if trace.rows("counter") == 0:
        return []
    frame = trace.frame("counter", [*_IDENTITY, "start_ns", "value"])
    frame = frame.filter(pl.col("start_ns").is_not_null() & pl.col("key").is_not_null())
    series = _described(trace, frame.select(_IDENTITY).unique())
    samples = frame.join(series, _IDENTITY, nulls_equal=True)
    # The order of the file does not matter: samples of one moment are in order of their values.
    samples = samples.select(*_FACTS, "start_ns", "value").sort("start_ns", "value")
    found = []
    for (gpu, process, name, unit), mine in samples.group_by(_FACTS, maintain_order=True):
        at, value = mine["start_ns"].to_numpy(), mine["value"].fill_null(np.nan).to_numpy()
        found.append(SampledCounter(gpu, process, name, unit, at + shift_ns, value))
    return found


def _described(trace: Trace, series: pl.DataFrame) -> pl.DataFrame:
    """Series as the store tells them apart, with the columns `_FACTS`: what people call them."""
    labels = _gpus_by_label(trace)
    codes = series["process"].to_list()
    texts = {column: trace.text(series[column]).to_list() for column in _IDENTITY if column != "flow"}
    rows: list[tuple[int | None, str | None, str, str | None]] = []
    for i, flow in enumerate(series["flow"].to_list()):
        category, process, thread, name, key = (texts[column][i] for column in texts)
        is_device = category in DEVICE_CATEGORIES
        gpu = _gpu_number(process or "", is_device)
        plain, unit = _name_and_unit(name or "")
        parts = [plain, *([key] if key else [])]
        # Counters belong to a process, whatever thread wrote them; the threads of a device are parts of it.
        parts += [thread] if is_device and thread not in (None, "", "0") else []
        parts += [f"#{flow}"] if flow is not None else []
        rows.append((labels.get(codes[i]) if gpu is None else gpu, process, ": ".join(parts), unit))
    types = {"gpu": pl.Int64, "series_process": pl.String, "title": pl.String, "unit": pl.String}
    return pl.concat([series, pl.DataFrame(rows, schema=types, orient="row")], how="horizontal")


def _gpu_number(process: str, is_device: bool) -> int | None:
    """Number of the GPU that a process stands for, as far as its own name tells."""
    found = GPU_PROCESS.fullmatch(process)
    if found is not None:
        return int(found.group(1))
    return int(process) if is_device and process.isdecimal() and len(process) < 10 else None


def _gpus_by_label(trace: Trace) -> dict[int, int]:
    """Numbers of GPUs by the code of the process that the recording labels as one, as "GPU 0"."""
    if trace.rows("label") == 0:
        return {}
    frame = trace.frame("label", ["process", "label_name", "label"])
    frame = pl.concat([frame.select("process", pl.col(name).alias("text")) for name in ("label_name", "label")])
    frame = frame.drop_nulls().unique()
    named = frame.select("process", trace.text(frame["text"])).sort("process", "text").iter_rows()
    found = ((process, GPU_PROCESS.fullmatch(text)) for process, text in named)
    return {process: int(match.group(1)) for process, match in found if match is not None}


def _name_and_unit(name: str) -> tuple[str, str | None]:
    """A counter's name without its unit, and the unit.

    >>> _name_and_unit("SM Clock (MHz)"), _name_and_unit("PCIe"), _name_and_unit("Cycles (Current Kernel)")
    (('SM Clock', 'MHz'), ('PCIe', None), ('Cycles (Current Kernel)', 'cycles'))
    >>> _name_and_unit("Pixel Warps in Flight [Avg Warps per Cycle]")
    ('Pixel Warps in Flight [Avg Warps per Cycle]', 'warps')
    """
    if name == _CYCLES:
        return name, "cycles"
    for pattern, unit in _BRACKETS.items():
        if pattern.fullmatch(name):
            return name, unit
    found = _UNIT.fullmatch(name)
    if found is None or found.group(2) not in _UNITS:
        return name, None
    return found.group(1), _UNITS[found.group(2)]
