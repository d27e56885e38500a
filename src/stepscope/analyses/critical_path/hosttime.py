"""What a thread of the host did in some stretches of time: its innermost event, moment by moment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.steps.unions import loader_rows
from stepscope.analyses.text_order import text_places
from stepscope.numeric.intervals import Ints, Union, contains, union
from stepscope.numeric.nearby import add_touching
from stepscope.numeric.nested import NOBODY, Rows
from stepscope.numeric.pieces import Stretches, innermost_pieces, innermost_sums
from stepscope.store.profile import Rank
from stepscope.store.trace import Trace

OTHER, PYTHON, OPERATOR, RUNTIME, DATA_LOADING = range(5)
KINDS = ("other", "python", "operator", "runtime", "data_loading")
"""What a thread may do, and the names of these numbers."""

_TABLES = {"annotation": OTHER, "python": PYTHON, "operator": OPERATOR, "runtime": RUNTIME}
"""Host tables and the kind of time of each; of events with the same start and end the later table's is inside."""

_NUMBER = {"annotation": "external_id", "python": "python_id", "operator": "external_id", "runtime": "external_id"}
"""What tells events apart that are equal otherwise."""

TABLES_OF_EVENTS = ("activity", *_TABLES, "other")
"""Tables in which events on a path lie; a table's number is its place here."""

_STEP = r"^ProfilerStep#"
_ON_GPU = "gpu_user_annotation"

Flags: TypeAlias = npt.NDArray[np.bool_]
Kinds: TypeAlias = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class _Events:
    """Host events, arrays by event: number of the thread, start and end in ns, kind, name (code), the table's number in
    `TABLES_OF_EVENTS`, and row there."""

    thread: Rows
    start: Ints
    end: Ints
    kind: Kinds
    name: pl.Series
    table: Kinds
    row: Rows

    def chosen(self, rows: Ints) -> _Events:
        """Some of them."""
        times = self.thread[rows], self.start[rows], self.end[rows]
        return _Events(*times, self.kind[rows], self.name.gather(rows), self.table[rows], self.row[rows])

    def followed_by(self, others: _Events) -> _Events:
        """Them, and others behind them."""
        thread, start, end, kind, table, row = (
            np.concatenate([getattr(self, name), getattr(others, name)])
            for name in ("thread", "start", "end", "kind", "table", "row")
        )
        return _Events(thread, start, end, kind, pl.concat([self.name, others.name]), table, row)

    @property
    def intervals(self) -> tuple[Rows, Ints, Ints, Kinds]:
        """What they are nested by."""
        return self.thread, self.start, self.end, self.kind

    @property
    def what(self) -> pl.DataFrame:
        """Columns name, kind, table, row."""
        columns = {"kind": self.kind, "table": self.table, "row": self.row.astype(np.uint32)}
        return pl.DataFrame({"name": self.name, **columns})


def host_pieces(rank: Rank, thread: Ints, first: Ints, last: Ints) -> pl.DataFrame:
    """Stretches of threads by what the thread did.

    Args:
        thread: number of each stretch's thread, as in `threads.Threads`.
        first, last: of each stretch, in ns; no two overlap.

    Returns:
        Columns stretch (number), kind (number in `KINDS`), name (code), table (number in `TABLES_OF_EVENTS`) and row of
        the event (these three null where nothing was recorded), start_ns, end_ns. The pieces of a stretch cover it
        exactly.
    """
    events, order, stretches = _touching(rank, thread, first, last)
    pieces = innermost_pieces(events.intervals, partial(_settled, rank, events), stretches)
    # One row behind the last stands for "nothing recorded".
    row = np.where(pieces.row < 0, len(events.row), pieces.row)
    nothing = pl.DataFrame({"kind": [OTHER]}, schema_overrides={"kind": pl.UInt8})
    return pl.concat([events.what, nothing], how="diagonal")[row].with_columns(
        pl.Series("stretch", order[pieces.stretch]),
        pl.Series("start_ns", pieces.start),
        pl.Series("end_ns", pieces.end),
    )


def host_sums(rank: Rank, thread: Ints, first: Ints, last: Ints, group: Ints) -> pl.DataFrame:
    """The pieces of `host_pieces` added up, without millions of rows: by the group of their stretch, kind and name.

    Args:
        group: a number for each stretch.

    Returns:
        Columns group, kind, name, duration_ns, count; a group has several rows where its stretches stand apart.
    """
    events, order, stretches = _touching(rank, thread, first, last)
    nameless = len(rank.trace.texts)
    names = np.int64(nameless + 1)
    key = np.full(len(events.row) + 1, OTHER * names + nameless)
    np.multiply(events.kind, names, out=key[:-1])
    key[:-1] += events.name.fill_null(nameless).to_numpy()
    sums = innermost_sums(events.intervals, partial(_settled, rank, events), stretches, group[order], key)
    name = pl.Series("name", sums.key % names)
    return pl.DataFrame(
        {
            "group": sums.group,
            "kind": (sums.key // names).astype(np.uint8),
            "name": name.set(name == nameless, None).cast(pl.UInt32),
            "duration_ns": sums.length,
            "count": sums.pieces,
        }
    )


def _touching(rank: Rank, thread: Ints, first: Ints, last: Ints) -> tuple[_Events, Ints, Stretches]:
    """The events that touch some stretches; the order of these, and the stretches in it."""
    wanted = np.zeros(len(host_threads(rank).places) + 1, np.bool_)
    wanted[thread[thread >= 0]] = True
    order = np.lexsort((first, thread))
    return _events(rank, wanted, union(first, last)), order, (thread[order], first[order], last[order])


def _settled(rank: Rank, events: _Events, rows: Ints, groups: Ints) -> Ints:
    """Ranks of events that are equal in thread, time and kind: by their number, and last by their name."""
    number = np.full(len(rows), -1, np.int64)
    for table, kind in _TABLES.items():
        mine = np.flatnonzero(events.kind[rows] == kind)
        numbers = rank.trace.frame(table, [_NUMBER[table]]).to_series()
        number[mine] = numbers.gather(events.row[rows[mine]]).fill_null(-1).to_numpy()
    ranks = np.empty(len(rows), np.int64)
    ranks[np.lexsort((text_places(rank.trace, events.name.gather(rows)), number, groups))] = np.arange(len(rows))
    return ranks


def _events(rank: Rank, threads: Flags, needed: Union) -> _Events:
    """Host events of some threads that touch a union, without the steps and what runs inside the data loader.

    Args:
        threads: whether each one's events are wanted, by number; behind the last that there is none.
    """
    count = sum(map(rank.trace.rows, _TABLES))
    found = np.empty((2, count), np.int32), np.empty((2, count), np.int64)
    ends = [0]  # where the events of each table end
    for table in _TABLES:
        number, times = host_threads(rank).numbered(rank, table)
        if table == "annotation":
            number = number.copy()
            number[_marks(rank.trace)] = NOBODY
        start, length = times["start_ns"].to_numpy(), times["duration_ns"].to_numpy()
        ends.append(add_touching(number, start, length, threads, needed, found, ends[-1]))
    (thread, row), (start, end) = (part[:, : ends[-1]] for part in found)
    names = [
        rank.trace.frame(table, ["name"])["name"].gather(row[low:high])
        for table, (low, high) in zip(_TABLES, pairwise(ends), strict=True)
    ]
    of = np.array([(kind, TABLES_OF_EVENTS.index(table)) for table, kind in _TABLES.items()], np.uint8)
    kind, of_table = (np.repeat(numbers, np.diff(ends)) for numbers in of.T)
    events = _Events(thread, start, end, kind, pl.concat(names), of_table, row)
    loading = _loading(rank, threads)
    return _outside(events, loading).followed_by(loading) if len(loading.row) else events


def _marks(trace: Trace) -> Ints:
    """Annotations that are no work of the host: steps, and copies that show the GPU's time."""
    steps = trace.rows_with("annotation", trace.codes(lambda text: text.str.contains(_STEP)))
    return np.append(steps, trace.rows_with("annotation", trace.codes(lambda text: text == _ON_GPU), "category"))


def _loading(rank: Rank, threads: Flags) -> _Events:
    """Ranges of the data loader on some threads."""
    ranges = loader_rows(rank.trace)
    number = host_threads(rank).numbers(ranges)
    start, end = ranges["start_ns"].to_numpy(), ranges["end_ns"].to_numpy()
    kind = np.full(len(ranges), DATA_LOADING, np.uint8)
    of = np.array([TABLES_OF_EVENTS.index(table) for table in ranges["table"]], np.uint8)
    row = ranges["row"].to_numpy().astype(np.int32)
    found = _Events(number.astype(np.int32), start, end, kind, ranges["name"], of, row)
    return found.chosen(np.flatnonzero(threads[number]))


def _outside(events: _Events, loading: _Events) -> _Events:
    """Events without those that start inside a range of the data loader on their thread."""
    inside = np.zeros(len(events.row), np.bool_)
    for number in np.unique(loading.thread).tolist():
        mine = loading.thread == number
        taken = union(loading.start[mine], loading.end[mine])
        inside |= (events.thread == number) & contains(taken, events.start)
    return events.chosen(np.flatnonzero(~inside))
