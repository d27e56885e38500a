"""What kept the thread that launched too late: waiting for the GPU, for data, for others, or its own work.

The thread is that of the launch; where another thread launched the work before it (as autograd's does when backward
begins or ends), that one counts too while the first does nothing that was recorded.

A wait also costs the time it took while the GPU was still busy: the host could have used it to queue work, so the gap
that follows is that much longer. That time is taken from what the host needed after the wait, never from more than
the gap.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from stepscope.analyses.host.host_events import NOTHING, host_events
from stepscope.analyses.host.phases import engine_threads
from stepscope.analyses.host.threads import Bools, Place, as_numbers, thread_unions
from stepscope.analyses.idle.gap_parts import (
    COMMUNICATION_WAIT,
    DATA_LOADING,
    EVENT,
    HOST_LATE,
    MEMORY_COPY,
    SYNC,
    calls_at,
    in_operator,
    no_event,
    part,
)
from stepscope.analyses.idle.waits import blocking_calls
from stepscope.analyses.steps.unions import loader_ranges, thread_union
from stepscope.numeric.intervals import EMPTY, Ints, Union, covered_within, merge, without
from stepscope.numeric.nested import NOBODY
from stepscope.store.communication import is_communication_operator
from stepscope.store.linking import links
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE, rows_of_places
from stepscope.store.profile import Rank

LONG_COLLECTIVE_NS = 1_000_000
"""An operator of a collective that takes this long on the host waits there; to launch one takes tens of us."""

_HELD = (COMMUNICATION_WAIT, SYNC, MEMORY_COPY, DATA_LOADING)
"""What may keep a thread, most important first."""

IN_ENGINE = "(autograd engine)"
MANY = "(many small operators)"
"""What the host was in where no event covers enough: `host_events.NOTHING`, or one of these."""

_Pair: TypeAlias = tuple[Any, Any]
"""Two threads: the one that launched, and the one that launched the work before it."""

_CARRIED = (COMMUNICATION_WAIT, SYNC)
"""Waits for the GPU, whose time while it was busy counts too."""


def late_parts(rank: Rank, gaps: pl.DataFrame, launched: Ints, named: bool = True) -> list[pl.DataFrame]:
    """Parts of gaps (as of `find_gaps`) before their launch, which came at ``launched``.

    Args:
        named: whether what happened is wanted.
    """
    begin = gaps["start_ns"].to_numpy()
    threads = _threads(rank)
    launching = _by_launching_threads(gaps)
    held = threads.held(launching, begin, launched)
    busy = threads.held(launching, gaps["busy_start_ns"].to_numpy(), begin)
    late = launched - begin - sum(held.values())
    for cause in _CARRIED:
        carried = np.minimum(busy[cause], late)
        held[cause] = held[cause] + carried
        late = late - carried
    if not named:
        return [part(cause, amount, no_event) for cause, amount in (*held.items(), (HOST_LATE, late))]
    holding = partial(threads.last_holding, gaps, launched)
    parts = [part(cause, amount, partial(holding, cause)) for cause, amount in held.items()]
    return [*parts, _own_work(threads, gaps, launched, late)]


def _by_launching_threads(gaps: pl.DataFrame) -> list[tuple[_Pair, Ints]]:
    """The threads that launched after gaps, with those that had launched before, and which gaps are theirs."""
    pairs = gaps.select(pl.int_range(pl.len()).alias("at"), *PLACE, "before_process", "before_thread")
    groups = pairs.drop_nulls("thread").group_by(*PLACE, "before_process", "before_thread")
    return [((key[:2], key[2:]), rows["at"].to_numpy()) for key, rows in groups]


@per_rank
def _threads(rank: Rank) -> _Threads:
    """What held the threads, found once for all who ask: of gaps, and of parts of gaps."""
    return _Threads(rank)


def _own_work(threads: _Threads, gaps: pl.DataFrame, launched: Ints, late: Ints) -> pl.DataFrame:
    """The part in which the host did its own work, with what it was in the middle of just before it launched.

    Where that was not recorded, the launch that came next says where to look.
    """
    rank = threads.rank
    real = np.flatnonzero(late > 0)
    mine = gaps[real]
    end = launched[real]
    begin = end - late[real]
    second = mine.select(pl.col(f"before_{name}").alias(name) for name in PLACE)
    found = host_events(rank, mine.select(PLACE), second, begin, end)
    found = found.with_columns(pl.Series("at_ns", begin + late[real] // 2))
    untold = np.flatnonzero((found["event"] == NOTHING).to_numpy())
    found = _replaced(found, untold, _calls_after(rank, mine[untold]))
    there = found.select(PLACE)[untold]
    many = threads.is_working(there, begin[untold], end[untold])
    names = np.where(many, MANY, np.where(_in_engine(rank, there), IN_ENGINE, NOTHING))
    found = _replaced(found, untold, pl.DataFrame({"event": names}, schema={"event": pl.String}))
    return part(HOST_LATE, late, lambda _: found)


def _calls_after(rank: Rank, gaps: pl.DataFrame) -> pl.DataFrame:
    """Where the launches at the end of some gaps were called: the columns of `gap_parts.EVENT` but its text."""
    operator = links(rank.trace)["operator"][gaps["next"]]
    return calls_at(rank, gaps["launch"], operator, named=False).drop("event")


def _replaced(frame: pl.DataFrame, rows: Ints, columns: pl.DataFrame) -> pl.DataFrame:
    """A frame with other values of some columns in some rows."""
    return frame.with_columns(frame[one.name].scatter(rows, one) for one in columns)


def _in_engine(rank: Rank, places: pl.DataFrame) -> Bools:
    """Whether threads are the autograd engine's own."""
    known: Bools = rows_of_places(engine_threads(rank), places) != NOBODY
    return known


@dataclass(frozen=True)
class _Threads:
    """What held the threads of a rank."""

    rank: Rank

    @cached_property
    def ranges(self) -> dict[str, pl.DataFrame]:
        """By cause, ranges by start: columns process, thread, start_ns, end_ns, name (code), operator (row)."""
        calls = blocking_calls(self.rank)
        columns = [*PLACE, "start_ns", "end_ns", "name", "operator"]
        loading = loader_ranges(self.rank.trace).with_columns(pl.lit(None, pl.UInt32).alias("operator"))
        waits = calls.filter(~pl.col("to_device"))
        found = {
            COMMUNICATION_WAIT: pl.concat(
                [waits.filter("communication").select(columns), self._long_collectives().select(columns)]
            ),
            SYNC: waits.filter(~pl.col("communication")),
            MEMORY_COPY: calls.filter("to_device"),
            DATA_LOADING: loading,
        }
        return {cause: self._by_start(ranges.select(columns)) for cause, ranges in found.items()}

    def _by_start(self, ranges: pl.DataFrame) -> pl.DataFrame:
        name = self.rank.trace.text(ranges["name"])
        return ranges.with_columns(as_numbers()).sort("start_ns", "end_ns", name)

    def _long_collectives(self) -> pl.DataFrame:
        trace = self.rank.trace
        names = trace.codes(is_communication_operator)
        operators = trace.frame("operator", ["name", *PLACE, "start_ns", "duration_ns"]).with_row_index("operator")
        long = (pl.col("duration_ns") >= LONG_COLLECTIVE_NS) & pl.col("name").is_in(names.implode())
        end = (pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns")
        return operators.filter(long).with_columns(end, as_numbers())

    @cached_property
    def unions(self) -> dict[str, dict[Place, Union]]:
        return {cause: thread_unions(ranges) for cause, ranges in self.ranges.items()}

    def working(self, place: Place) -> Union:
        """Time in which a thread is in an operator or a call."""
        if place not in self._working:
            self._working[place] = merge(*(self._inside(table, place) for table in ("operator", "runtime")))
        return self._working[place]

    def _inside(self, table: str, place: Place) -> Union:
        """Time in which a thread is in an event of a table."""
        if self.rank.trace.rows(table) == 0:
            return EMPTY
        lanes = self.rank.nesting(table).lanes
        lane = rows_of_places(lanes, pl.DataFrame([place], schema=PLACE, orient="row"))
        return thread_union(self.rank.trace, table, int(lane[0]))

    def is_working(self, places: pl.DataFrame, begin: Ints, end: Ints) -> Bools:
        """Whether threads are in operators or calls for at least half of a stretch."""
        inside = np.zeros(len(begin), np.int64)
        for key, rows in places.select(pl.int_range(pl.len()).alias("at"), *PLACE).drop_nulls().group_by(PLACE):
            at = rows["at"].to_numpy()
            inside[at] = covered_within(self.working((int(key[0]), int(key[1]))), begin[at], end[at])
        return 2 * inside >= end - begin

    @cached_property
    def _working(self) -> dict[Place, Union]:
        return {}

    def held(self, launching: list[tuple[_Pair, Ints]], begin: Ints, end: Ints) -> dict[str, Ints]:
        """Time of each stretch in which its threads were held, by cause; where causes overlap the first counts.

        Args:
            launching: pairs of threads and which stretches are theirs.
        """
        amounts = np.zeros((len(_HELD), len(begin)), np.int64)
        for key, at in launching:
            before = np.zeros(len(at), np.int64)
            for i, covered in enumerate(self._up_to_each(key)):
                inside = covered_within(covered, begin[at], end[at])
                amounts[i, at] = inside - before
                before = inside
        return dict(zip(_HELD, amounts, strict=True))

    def _up_to_each(self, key: _Pair) -> list[Union]:
        """For each cause the time in which it held a pair of threads, or one before it did."""
        if key not in self._pairs:
            own = [self._of_pair(cause, key) for cause in _HELD]
            self._pairs[key] = list(accumulate(own, merge))
        return self._pairs[key]

    @cached_property
    def _pairs(self) -> dict[_Pair, list[Union]]:
        return {}

    def _of_pair(self, cause: str, key: _Pair) -> Union:
        """Time in which a launching thread was held, or the one before it while the first did nothing."""
        first, second = key
        own = self.unions[cause].get(first, EMPTY)
        other = self.unions[cause].get(second, EMPTY) if second != first else EMPTY
        if len(other[0]) == 0:
            return own
        return merge(own, without(other, self.working(first)))

    def last_holding(self, gaps: pl.DataFrame, launched: Ints, cause: str, of: Ints) -> pl.DataFrame:
        """The last range of a cause that began on either thread before the launches of some gaps: columns
        `gap_parts.EVENT`."""
        ranges, launched = self.ranges[cause], launched[of]
        gaps = gaps.select(pl.col(*PLACE, "before_process", "before_thread").gather(of))
        ends = [gaps.select(PLACE), gaps.select(pl.col(f"before_{name}").alias(name) for name in PLACE)]
        best = pl.DataFrame({"row": [None] * len(gaps), "begun": [None] * len(gaps)}, schema=_LATEST)
        for places in ends if len(ranges) else ():
            found = _latest(ranges, places, launched)
            later = (found["begun"] > best["begun"]).fill_null(found["begun"].is_not_null() & best["begun"].is_null())
            best = pl.DataFrame([found[name].zip_with(later, best[name]) for name in _LATEST])
        chosen = ranges.select(pl.all().gather(best["row"]))
        event = in_operator(self.rank, chosen["name"], chosen["operator"])
        return chosen.with_columns(event.alias("event"), pl.col("start_ns").alias("at_ns")).select(*EVENT)


_LATEST = {"row": pl.UInt32, "begun": pl.Int64}


def _latest(ranges: pl.DataFrame, places: pl.DataFrame, before: Ints) -> pl.DataFrame:
    """Row and start of the last range that began on each place before a moment; null where none did."""
    asked = places.with_columns(pl.Series("start_ns", before)).with_row_index("at").sort("start_ns")
    begun = ranges.with_row_index("row").with_columns(pl.col("start_ns").alias("begun"))
    found = asked.join_asof(
        begun.select("row", "begun", *PLACE, "start_ns"),
        on="start_ns",
        by=PLACE,
        allow_exact_matches=False,
        check_sortedness=False,
    )
    return found.sort("at").select(pl.col(name).cast(dtype) for name, dtype in _LATEST.items())
