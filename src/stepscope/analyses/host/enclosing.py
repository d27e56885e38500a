"""Which host event is open at a moment of a thread."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.nesting import HostNesting, rows_of_places
from stepscope.store.profile import Rank


def innermost_rows(rank: Rank, table: str, moments: pl.DataFrame) -> Ints:
    """Row of a host table that is innermost at each moment, `NOBODY` where none is open.

    Args:
        table: operator, annotation, python or runtime.
        moments: columns process, thread (codes or numbers) and at (ns); a moment with a null time lies nowhere.
    """
    if rank.trace.rows(table) == 0 or len(moments) == 0:
        return np.full(len(moments), NOBODY, np.int64)
    at = moments["at"].fill_null(0).to_numpy()
    found = rows_at(rank.nesting(table), moments["process"], moments["thread"], at)
    return np.where(moments["at"].is_null().to_numpy(), NOBODY, found)


def rows_at(host: HostNesting, process: pl.Series, thread: pl.Series, at: Ints) -> Ints:
    """Row of nested events that is innermost on each thread at each moment, `NOBODY` where none is open.

    Args:
        process, thread: codes or numbers, one per moment.
        at: in ns.
    """
    from stepscope.numeric.nesting import innermost_at

    lane = rows_of_places(host.lanes, pl.DataFrame([process.alias("process"), thread.alias("thread")]))
    return innermost_at(host.nesting, host.thread, host.start, host.end, lane, at)
