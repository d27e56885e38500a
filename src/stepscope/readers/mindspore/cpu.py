"""The use of CPUs as MindData samples it: of the machine, of the process, and of each operator of the pipeline.

MindSpore 2.10 stores every sample of the machine twice: the first of each pair is the sample, the second is zero.
Idle, I/O and the counts are twice as long as the times then; user and system are cut to the length of the times, so
they cover the first half of the recording. The first sample of these compares with nothing and is left out.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.readers.mindspore.pipeline import loaded, numbers, objects, whole

MACHINE, PROCESS, OPERATOR = "machine", "process", "operator"

_MS = 10**6
_USAGE = {
    "scope": pl.String,
    "operator": pl.Int64,
    "time_ns": pl.Int64,
    "user_pct": pl.Float64,
    "system_pct": pl.Float64,
    "io_pct": pl.Float64,
    "idle_pct": pl.Float64,
    "runnable": pl.Float64,
    "switches": pl.Float64,
}
_KEYS = {
    "user_pct": ("user_utilization",),
    "system_pct": ("sys_utilization",),
    "io_pct": ("io_utilization",),
    "idle_pct": ("idle_utilization",),
    "runnable": ("runnable_process", "runable_processes", "runnable_processes"),
    "switches": ("context_switch_count",),
}
"""Columns and how versions of MindSpore call them."""


def cpu_usage(text: str) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Samples, and what the file says beside them: the interval in ns, the cores, whether samples were stored twice.

    Raises:
        ValueError: it holds no times.
    """
    found = loaded(text)
    times = numbers(found.get("time_stamp"))
    if not times:
        raise ValueError("no times")
    machine = _series(found.get("device_info"))
    doubled = len(times) > 1 and len(machine["idle_pct"]) >= 2 * len(times) - 1
    if doubled:
        machine = {name: values[::2] for name, values in machine.items()}
    frames = [_frame(MACHINE, None, times, machine, first=int(doubled))]
    frames.append(_frame(PROCESS, None, times, _series(found.get("process_info")), first=0))
    for one in objects(found.get("op_info")):
        number = whole(one.get("op_id"))
        if number is not None:
            frames.append(_frame(OPERATOR, number, times, _series(one.get("metrics")), first=0))
    interval, cores = whole(found.get("sampling_interval")) or 0, whole(found.get("cpu_processor_num"))
    return pl.concat(frames), {"cpu_interval_ns": interval * _MS, "cores": cores, "samples_doubled": doubled}


def _series(value: Any) -> dict[str, list[float | None]]:
    found = value if isinstance(value, dict) else {}
    return {
        column: next((numbers(found[name]) for name in names if name in found), []) for column, names in _KEYS.items()
    }


def _frame(
    scope: str, number: int | None, times: list[float | None], series: dict[str, list[float | None]], first: int
) -> pl.DataFrame:
    """Samples of one series; arrays may be a little shorter or longer than the times."""
    length = min(len(times), max(map(len, series.values())))
    columns = {name: [*values[:length], *[None] * (length - len(values))] for name, values in series.items()}
    moments = [None if time is None else round(time * _MS) for time in times[:length]]
    frame = pl.DataFrame(
        {"scope": [scope] * length, "operator": [number] * length, "time_ns": moments, **columns}, schema=_USAGE
    )
    return frame.slice(first)
