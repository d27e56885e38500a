"""What an input pipeline says of itself: does training wait for it, and which operator of it is slow.

Stages as MindInsight's page "Data preparation" divides them: the pipeline prepares batches on the host, they are
transferred to the device, the step obtains them. A queue that is empty for more than `EMPTY_PCT` of the batches says
that what puts batches in is too slow. For the queue of the device MindInsight warns of a single one; here the share is
the same.

The slow operator is found by walking upstream from the consumer, as long as the queue of the next operator is nearly
empty: the one whose input is not empty, or that has none, is the bottleneck. A rule that compares neighbours blames the
source of a pipeline whose consumer is slow, and one that goes by CPU time blames what merely passes batches on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from stepscope.analyses.input_pipeline.cpu_use import operator_use
from stepscope.analyses.input_pipeline.recorded import RecordedPipeline
from stepscope.readers.mindspore.pipeline import DEVICE, HOST

EMPTY_PCT = 30.0
"""Where more batches found a queue empty, what puts them in is too slow (MindInsight). The first one, which always
does, is left out."""

LEAST = 3
"""Batches, or samples, below which nothing is said."""

FULL_PCT = 20.0
"""An input queue that is filled more than this gives its operator enough to do."""

BUSY_PCT, WAITING_PCT = 75.0, 20.0
"""CPU use of a worker from which it computes all the time, and below which it mostly waits (MindSpore's analyser)."""

PROCESSING, TRANSFER, FINE, FEW = "processing", "transfer", "not the problem", "too few batches"
COMPUTES, WAITS, BETWEEN, UNKNOWN = "computes", "waits", "between", "unknown"


@dataclass(frozen=True)
class Queue:
    """How often a queue was empty when a batch was taken, or when it was sampled.

    Attributes:
        batches: batches without the first one, or samples.
        empty: of these, those that found it empty.
        full: those that found it full; None where its capacity is not known.
    """

    batches: int
    empty: int
    full: int | None = None

    @property
    def empty_pct(self) -> float:
        return 100.0 * self.empty / self.batches if self.batches else 0.0


@dataclass(frozen=True)
class SlowOperator:
    """The bottleneck of a pipeline.

    Attributes:
        id, name, workers: of the operator.
        input_pct: fill of the queue before it; None where it has none, as a source.
        output_pct: fill of the queue behind it.
        worker_cpu_pct: CPU use of each of its workers, per cent of a core; None where it was not sampled.
        does: what its workers do: `COMPUTES`, `WAITS`, `BETWEEN` or `UNKNOWN`.
    """

    id: int
    name: str
    workers: int | None
    input_pct: float | None
    output_pct: float
    worker_cpu_pct: float | None
    does: str


@dataclass(frozen=True)
class Diagnosis:
    """What is known of an input pipeline.

    Attributes:
        host: the queue that the pipeline fills, at each batch; None where it was not recorded.
        device: the queue that the step takes batches from; None without one.
        sampled: the pipeline's last queue, at each sample, where no batches were recorded.
        verdict: `PROCESSING`, `TRANSFER`, `FINE`, `FEW`, or "" where nothing is known.
        slow: the bottleneck of the pipeline; None where it is not too slow, or no queue was recorded.
        unread: the file of the queues, where it could not be read.
    """

    host: Queue | None
    device: Queue | None
    sampled: Queue | None
    verdict: str
    slow: SlowOperator | None
    unread: str | None = None


def diagnosed(recorded: RecordedPipeline) -> Diagnosis:
    """The verdict on an input pipeline."""
    fills = queue_fills(recorded)
    host, device = (_at_batches(recorded, queue) for queue in (HOST, DEVICE))
    sampled = _at_samples(fills) if host is None else None
    first = host or sampled
    if first is not None and first.batches < LEAST:
        return Diagnosis(host, device, sampled, FEW, None, recorded.unread)
    if first is not None and first.empty_pct > EMPTY_PCT:
        return Diagnosis(host, device, sampled, PROCESSING, _slow(recorded, fills), recorded.unread)
    if first is not None and device is not None and device.batches >= LEAST and device.empty_pct > EMPTY_PCT:
        return Diagnosis(host, device, sampled, TRANSFER, None)
    return Diagnosis(host, device, sampled, FINE if first is not None else "", None)


def queue_fills(recorded: RecordedPipeline) -> pl.DataFrame:
    """Operators with what their output queues held, in the order from the consumer to the sources.

    Columns of `RecordedPipeline.operators`, samples, queued_mean, fill_pct, empty_pct; null without a queue.
    """
    held = (
        recorded.samples()
        .group_by("id")
        .agg(
            pl.len().cast(pl.Int64).alias("samples"),
            pl.col("size").mean().alias("queued_mean"),
            (100.0 * (pl.col("size") == 0).mean()).alias("empty_pct"),
        )
    )
    frame = recorded.operators().join(held, "id", "left", maintain_order="left")
    room = pl.when(pl.col("capacity") > 0).then(pl.col("capacity"))
    frame = frame.with_columns((100.0 * pl.col("queued_mean") / room).alias("fill_pct"))
    order = pl.DataFrame({"id": _upstream(frame)}, {"id": pl.Int64})
    return order.join(frame, "id", "left", maintain_order="left")


def _upstream(frame: pl.DataFrame) -> list[int]:
    """Numbers of the operators, each behind the one that it feeds; those of a circle, which damage makes, last."""
    feeding: dict[int | None, list[int]] = {}
    known = set(frame["id"].to_list())
    for number, feeds in frame.select("id", "feeds").iter_rows():
        feeding.setdefault(feeds if feeds in known else None, []).append(number)
    found: list[int] = []
    pending = feeding.get(None, [])[::-1]
    while pending:
        number = pending.pop()
        found.append(number)
        pending += feeding.get(number, [])[::-1]
    return [*found, *(number for number in frame["id"].to_list() if number not in set(found))]


def _at_batches(recorded: RecordedPipeline, queue: str) -> Queue | None:
    frame = recorded.batches().filter((pl.col("queue") == queue) & pl.col("size").is_not_null())
    if len(frame) == 0:
        return None
    frame = frame.slice(1)  # nothing can be ready when the first batch is asked for
    room = frame.filter(pl.col("capacity") > 0)
    full = int((room["size"] >= room["capacity"]).sum()) if len(room) else None
    return Queue(len(frame), int((frame["size"] == 0).sum()), full)


def _at_samples(fills: pl.DataFrame) -> Queue | None:
    """The queue nearest to the consumer that has samples."""
    known = fills.filter(pl.col("samples").is_not_null())
    if len(known) == 0:
        return None
    samples, empty = known.row(0, named=True)["samples"], known.row(0, named=True)["empty_pct"]
    return Queue(samples, round(empty * samples / 100))


def _slow(recorded: RecordedPipeline, fills: pl.DataFrame) -> SlowOperator | None:
    """Walk upstream from the consumer while the next queue is nearly empty."""
    rows = {row["id"]: row for row in fills.iter_rows(named=True)}
    known = [row for row in rows.values() if row["fill_pct"] is not None]
    if not known:
        return None
    now = known[0]
    seen: set[int] = set()
    while now["id"] not in seen:
        seen.add(now["id"])
        before = _emptiest(rows, now["id"], seen)
        if before is None or before["fill_pct"] >= FULL_PCT:
            break
        now = before
    use = operator_use(recorded).get(now["id"])
    workers = now["workers"] or None
    each = None if use is None else use / (workers or 1)
    return SlowOperator(
        now["id"],
        now["operator"] or "",
        workers,
        before["fill_pct"] if before is not None else None,
        now["fill_pct"],
        each,
        _does(each),
    )


def _emptiest(rows: dict[int, dict[str, Any]], number: int, seen: set[int]) -> dict[str, Any] | None:
    """Of the operators that feed one, through those without a queue, the one whose queue is emptiest."""
    found: list[dict[str, Any]] = []
    pending, looked = [number], set(seen)
    while pending:
        feeds = pending.pop()
        for row in rows.values():
            if row["feeds"] != feeds or row["id"] in looked:
                continue
            looked.add(row["id"])
            if row["fill_pct"] is not None:
                found.append(row)
            else:
                pending.append(row["id"])
    return min(found, key=lambda row: float(row["fill_pct"]), default=None)


def _does(worker_cpu_pct: float | None) -> str:
    if worker_cpu_pct is None:
        return UNKNOWN
    return COMPUTES if worker_cpu_pct >= BUSY_PCT else WAITS if worker_cpu_pct < WAITING_PCT else BETWEEN
