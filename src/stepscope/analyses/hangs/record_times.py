"""When the calls that flight recorders hold began and ended, as far as they say.

A record has the time of the call on the host, and when a watchdog, which looks now and then, saw that the GPU had
started and completed it: these may be much later than the events themselves, and equal for calls that ended between two
looks. A call therefore begins where the host made it. What has not ended ends with the last time in any of the dumps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from stepscope.analyses.hangs.records import (
    SCHEDULED,
    Dump,
    as_calls,
    backend_of,
    dumps_of,
    is_flight_recorder,
    last_time_ns,
    stateful_backends,
)
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile
from stepscope.store.trace import Trace

COMPLETED, DONE, UNFINISHED, NOT_STARTED = "completed", "done", "unfinished", "not_started"
"""What became of a call: it was seen to complete; it is done, and the dump has no time of that; it has not ended; nor
has it started, of a backend that says what has."""

_SEEN = ("started_seen_ns", "completed_seen_ns")
_TIMES = ("created_ns", *_SEEN)


@dataclass(frozen=True)
class RecordedJob:
    """What all dumps of a job tell of a record of one of them.

    Attributes:
        until_ns: the last time in any.
        stateful: see `stateful_backends`.
    """

    until_ns: int
    stateful: frozenset[str]


@per_profile
def recorded_job(profile: Profile) -> RecordedJob | None:
    """What all dumps of a job tell; None without any, or where they hold no time. Read without all of `records`."""
    until = 0
    stateful: set[str] = set()
    for dump in dumps_of(profile):
        frame = dump.trace.frame("collective_record", ["name", "state", *_TIMES])
        until = max(until, last_time_ns(frame) or 0)
        kinds = frame.select("name", "state").unique()
        named = kinds.select(dump.trace.text(kinds[column]).alias(column) for column in kinds.columns)
        stateful |= stateful_backends(named.with_columns(backend_of("name"), pl.col("state").fill_null(SCHEDULED)))
    return RecordedJob(until, frozenset(stateful)) if until else None


@per_profile
def dump_spans(profile: Profile) -> Mapping[int, tuple[int, int]]:
    """First and last time of each rank's dump, where nothing but dumps was opened: beside traces they may be of hours
    later. Ranks whose dump holds no time are left out."""
    if not all(map(is_flight_recorder, profile.ranks)):
        return {}
    found = {}
    for rank in profile.ranks:
        frame = rank.trace.frame("collective_record", list(_TIMES))
        ends = pl.min_horizontal(pl.all().min()).alias("first"), pl.max_horizontal(pl.all().max()).alias("last")
        first, last = frame.select(ends).row(0)
        if first is not None:
            found[rank.number] = int(first), int(last)
    return found


def untimed_records(trace: Trace) -> int:
    """How many records of a trace have no time at all."""
    if trace.rows("collective_record") == 0:
        return 0
    return int(trace.frame("collective_record", list(_TIMES)).select(_moment().is_null().sum()).item())


def record_times(trace: Trace, job: RecordedJob) -> pl.DataFrame:
    """Each record that has a time.

    Columns row (in the stored table), call (name without its backend), group, description, start_ns, end_ns, outcome
    (`COMPLETED`, `DONE`, `UNFINISHED` or `NOT_STARTED`), started_after_ns, completed_after_ns (from the start until it
    was seen; null where it was not).
    """
    frame = as_calls(Dump(0, trace).records()).with_row_index("row")
    frame = frame.with_columns(_moment().alias("start_ns")).filter(pl.col("start_ns").is_not_null())
    scheduled = (pl.col("state") == SCHEDULED) & pl.col("started_seen_ns").is_null()
    outcome = (
        pl.when(pl.col("done") & pl.col("completed_seen_ns").is_not_null())
        .then(pl.lit(COMPLETED))
        .when("done")
        .then(pl.lit(DONE))
        .when(scheduled & pl.col("backend").is_in(list(job.stateful)))
        .then(pl.lit(NOT_STARTED))
        .otherwise(pl.lit(UNFINISHED))
    )
    frame = frame.with_columns(outcome.alias("outcome"))
    end = pl.when(outcome == COMPLETED).then("completed_seen_ns").when("done").then("start_ns").otherwise(job.until_ns)
    return frame.select(
        "row",
        pl.col("name").str.replace(r"^\w+:", "").alias("call"),
        "group",
        "description",
        "start_ns",
        pl.max_horizontal("start_ns", end).alias("end_ns"),
        "outcome",
        *((pl.col(name) - pl.col("start_ns")).alias(name.replace("seen", "after")) for name in _SEEN),
    )


def _moment() -> pl.Expr:
    """The first time that a record has of the call."""
    return pl.coalesce(_TIMES)
