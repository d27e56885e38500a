"""An excerpt: what a trace holds of a stretch of time, as a trace of its own.

What is computed of some steps of a long recording need not touch all of its events. Rows are numbered anew. Launches
and ends that cannot be true are those found in the trace, everything else that follows from rows is computed of the
excerpt alone and held in memory. Its texts are those of the trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from stepscope.numeric.nested import Ints
from stepscope.store.linking import links
from stepscope.store.profile import Rank
from stepscope.store.step_detection import Steps
from stepscope.store.stream_overlaps import believed_times, cut_short
from stepscope.store.trace import Trace

_HOST_TABLES = ("operator", "runtime", "annotation", "python")
_MOMENTS = ("memory", "flow", "counter")
"""Tables whose rows have a time, but no duration."""


class _Excerpt(Trace):
    """Some rows of each table of a trace.

    Args:
        of: the trace.
        rows: by table, numbers of the rows that it has; of the others it has all.
        name: of its folder, which is never made: what is derived of it is held in memory.
    """

    def __init__(self, of: Trace, rows: dict[str, pl.Series], name: str) -> None:
        super().__init__(of.folder / name)
        self._of = of
        self._chosen = rows
        self._given = {links.file(self).name: _links(of, rows), cut_short.file(self).name: _cut_short(of, rows)}
        self.derived = dict(self._given)

    @cached_property
    def meta(self) -> dict[str, Any]:
        """Facts of the file, with the numbers of rows that the excerpt has."""
        return self._of.meta | {
            "rows": self._of.meta["rows"] | {table: len(rows) for table, rows in self._chosen.items()}
        }

    def _read(self, table: str, columns: Sequence[str]) -> pl.DataFrame:
        rows = self._chosen.get(table)
        if rows is None or len(rows) == 0:
            return self._of.frame(table, columns)[: None if rows is None else 0]
        first = int(rows[0])
        found = self._of.stretch(table, columns, first, int(rows[-1]) + 1 - first)
        return found if len(found) == len(rows) else found[rows - first]

    def parts(self, table: str, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        """A table as its only part."""
        yield self.frame(table, columns)

    def numbered_in_file(self, table: str, rows: Ints) -> Ints:
        """Rows of a table as the trace numbers them."""
        chosen = self._chosen.get(table)
        return rows if chosen is None else chosen.to_numpy()[rows].astype(np.int64)

    def forget(self) -> None:
        """Let go of what can be read or derived again."""
        super().forget()
        self.derived = dict(self._given)

    @cached_property
    def texts(self) -> pl.Series:
        """All texts of the trace."""
        return self._of.texts


def excerpt(rank: Rank, start_ns: int, end_ns: int) -> Rank:
    """A rank of which only what belongs to some steps is known; a few before and behind are there, but not selected.

    Args:
        start_ns, end_ns: start of the first and end of the last step.
    """
    ranges = rank.all_steps.ranges
    mine = np.flatnonzero(((ranges["start_ns"] < end_ns) & (ranges["end_ns"] > start_ns)).to_numpy())
    first, last = max(0, int(mine[0]) - _BEFORE), int(mine[-1]) + _AFTER
    kept = ranges[first : last + 1]
    start, end = int(kept["start_ns"].min()), int(kept["end_ns"].max())  # type: ignore[arg-type]
    trace = _Excerpt(rank.trace, _rows(rank.trace, start, end), f"excerpt-{first}-{last}")
    recording = replace(rank.recordings[0], stored=trace)
    whole = replace(rank.whole, recordings=(recording, *rank.recordings[1:]), excerpt_of=rank)
    whole.__dict__["all_steps"] = Steps(kept, rank.all_steps.source, rank.all_steps.name)
    return whole.with_steps((int(ranges["step"][int(mine[0])]), int(ranges["step"][int(mine[-1])])))


def rows_of_trace(rank: Rank, table: str, rows: Ints) -> Ints:
    """Rows of a table of a rank's trace as the file has them: an excerpt numbers them anew."""
    trace = rank.trace
    return trace.numbered_in_file(table, rows) if isinstance(trace, _Excerpt) else rows


_BEFORE, _AFTER = 2, 1
"""Steps around those that are wanted: the GPU may be so far behind, and the host so far ahead."""


def _rows(trace: Trace, start: int, end: int) -> dict[str, pl.Series]:
    """By table, the rows that overlap a stretch of time; of the GPU what was launched in it or ran in it."""
    rows = {table: _overlapping(trace, table, start, end) for table in _HOST_TABLES}
    for table in _MOMENTS:
        at = trace.frame(table, ["start_ns"])["start_ns"].to_numpy()
        rows[table] = _numbers((at >= start) & (at < end))
    link = links(trace)
    times = believed_times(trace)
    began, launched = times["start_ns"].to_numpy(), link["launch_start_ns"].fill_null(-1).to_numpy()
    mine = (launched >= start) & (launched < end)
    mine |= (began >= start) & (began < end)
    rows["activity"] = _numbers(mine)
    # Calls that launched any of it, however long before.
    calls = link["launch"].gather(rows["activity"]).drop_nulls()
    rows["runtime"] = pl.concat([rows["runtime"], calls.cast(pl.UInt32)]).unique().sort()
    return rows


def _overlapping(trace: Trace, table: str, start: int, end: int) -> pl.Series:
    times = trace.frame(table, ["start_ns", "duration_ns"])
    begin = times["start_ns"].to_numpy()
    return _numbers((begin < end) & (begin + times["duration_ns"].to_numpy() > start))


def _links(trace: Trace, rows: dict[str, pl.Series]) -> pl.DataFrame:
    """The links of the activity in an excerpt, with rows as they are numbered there."""
    own = links(trace)[rows["activity"]]
    return own.with_columns(_renumbered(own["launch"], rows["runtime"]), _renumbered(own["operator"], rows["operator"]))


def _cut_short(trace: Trace, rows: dict[str, pl.Series]) -> pl.DataFrame:
    """The activities of an excerpt that are cut short, with rows as they are numbered there."""
    cut = cut_short(trace)
    return cut.with_columns(_renumbered(cut["row"], rows["activity"])).drop_nulls("row")


def _renumbered(of_trace: pl.Series, rows: pl.Series) -> pl.Series:
    """Where some rows of a table stand among those of the excerpt; null where it does not have them."""
    number = np.append(rows.to_numpy(), np.iinfo(np.int64).max)
    wanted = of_trace.fill_null(0).to_numpy()
    place = np.searchsorted(number, wanted)
    there = of_trace.is_not_null().to_numpy() & (number[place] == wanted)
    return pl.Series(of_trace.name, place, of_trace.dtype).set(pl.Series(~there), None)


def _numbers(which: np.ndarray) -> pl.Series:
    return pl.Series(np.flatnonzero(which)).cast(pl.UInt32)
