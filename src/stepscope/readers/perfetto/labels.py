"""Names of threads and processes."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.numeric.packet_state import Ints
from stepscope.readers.perfetto.rows import Rows
from stepscope.schema import PART, STORE_TABLES

_TYPES = STORE_TABLES["label"] | {PART: pl.UInt16}


def label_frame(rows: Rows, parts: Ints | None) -> pl.DataFrame:
    """Columns of ``label``, without ``event``: of threads and processes that have rows."""
    of_part: dict[int, int] = {}
    if parts is not None:
        numbers, first = np.unique(rows.process_number, return_index=True)
        of_part = dict(zip(numbers.tolist(), parts[first].tolist(), strict=True))
    thread, process = rows.code("thread_name"), rows.code("process_name")
    found: dict[tuple[int, int, int], list[int]] = {}
    for track in rows.tracks_of_host():
        number, part = rows.code(str(track.process)), of_part.get(track.process, 0)
        if track.thread >= 0 and track.thread_name >= 0:
            found[thread, track.process, track.thread] = [
                thread,
                number,
                rows.code(str(track.thread)),
                track.thread_name,
                part,
            ]
        if track.process_name >= 0:
            found[process, track.process, -1] = [process, number, rows.code("0"), track.process_name, part]
    names = ["name", "process", "thread", "label_name", PART]
    frame = pl.DataFrame(list(found.values()), schema=dict.fromkeys(names, pl.Int64), orient="row")
    frame = frame.with_columns(pl.lit(0, pl.Int64).alias("start_ns"))
    frame = frame if parts is not None else frame.drop(PART)
    return frame.select(pl.col(name).cast(_TYPES[name]) for name in frame.columns)
