"""What is known of a collective that a flight recorder holds, beside where it lies on the timeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from stepscope.analyses.hangs.record_times import RecordedJob, record_times, untimed_records
from stepscope.analyses.hangs.records import is_flight_recorder
from stepscope.messages import Message
from stepscope.readers.formats import FLIGHT_RECORDER
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank, as_ranges

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


def record_count(rank: Rank) -> int:
    """How many records of a rank have a time."""
    return rank.trace.rows("collective_record") - untimed_records(rank.trace)


def dump_notes(ranks: Sequence[Rank]) -> list[Message]:
    """What of the dumps of some ranks is on no track, and why."""
    dumps = [rank for rank in ranks if any(one.kind == FLIGHT_RECORDER and one.stored for one in rank.recordings)]
    if dumps and not all(map(is_flight_recorder, ranks)):
        return [Message("lane-dumps-beside", ranks=as_ranges(rank.number for rank in dumps))]
    untimed = sum(untimed_records(rank.trace) for rank in dumps)
    return [Message("lane-untimed-records", records=untimed)] if untimed else []


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
