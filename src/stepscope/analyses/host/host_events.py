"""What a thread of the host was in the middle of: the deepest event that covers at least half of a stretch of time.

Without any it is the operator that covers most of it, of those open where the stretch begins, in its middle and where
it ends, unless more of it lies outside of them.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.analyses.host.threads import as_codes
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.nesting import HostNesting
from stepscope.store.profile import Rank

_WORK = ("operator", "runtime")
_AROUND = ("python", "annotation")
_STEP = r"^ProfilerStep#"

ADDRESS = r" object at 0x[0-9a-fA-F]+| at 0x[0-9a-fA-F]+"
"""Where an object lay in memory, which differs from run to run."""

_CLEARLY = 1.25
"""An operator stands for those inside it where it covers this much more of the stretch."""

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
    found = pl.DataFrame({"event": [None] * len(begin)}, schema={"event": pl.String}).with_columns(
        pl.lit(None, pl.UInt32).alias("operator"), first["process"], first["thread"]
    )
    for tables in (_WORK, _AROUND):
        for places in (first, second):
            open_ones = found["event"].is_null().to_numpy()
            if not open_ones.any():
                break
            at = np.flatnonzero(open_ones)
            here = _deepest(rank, tables, places[at], begin[at], end[at])
            named = here["event"].is_not_null()
            found = _filled(found, at[named.to_numpy()], here.filter(named), places)
    at = np.flatnonzero(found["event"].is_null().to_numpy())
    largest = _largest(rank, first[at], begin[at], end[at])
    named = largest["event"].is_not_null()
    found = _filled(found, at[named.to_numpy()], largest.filter(named), first)
    address = pl.col("event").str.replace(ADDRESS, "")
    return found.with_columns(address.fill_null(NOTHING).alias("event"))


def _filled(found: pl.DataFrame, at: Ints, here: pl.DataFrame, places: pl.DataFrame) -> pl.DataFrame:
    """Rows ``at`` of what was found, replaced."""
    new = here.with_columns(places[at]["process"], places[at]["thread"], pl.Series("at", at))
    rest = found.with_row_index("at").cast({"at": pl.Int64}).join(new.select("at"), "at", "anti")
    return pl.concat([rest, new.select(rest.columns)]).sort("at").drop("at")


def _deepest(rank: Rank, tables: tuple[str, ...], places: pl.DataFrame, begin: Ints, end: Ints) -> pl.DataFrame:
    """Columns event and operator: of the events of some tables on the stretches' threads, null where none fits."""
    trace = rank.trace
    started = np.full(len(begin), np.iinfo(np.int64).min)
    name = pl.Series("name", [None] * len(begin), dtype=pl.UInt32)
    operator = name.alias("operator")
    for table in tables:
        row, start = _covering(rank, table, places, begin, end)
        rows = _known(row)
        code = trace.frame(table, ["name"])["name"].gather(rows)
        if table == "annotation":
            steps = trace.codes(lambda text: text.str.contains(_STEP))
            code = code.set(code.is_in(steps.implode()).fill_null(False), None)
        deeper = code.is_not_null() & pl.Series(start > started)
        started = np.where(deeper.to_numpy(), start, started)
        name = code.zip_with(deeper, name)
        operator = (rows if table == "operator" else rows.clear(len(rows))).zip_with(deeper, operator)
    return pl.DataFrame([trace.text(name).alias("event"), operator.alias("operator")])


def _covering(rank: Rank, table: str, places: pl.DataFrame, begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Row and start of the deepest event open in the middle of each stretch that covers half of it, or `NOBODY`."""
    middle = begin + (end - begin) // 2
    row = innermost_rows(rank, table, places.select(*as_codes(), pl.Series("at", middle)))
    if not (row >= 0).any():
        return row, np.zeros(len(row), np.int64)
    host = rank.nesting(table)
    parent = host.nesting.parent
    while True:
        covered = np.minimum(host.end[row], end) - np.maximum(host.start[row], begin)
        short = np.flatnonzero((row >= 0) & (2 * covered < end - begin))
        if len(short) == 0:
            return row, np.where(row >= 0, host.start[row], 0)
        row[short] = parent[row[short]]


def _largest(rank: Rank, places: pl.DataFrame, begin: Ints, end: Ints) -> pl.DataFrame:
    """Columns event and operator: of the operator that covers most of each stretch, null where more is uncovered."""
    best = np.full(len(begin), NOBODY, np.int64)
    most = np.zeros(len(begin), np.int64)
    rest = end - begin
    roots: list[Ints] = []
    for at in (begin, begin + (end - begin) // 2, np.maximum(begin, end - 1)):
        row, root, covered = _chain(rank, places, at, begin, end)
        new = ~np.any([root == other for other in roots], axis=0) if roots else np.full(len(root), True)
        rest = rest - np.where(new & (root >= 0), covered, 0)
        larger = covered > most
        best, most = np.where(larger, row, best), np.where(larger, covered, most)
        roots.append(root)
    best = np.where(most >= rest, best, NOBODY)
    rows = _known(best).alias("operator")
    names = rank.trace.frame("operator", ["name"])["name"].gather(rows)
    return pl.DataFrame([rank.trace.text(names).alias("event"), rows])


def _known(row: Ints) -> pl.Series:
    """Rows, with null for `NOBODY`."""
    return pl.Series(np.where(row == NOBODY, 0, row), dtype=pl.UInt32).set(pl.Series(row == NOBODY), None)


def _chain(rank: Rank, places: pl.DataFrame, at: Ints, begin: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Of the operators open at a moment: the one to name, the outermost, and how much of the stretch that covers."""
    row = innermost_rows(rank, "operator", places.select(*as_codes(), pl.Series("at", at)))
    host = rank.nesting("operator")
    named, root = row.copy(), row.copy()
    while True:
        inside = np.flatnonzero(row >= 0)
        if len(inside) == 0:
            return named, root, _covered(host, root, begin, end)
        row[inside] = host.nesting.parent[row[inside]]
        up = np.flatnonzero((row >= 0) & (host.end[row] > at))
        root[up] = row[up]
        whole = _covered(host, row[up], begin[up], end[up])
        clearly = whole > _CLEARLY * _covered(host, named[up], begin[up], end[up])
        named[up[clearly]] = row[up[clearly]]


def _covered(host: HostNesting, row: Ints, begin: Ints, end: Ints) -> Ints:
    """How much of each stretch an event covers; nothing for `NOBODY`."""
    if len(host.start) == 0:
        return np.zeros(len(row), np.int64)
    covered = np.minimum(host.end[row], end) - np.maximum(host.start[row], begin)
    return np.where(row >= 0, covered, 0)
