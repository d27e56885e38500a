"""The recorded input pipeline of a rank: in its trace, or beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import polars as pl

from stepscope.readers.formats import INPUT_PIPELINE
from stepscope.store.profile import Rank
from stepscope.store.trace import Trace

_TABLES = ("pipeline_operator", "pipeline_batch", "cpu_usage")
_QUEUES = "pipeline_profiling"
_BATCH = ("queue", "batch", "time_ns", "size", "capacity", "get_ns", "push_ns", "total_ns")
_USAGE = ("scope", "operator", "time_ns", "user_pct", "system_pct", "io_pct", "idle_pct", "runnable", "switches")


def is_input_pipeline(rank: Rank) -> bool:
    """Whether nothing but an input pipeline was recorded of a rank."""
    return rank.trace.kind == INPUT_PIPELINE


@dataclass(frozen=True)
class RecordedPipeline:
    """A recorded input pipeline.

    Attributes:
        trace: the recording that holds it.
    """

    trace: Trace

    def sample_ns(self, samples: int) -> list[int] | None:
        """Time that each sample of the queues stands for, back to the one before it; None where it is not known.

        MindData samples less often than the file says, on busy machines by a factor of five: where there are as many
        samples of CPUs, which have times, those of the queues were taken with them. Else the file's interval counts.
        """
        times = self.times()
        if len(times) == samples > 1:
            return stands_for(times)
        return [self._interval_ns] * samples if self._interval_ns else None

    @property
    def assumed_ns(self) -> int | None:
        """The interval of the file, where times of samples of the queues are those of no other; None where not."""
        counts = set(self.samples().group_by("id").len()["len"].to_list())
        times = len(self.times())
        return self._interval_ns if counts and self._interval_ns and not (times > 1 and counts == {times}) else None

    @property
    def _interval_ns(self) -> int:
        return int(self.trace.meta.get("queue_interval_ns") or 0)

    def times(self) -> list[int]:
        """When the use of CPUs was sampled."""
        found: list[int] = self.usage()["time_ns"].drop_nulls().unique().sort().to_list()
        return found

    @property
    def unread(self) -> str | None:
        """The file of the operators and their queues, where it could not be read."""
        return next((name for name in self.trace.meta["unread_files"] if name.startswith(_QUEUES)), None)

    @property
    def cores(self) -> int | None:
        """Cores of the machine, None where they are not known."""
        found = self.trace.meta.get("cores")
        return int(found) if found else None

    def operators(self) -> pl.DataFrame:
        """Columns id, operator (its type), feeds, workers, capacity."""
        frame = self.trace.frame("pipeline_operator", ["operator", "name", "feeds", "workers", "capacity"])
        names = self.trace.text(frame["name"]).alias("operator")
        return frame.select(pl.col("operator").alias("id"), names, "feeds", "workers", "capacity")

    def samples(self) -> pl.DataFrame:
        """What the queues held: columns id, sample, size."""
        frame = self.trace.frame("pipeline_sample", ["operator", "sample", "size"])
        return frame.select(pl.col("operator").alias("id"), "sample", "size").filter(pl.col("size").is_not_null())

    def batches(self) -> pl.DataFrame:
        """Batches that were taken, columns as stored; the queue as text."""
        return self._with_text("pipeline_batch", _BATCH, "queue")

    def usage(self) -> pl.DataFrame:
        """The use of CPUs, columns as stored; the scope as text."""
        return self._with_text("cpu_usage", _USAGE, "scope")

    def _with_text(self, table: str, columns: Sequence[str], name: str) -> pl.DataFrame:
        frame = self.trace.frame(table, list(columns))
        return frame.with_columns(self.trace.text(frame[name]))


def stands_for(times: list[int]) -> list[int]:
    """Time since the sample before it, of each; the first one stands for as much as the second.

    >>> stands_for([10, 30, 60])
    [20, 20, 30]
    """
    gaps = [after - before for before, after in pairwise(times)]
    return [*gaps[:1], *gaps]


def recorded_pipeline(rank: Rank) -> RecordedPipeline | None:
    """The input pipeline of a rank; None where none was recorded."""
    stored = [
        one.stored for one in rank.recordings if one.stored is not None and (one.used or one is rank.recordings[0])
    ]
    known = [trace for trace in stored if any(trace.rows(table) for table in _TABLES)]
    return RecordedPipeline(known[0]) if known else None
