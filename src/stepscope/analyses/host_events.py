"""What a thread of the host was in the middle of: the deepest event that covers at least half of a stretch of time."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.enclosing import innermost_rows
from stepscope.analyses.threads import as_codes
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.profile import Rank

_WORK = ("operator", "runtime")
_AROUND = ("python", "annotation")
_STEP = r"^ProfilerStep#"

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
    return found.with_columns(pl.col("event").fill_null(NOTHING))


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
        rows = pl.Series(np.where(row == NOBODY, 0, row), dtype=pl.UInt32).set(pl.Series(row == NOBODY), None)
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
