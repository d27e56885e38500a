"""What is known of a collective that a flight recorder holds, beside where it lies on the timeline."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.hangs.record_times import RecordedJob, record_times
from stepscope.messages import Message
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_KEYS = {
    "group": "process_group",
    "group_description": "pg_desc",
    "sequence": "collective_seq_id",
    "p2p_sequence": "p2p_seq_id",
    "op": "op_id",
    "record": "record_id",
    "state": "state",
    "retired": "retired",
    "in_sizes": "input_sizes",
    "in_dtypes": "input_dtypes",
    "out_sizes": "output_sizes",
    "out_dtypes": "output_dtypes",
    "thread": "thread_name",
}
_IN_MS = {"duration_ns": "duration_ms", "timeout_ns": "timeout_ms"}
_NS_PER_MS = 1_000_000


@per_rank(whole=True)
def timed_records(rank: Rank, job: RecordedJob) -> pl.DataFrame:
    """See `record_times`."""
    return record_times(rank.trace, job)


def record_span(rank: Rank, job: RecordedJob | None) -> tuple[int, int] | None:
    """First and last time of a rank's records as they are shown; None without any."""
    if job is None or rank.trace.rows("collective_record") == 0:
        return None
    first, last = timed_records(rank, job).select(pl.col("start_ns").min(), pl.col("end_ns").max()).row(0)
    return None if first is None else (first, last)


def said_of(rank: Rank, job: RecordedJob, row: int) -> list[Message]:
    """What became of a collective, a sentence each.

    Args:
        row: in the stored table.
    """
    found = timed_records(rank, job).filter(pl.col("row") == row).row(0, named=True)
    started, completed = found["started_after_ns"], found["completed_after_ns"]
    said = [Message("hang-event", outcome=found["outcome"])]
    if started is not None or completed is not None:
        said.append(Message("hang-event-seen", started_ns=started, completed_ns=completed))
    return said


def record_arguments(row: dict[str, Any]) -> dict[str, Any]:
    """What a record says beside its name and times, by the recorder's own keys.

    Args:
        row: of the stored table, texts as texts.
    """
    found = {key: row[name] for name, key in _KEYS.items() if row.get(name) not in (None, "")}
    return found | {key: row[name] / _NS_PER_MS for name, key in _IN_MS.items() if row.get(name) is not None}
