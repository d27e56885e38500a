"""Units of metrics: of a report by their names, since it does not say any; of a CSV without prefixes.

A report holds every value in the base unit of its metric. Where a name does not tell the unit it stays unknown.
"""

from __future__ import annotations

import re
from functools import cache

_PREFIXES = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_SCALED = re.compile(r"(|%/)([KMGTP])(byte|hz)(.*)")
_TIMES = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
"""Of a time, in ns."""

_RATES = {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1.0}
"""Of what is per time, in 1/s."""

_OLD = (("nsecond", "ns"), ("usecond", "us"), ("msecond", "ms"), ("second", "s"))
"""How older versions write units of time."""

_COUNTED = {
    "bytes": "byte",
    "sectors": "sector",
    "cycles": "cycle",
    "warps": "warp",
    "inst": "inst",
    "duration": "ns",
}
_KNOWN = {
    "launch__registers_per_thread": "register/thread",
    "launch__registers_per_thread_allocated": "register/thread",
    "launch__sm_count": "SM",
    "launch__thread_count": "thread",
    "launch__shared_mem_config_size": "byte",
    "launch__cluster_max_active": "cluster",
    "launch__cluster_max_potential_size": "block",
    "launch__persisting_l2_cache_size": "byte",
    "profiler__pmsampler_interval_time": "ns",
    "profiler__pmsampler_buffer_size_bytes": "byte",
    "sm__maximum_warps_avg_per_active_cycle": "warp",
    "smsp__maximum_warps_avg_per_active_cycle": "warp",
    "smsp__average_warp_latency_per_inst_issued.ratio": "cycle",
    "smsp__average_warps_active_per_inst_executed.ratio": "cycle",
}
_PATTERNS = (
    (re.compile(r"launch__shared_mem_per_block(_\w+)?"), "byte/block"),
    (re.compile(r"launch__(block_dim_[xyz]|occupancy_limit_\w+)"), "block"),
    (re.compile(r"smsp__average_warps_issue_stalled_\w+_per_issue_active\.ratio"), "inst"),
    (re.compile(r"smsp__sass_average_data_bytes_per_sector_\w+\.(ratio|max_rate)"), "byte/sector"),
    (re.compile(r"smsp__average_warps_issue_stalled_\w+"), "inst"),
    (re.compile(r"(lts__t_requests|gcc__cache_requests)\w*\.(sum|avg|min|max)"), "request"),
    (re.compile(r"(\w+\.)*\w+\.pct(_of_peak\w*)?|\w+_pct"), "%"),
)
_WORD = re.compile(r"[a-z0-9]+")


@cache
def unit_of(metric: str) -> str:
    """The base unit of a metric, "" where its name does not say it.

    >>> unit_of("dram__bytes_read.sum"), unit_of("dram__bytes_read.sum.per_second"), unit_of("gpu__time_duration.sum")
    ('byte', 'byte/s', 'ns')
    >>> unit_of("lts__t_sector_hit_rate.pct"), unit_of("sm__cycles_elapsed.avg.per_second"), unit_of("launch__x")
    ('%', 'hz', '')
    """
    if metric in _KNOWN:
        return _KNOWN[metric]
    found = next((unit for pattern, unit in _PATTERNS if pattern.fullmatch(metric)), None)
    if found is not None:
        return found
    counter, _, rest = metric.rpartition("__")[2].partition(".")
    return _per(_counted(counter), rest) if rest and not metric.startswith("derived__") else ""


def _counted(counter: str) -> str:
    """What a hardware counter counts, "" where its name does not say it."""
    words = _WORD.findall(counter.replace("_", " "))
    return next((_COUNTED[word] for word in words if word in _COUNTED), "")


def _per(unit: str, rest: str) -> str:
    """The unit of a value that is made of counts, as the end of its name says."""
    if not unit or rest in ("sum", "avg", "min", "max"):
        return unit
    if rest.endswith("per_second") and "peak" not in rest:
        return "hz" if unit == "cycle" else f"{unit}/s"
    if "per_cycle" in rest or rest.endswith("peak_sustained"):
        return {"warp": "warp", "cycle": ""}.get(unit, f"{unit}/cycle")
    return ""


def based(unit: str) -> tuple[float, str]:
    """What a value of a CSV is multiplied by to be in the base unit, and that unit.

    >>> based("Gbyte/s"), based("us"), based("sector/ns"), based("Kbyte/block"), based("%")
    ((1000000000.0, 'byte/s'), (1000.0, 'ns'), (1000000000.0, 'sector/s'), (1000.0, 'byte/block'), (1.0, '%'))
    >>> based("Gbyte/second"), based("usecond")
    ((1000000000.0, 'byte/s'), (1000.0, 'ns'))
    """
    for old, new in _OLD:
        unit = unit.replace(old, new)
    if unit in _TIMES:
        return _TIMES[unit], "ns"
    factor = 1.0
    scaled = _SCALED.fullmatch(unit)
    if scaled:
        factor, unit = _PREFIXES[scaled[2]], scaled[1] + scaled[3] + scaled[4]
    counted, slash, time = unit.partition("/")
    if slash and time in _RATES:
        factor, unit = factor * _RATES[time], f"{counted}/s"
    return factor, "hz" if unit == "cycle/s" else unit
