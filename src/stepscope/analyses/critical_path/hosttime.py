"""What a thread of the host did in some stretches of time: its innermost event, moment by moment."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.steps.unions import loader_rows
from stepscope.analyses.text_order import text_places
from stepscope.numeric.intervals import Ints, contains, covered_within, union
from stepscope.numeric.pieces import innermost_pieces
from stepscope.store.profile import Rank

OTHER, PYTHON, OPERATOR, RUNTIME, DATA_LOADING = range(5)
KINDS = ("other", "python", "operator", "runtime", "data_loading")
"""What a thread may do, and the names of these numbers."""

_TABLES = {"annotation": OTHER, "python": PYTHON, "operator": OPERATOR, "runtime": RUNTIME}
"""Host tables and the kind of time of each; of events with the same start and end the later table's is inside."""

TABLES_OF_EVENTS = ("activity", *_TABLES, "other")
"""Tables in which events on a path lie; a table's number is its place here."""

_STEP = r"^ProfilerStep#"
_EVENT = ["thread", "start_ns", "end_ns", "name", "kind", "number", "table", "row"]


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
    events = _events(rank, np.flatnonzero(np.bincount(thread[thread >= 0])), union(first, last))
    order = np.lexsort((first, thread))
    owner, start, end, kind = (events[name].to_numpy() for name in ("thread", "start_ns", "end_ns", "kind"))
    intervals, settle = (owner, start, end, kind), partial(_settled, rank, events)
    pieces = innermost_pieces(intervals, settle, thread[order], first[order], last[order])
    # One row behind the last stands for "nothing recorded".
    what = events.select("name", "kind", "table", "row")
    nothing = pl.DataFrame({"kind": [OTHER]}, schema_overrides={"kind": pl.UInt8})
    what = pl.concat([what, nothing], how="diagonal")
    return what[np.where(pieces.row < 0, len(events), pieces.row)].with_columns(
        pl.Series("stretch", order[pieces.stretch]),
        pl.Series("start_ns", pieces.start),
        pl.Series("end_ns", pieces.end),
    )


def _settled(rank: Rank, events: pl.DataFrame, rows: Ints, groups: Ints) -> Ints:
    """Ranks of events that are equal in thread, time and kind: by their number, and last by their name."""
    tied = events[rows]
    keys = (text_places(rank.trace, tied["name"]), tied["number"].fill_null(-1).to_numpy(), groups)
    ranks = np.empty(len(rows), np.int64)
    ranks[np.lexsort(keys)] = np.arange(len(rows))
    return ranks


def _events(rank: Rank, threads: Ints, needed: tuple[Ints, Ints]) -> pl.DataFrame:
    """Host events of some threads that touch a union, without the steps and what runs inside the data loader."""
    numbering = host_threads(rank)
    steps = rank.trace.codes(lambda text: text.str.contains(_STEP))
    gpu = rank.trace.codes(lambda text: text == "gpu_user_annotation")
    frames = []
    for table, kind in _TABLES.items():
        number, times = numbering.numbered(rank, table)
        start = times["start_ns"].to_numpy()
        end = start + times["duration_ns"].to_numpy()
        touches = np.flatnonzero(np.isin(number, threads) & (covered_within(needed, start, end) > 0))
        of_event = "python_id" if table == "python" else "external_id"
        frame = rank.trace.frame(table, ["name", "category", of_event])[touches].with_columns(
            pl.col(of_event).alias("number"),
            pl.Series("thread", number[touches]),
            pl.Series("start_ns", start[touches]),
            pl.Series("end_ns", end[touches]),
            pl.lit(TABLES_OF_EVENTS.index(table), pl.UInt8).alias("table"),
            pl.Series("row", touches.astype(np.uint32)),
        )
        if table == "annotation":
            frame = frame.filter(
                ~pl.col("name").is_in(steps.implode()).fill_null(False)
                & ~pl.col("category").is_in(gpu.implode()).fill_null(False)
            )
        frames.append(frame.with_columns(pl.lit(kind, pl.UInt8).alias("kind")).select(_EVENT))
    return _with_loader(rank, pl.concat(frames), threads)


def _with_loader(rank: Rank, events: pl.DataFrame, threads: Ints) -> pl.DataFrame:
    """Events with those inside a range of the data loader replaced by the range."""
    ranges = loader_rows(rank.trace)
    if len(ranges) == 0:
        return events
    thread = pl.Series("thread", host_threads(rank).numbers(ranges))
    number = pl.col("table").replace_strict({name: i for i, name in enumerate(TABLES_OF_EVENTS)}, return_dtype=pl.UInt8)
    ranges = ranges.with_columns(thread, pl.lit(None, pl.Int64).alias("number"), number)
    kept = [events]
    for number in np.intersect1d(threads, ranges["thread"].to_numpy()).tolist():
        mine = ranges.filter(thread=number)
        loading = union(mine["start_ns"].to_numpy(), mine["end_ns"].to_numpy())
        kept[0] = kept[0].filter(
            (pl.col("thread") != number) | ~pl.Series(contains(loading, kept[0]["start_ns"].to_numpy()))
        )
        kept.append(mine.with_columns(pl.lit(DATA_LOADING, pl.UInt8).alias("kind")).select(_EVENT))
    return pl.concat(kept)
