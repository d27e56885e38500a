"""What of the events of ``trace_view.json`` is read.

Ids of flows are texts, and above 2^53. What ran on an NPU and in CANN has no category: it stays with what no rule
places, with the arguments that decide about it.
"""

from __future__ import annotations

from functools import cache

import polars as pl

from stepscope.numeric.plan import INT, TEXT
from stepscope.readers.kineto_plan import ARGUMENTS, EVENT, GROUPS, HOST_CATEGORIES, Layout, Slot, layout_of

_TASK = [
    Slot("task_type", 1, "Task Type", TEXT),
    Slot("physical_stream", 1, "Physic Stream Id", INT),
    Slot("task_stream", 1, "Stream Id", INT),
    Slot("connection", 1, "connection_id", INT),
    Slot("plane_stream", 1, "stream id", INT),
    Slot("elements", 1, "count", INT),
    Slot("data_type", 1, "data_type", TEXT),
    Slot("rank_size", 1, "rank_size", INT),
    Slot("copied_bytes", 1, "size(B)", INT),
    Slot("operation", 1, "operation", TEXT),
]
QUEUE_NUMBER = "queue_number"

TASK = {slot.column: pl.UInt32 if slot.kind == TEXT else pl.Int64 for slot in _TASK}
"""Columns of events without a category beside those of the table ``other``."""


@cache
def ascend_layout() -> Layout:
    """Slots and groups of a trace's events."""
    event = [slot._replace(kind=TEXT) if slot.column == "flow" else slot for slot in EVENT]
    queue = Slot(QUEUE_NUMBER, 1, "correlation_id", INT)
    groups = GROUPS | {"other": [*GROUPS["other"], *TASK], "runtime": [*GROUPS["runtime"], queue.column]}
    hosts = HOST_CATEGORIES | {"runtime": [*HOST_CATEGORIES["runtime"], "enqueue", "dequeue"]}
    return layout_of([*event, *ARGUMENTS, *_TASK, queue], groups, hosts, frozenset((b"cpu_op",)))
