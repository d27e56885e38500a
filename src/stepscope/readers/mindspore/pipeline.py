"""What MindData records of an input pipeline: its operators, their queues, and what each batch took."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import polars as pl

_MS, _US = 10**6, 10**3
_MOST = 1 << 50
_Types = dict[str, Any]
_OPERATOR: _Types = {
    "operator": pl.Int64,
    "name": pl.String,
    "feeds": pl.Int64,
    "workers": pl.Int64,
    "capacity": pl.Int64,
}
_SAMPLE = {"operator": pl.Int64, "sample": pl.Int64, "size": pl.Int64}
_BATCH: _Types = {"queue": pl.String, "batch": pl.Int64, "time_ns": pl.Int64, "size": pl.Int64, "capacity": pl.Int64}
_TOOK: _Types = {"get_ns": pl.Int64, "push_ns": pl.Int64, "total_ns": pl.Int64}
_GET_NEXT = re.compile(r"(GetNext\w*) (\d{1,18}) (\d{1,18}) (\d{1,12})")

HOST, DEVICE = "host", "device"
"""Queues: of the host, behind the pipeline, and of the device, which the step takes batches from."""


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def whole(value: Any) -> int | None:
    """A number that is whole; None of anything else."""
    return value if type(value) is int and abs(value) < _MOST else None


def numbers(value: Any) -> list[float | None]:
    """The numbers of a list, None in place of what is none."""
    cells = value if isinstance(value, list) else []
    return [float(one) if _is_number(one) else None for one in cells]


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < _MOST and math.isfinite(value)


def loaded(text: str) -> dict[str, Any]:
    """An object of JSON.

    Raises:
        ValueError: it is none.
    """
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


def pipeline(text: str) -> tuple[pl.DataFrame, pl.DataFrame, int, int]:
    """The operators of ``pipeline_profiling``, samples of their output queues, the interval of these in ns (0 where it
    is not said), and how many operators have no number.

    Raises:
        ValueError: it is no pipeline.
    """
    found = loaded(text)
    known = objects(found.get("op_info"))
    if not known:
        raise ValueError("no operators")
    feeds: dict[int, int] = {}
    for one in known:
        number, children = whole(one.get("op_id")), one.get("children")
        if number is not None and isinstance(children, list):
            feeds |= {child: number for child in map(whole, children) if child is not None}
    rows, samples = [], []
    for one in known:
        number = whole(one.get("op_id"))
        if number is None:
            continue
        metrics = one.get("metrics")
        queue = metrics.get("output_queue") if isinstance(metrics, dict) else None
        queue = queue if isinstance(queue, dict) else {}
        name = str(one.get("op_type") or "")[:200]
        rows.append((number, name, feeds.get(number), whole(one.get("num_workers")), whole(queue.get("length"))))
        taken = queue.get("size")
        samples += [(number, at, whole(size)) for at, size in enumerate(taken if isinstance(taken, list) else [])]
    frame = pl.DataFrame(rows, schema=_OPERATOR, orient="row").unique("operator", keep="first", maintain_order=True)
    sizes = pl.DataFrame(samples, schema=_SAMPLE, orient="row")
    interval = whole(found.get("sampling_interval")) or 0
    return frame, sizes, interval * _MS, len(known) - len(rows)


def host_queue(text: str) -> tuple[pl.DataFrame, int]:
    """Batches of ``device_queue_profiling`` or ``dataset_iterator_profiling``: up to four lines of five numbers each.

    Type 0 are times in ms: to get it from the pipeline, to push it to the device, of both. Type 1 is the queue: its
    capacity and how many it held. A file of four columns has no time at its end.
    """
    rows: dict[int, dict[str, int | None]] = {}
    odd = 0
    for line in text.split("\n"):
        cells = line.split()
        if not cells:
            continue
        values = [int(cell) for cell in cells if cell.isdecimal() and cell.isascii() and len(cell) < 16]
        if len(values) not in (4, 5) or len(values) < len(cells):
            odd += 1
            continue
        kind, extra, batch, value = values[:4]
        row = rows.setdefault(batch, {"time_ns": values[4] * _MS if len(values) > 4 else None})
        if kind == 1:
            row |= {"capacity": extra, "size": value}
        elif kind == 0 and extra in (0, 1, 2):
            row[("get_ns", "push_ns", "total_ns")[extra]] = value * _MS
        else:
            odd += 1
    found = [{"queue": HOST, "batch": batch, **row} for batch, row in rows.items()]
    return pl.DataFrame(found, schema=_BATCH | _TOOK), odd


def device_queue(text: str) -> tuple[pl.DataFrame, int]:
    """Batches that the step took: ``GetNext START END SIZE``, in ns; in us where Ascend's operator wrote them."""
    rows: list[tuple[Any, ...]] = []
    odd = 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        found = _GET_NEXT.match(line.strip())
        if found is None or int(found[3]) < int(found[2]):
            odd += 1
            continue
        unit = 1 if found[1] == "GetNext" else _US
        start, end = int(found[2]) * unit, int(found[3]) * unit
        rows.append((DEVICE, len(rows) + 1, start, int(found[4]), None, end - start))
    return pl.DataFrame(rows, schema=_BATCH | {"get_ns": pl.Int64}, orient="row"), odd
