"""What a thread of the host was in the middle of: the deepest event that covers at least half of a stretch of time.

Without any it is the operator that covers most of it, of those open where the stretch begins, in its middle and where
it ends, unless more of it lies outside of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank
from stepscope.store.trace import Trace

_WORK = ("operator", "runtime")
_AROUND = ("python", "annotation")
_STEP = r"^ProfilerStep#"

ADDRESS = r" object at 0x[0-9a-fA-F]+| at 0x[0-9a-fA-F]+"
"""Where an object lay in memory, which differs from run to run."""

NOTHING = "(between operators)"
"""Where no event was open: Python without stacks, or a library that records nothing."""


def host_events(rank: Rank, first: pl.DataFrame, second: pl.DataFrame, begin: Ints, end: Ints) -> pl.DataFrame:
    """The event that each stretch ``[begin, end)`` was spent in, on one of two threads.

    Operators and calls of the first thread count most, then those of the second, then Python frames and annotations of
    the first and of the second. Of several that cover half of the stretch the last to start is taken.

    Args:
        first, second: columns process and thread (codes; -1 or null for none), a row per stretch.

    Returns:
        Columns event (text, `NOTHING` where none fits), operator (its row, where it is one), process, thread.
    """
    found = _Found.nothing(len(begin))
    on_second = np.zeros(len(begin), np.bool_)
    for tables in (_WORK, _AROUND):
        for places in (first, second):
            at = np.flatnonzero(found.name == NOBODY)
            if len(at) == 0:
                break
            here = _deepest(rank, tables, places[at], begin[at], end[at])
            found.fill(at, here)
            on_second[at] = (here.name != NOBODY) & (places is second)
    at = np.flatnonzero(found.name == NOBODY)
    if len(at):
        found.fill(at, _largest(rank, first[at], begin[at], end[at]))
    seconds = pl.Series(on_second)
    threads = [second[name].zip_with(seconds, first[name]).alias(name) for name in PLACE]
    return pl.DataFrame([_texts(rank.trace, found.name), _known(found.operator).alias("operator"), *threads])


@dataclass(frozen=True)
class _Found:
    """Events that stretches were spent in.

    Attributes:
        name: code of each, `NOBODY` where none fits.
        operator: its row, where it is one.
    """

    name: Ints
    operator: Ints

    @classmethod
    def nothing(cls, count: int) -> _Found:
        """None yet."""
        return cls(np.full(count, NOBODY, np.int64), np.full(count, NOBODY, np.int64))

    def fill(self, at: Ints, here: _Found) -> None:
        """Take over what was found of some stretches."""
        self.name[at], self.operator[at] = here.name, here.operator


def _texts(trace: Trace, codes: Ints) -> pl.Series:
    """What the events are called: of many stretches few names."""
    distinct, which = np.unique(codes, return_inverse=True)
    names = pl.DataFrame({"event": trace.text(_known(distinct))})
    names = names.select(pl.col("event").str.replace(ADDRESS, "").fill_null(NOTHING))
    return names["event"][pl.Series(which, dtype=pl.UInt32)]


def _deepest(rank: Rank, tables: tuple[str, ...], places: pl.DataFrame, begin: Ints, end: Ints) -> _Found:
    """Of the events of some tables on the stretches' threads."""
    trace = rank.trace
    started = np.full(len(begin), np.iinfo(np.int64).min)
    found = _Found.nothing(len(begin))
    for table in tables:
        row, start = _covering(rank, table, places, begin, end)
        code = _names(trace, table, row)
        if table == "annotation":
            steps = trace.codes(lambda text: text.str.contains(_STEP))
            code[np.isin(code, steps.to_numpy())] = NOBODY
        deeper = np.flatnonzero((code != NOBODY) & (start > started))
        started[deeper] = start[deeper]
        operator = row[deeper] if table == "operator" else np.full(len(deeper), NOBODY)
        found.fill(deeper, _Found(code[deeper], operator))
    return found


def _covering(rank: Rank, table: str, places: pl.DataFrame, begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Row and start of the deepest event open in the middle of each stretch that covers half of it, or `NOBODY`."""
    from stepscope.numeric.covering import half_covering

    middle = begin + (end - begin) // 2
    row = innermost_rows(rank, table, places.with_columns(pl.Series("at", middle)))
    if not (row >= 0).any():
        return row, np.zeros(len(row), np.int64)
    host = rank.nesting(table)
    row = half_covering(host.nesting.parent, host.start, host.end, row, begin, end)
    return row, np.where(row >= 0, host.start[row], 0)


def _largest(rank: Rank, places: pl.DataFrame, begin: Ints, end: Ints) -> _Found:
    """The operator that covers most of each stretch, none where more is uncovered."""
    best = np.full(len(begin), NOBODY, np.int64)
    most = np.zeros(len(begin), np.int64)
    rest = end - begin
    roots: list[Ints] = []
    for at in (begin, begin + (end - begin) // 2, np.maximum(begin, end - 1)):
        row, root, covered = _standing_for(rank, places, at, begin, end)
        new = ~np.any([root == other for other in roots], axis=0) if roots else np.full(len(root), True)
        rest = rest - np.where(new & (root >= 0), covered, 0)
        larger = covered > most
        best, most = np.where(larger, row, best), np.where(larger, covered, most)
        roots.append(root)
    best = np.where(most >= rest, best, NOBODY)
    return _Found(_names(rank.trace, "operator", best), best)


def _standing_for(rank: Rank, places: pl.DataFrame, at: Ints, begin: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Of the operators open at a moment: the one to name, the outermost, and how much of the stretch that covers."""
    from stepscope.numeric.covering import standing_for

    row = innermost_rows(rank, "operator", places.with_columns(pl.Series("at", at)))
    host = rank.nesting("operator")
    return standing_for(host.nesting.parent, host.start, host.end, row, at, begin, end)


def _names(trace: Trace, table: str, row: Ints) -> Ints:
    """Codes of the names of some rows of a host table; `NOBODY` for `NOBODY`."""
    codes = trace.frame(table, ["name"])["name"][_known(row)]
    return codes.cast(pl.Int64).fill_null(NOBODY).to_numpy(writable=True)


def _known(row: Ints) -> pl.Series:
    """Codes or rows, with null for `NOBODY`."""
    return pl.Series(np.where(row == NOBODY, 0, row), dtype=pl.UInt32).set(pl.Series(row == NOBODY), None)
