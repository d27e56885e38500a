"""What launched the work of an NPU.

With a task queue, an operator enqueues its work and a thread of torch_npu takes it from there and calls CANN; without
one the operator calls CANN itself. A task's flow `HostToDevice` begins where CANN is called, on its thread; where the
trace holds the calls, they and the tasks have the number of a connection, too. The launch of a task is the event
`Enqueue` whose work CANN was called for, else CANN's call.
"""

from __future__ import annotations

from functools import cached_property

import polars as pl

from stepscope.readers.ascend.texts import TextCodes

_HOST_TO_DEVICE = "HostToDevice"
_FOUND = {"event": pl.UInt32, "thread": pl.UInt32, "at_ns": pl.Int64}


def numbered_flows(flows: pl.DataFrame, codes: TextCodes) -> pl.DataFrame:
    """Flows whose ids are numbers from 1: those of the trace are texts, and longer than any number that is read."""
    distinct = flows.select("category", "flow").unique(maintain_order=True).with_row_index("number", 1)
    numbers = flows.select("category", "flow").join(
        distinct, ["category", "flow"], "left", nulls_equal=True, maintain_order="left"
    )
    known = pl.when(flows["flow"].is_not_null()).then(numbers["number"].cast(pl.Int64))
    return flows.with_columns(known.alias("flow"))


class Dispatch:
    """How work reached the NPU.

    Args:
        queue: events of the task queue.
        cann: calls of CANN, with their connections.
        flows: with numbers.
    """

    def __init__(self, queue: pl.DataFrame, cann: pl.DataFrame, flows: pl.DataFrame) -> None:
        self._queue, self._cann, self._flows = queue, cann, flows

    def calls(self) -> pl.DataFrame:
        """The table ``runtime``: each call has a number of its own, by which `launches` names it."""
        number = (pl.col("event").cast(pl.Int64) + 1).alias("correlation")
        return pl.concat([self._queue, self._cann], how="diagonal").with_columns(number).sort("event")

    def launch_of(self, work: pl.DataFrame, codes: TextCodes) -> pl.DataFrame:
        """Columns event (of the work) and launch (event of the call); work without one is missing.

        Args:
            work: columns event, row_process, row_thread (the row that it has in the trace), start_ns, connection.
        """
        by_flow = self._by_flow(work, codes)
        points = pl.concat([by_flow, self._by_connection(work.join(by_flow, "event", "anti"))])
        called = points.join(self._starts, ["thread", "at_ns"], "left").unique(
            "event", keep="last", maintain_order=True
        )
        queued = self._queued(points, codes)
        found = called.join(queued, "event", "left").select("event", pl.coalesce("enqueue", "call").alias("launch"))
        return found.drop_nulls()

    @cached_property
    def _starts(self) -> pl.DataFrame:
        """Calls of CANN by their thread and start; of several the longest."""
        calls = self._cann.select("thread", pl.col("start_ns").alias("at_ns"), "duration_ns", call="event")
        return calls.sort("duration_ns", "call").unique(["thread", "at_ns"], keep="last").drop("duration_ns")

    def _by_flow(self, work: pl.DataFrame, codes: TextCodes) -> pl.DataFrame:
        """Where the flow to each work begins."""
        words = codes.found(("s", "f", _HOST_TO_DEVICE))
        flows = self._flows.filter(pl.col("category") == words.get(_HOST_TO_DEVICE, -1))
        ends = flows.filter(pl.col("phase") == words.get("f", -1)).select("flow", "process", "thread", "start_ns")
        starts = flows.filter(pl.col("phase") == words.get("s", -1))
        starts = starts.select("flow", "thread", at_ns="start_ns").unique("flow", keep="last", maintain_order=True)
        place = ["row_process", "row_thread", "start_ns"]
        reached = work.select("event", *place).join(ends, left_on=place, right_on=["process", "thread", "start_ns"])
        found = reached.join(starts, "flow").unique("event", keep="last", maintain_order=True)
        return found.select(pl.col(name).cast(kind) for name, kind in _FOUND.items())

    def _by_connection(self, work: pl.DataFrame) -> pl.DataFrame:
        """Where CANN was called with the connection of each work; of several calls the last to start."""
        calls = self._cann.filter(pl.col("connection").is_not_null()).sort("start_ns", "event")
        calls = calls.unique("connection", keep="last", maintain_order=True)
        found = work.select("event", "connection").join(
            calls.select("connection", "thread", at_ns="start_ns"), "connection"
        )
        return found.select(pl.col(name).cast(kind) for name, kind in _FOUND.items())

    def _queued(self, points: pl.DataFrame, codes: TextCodes) -> pl.DataFrame:
        """The event that enqueued what a thread of the queue was at work with: columns event, enqueue."""
        words = codes.found(("enqueue", "dequeue"))
        queue = self._queue.filter(pl.col("queue_number").is_not_null())
        put = queue.filter(pl.col("category") == words.get("enqueue", -1))
        put = put.select("queue_number", enqueue="event").unique("queue_number", keep="last", maintain_order=True)
        taken = queue.filter(pl.col("category") == words.get("dequeue", -1)).select(
            "thread", "queue_number", at_ns="start_ns", until_ns=pl.col("start_ns") + pl.col("duration_ns")
        )
        within = points.sort("at_ns").join_asof(taken.sort("at_ns"), on="at_ns", by="thread", check_sortedness=False)
        within = within.filter(pl.col("at_ns") <= pl.col("until_ns"))
        return within.join(put, "queue_number").select("event", "enqueue")
