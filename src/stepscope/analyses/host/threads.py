"""Time on single threads of the host: unions of ranges thread by thread.

A thread is named by the codes of its process and its thread; a missing one is -1.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.steps.unions import union_of
from stepscope.numeric.intervals import Ints, Union, contains
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank
from stepscope.store.trace import Trace

Bools: TypeAlias = npt.NDArray[np.bool_]
Place: TypeAlias = tuple[int, int]


def named_ranges(trace: Trace, names: pl.Series, tables: tuple[str, ...]) -> pl.DataFrame:
    """Events of some host tables with some names (codes): columns name, process, thread, start_ns, end_ns."""
    columns = ["name", *PLACE, "start_ns", "duration_ns"]
    found = [trace.frame(table, columns).filter(pl.col("name").is_in(names.implode())) for table in tables]
    end = (pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns")
    return pl.concat(found).with_columns(end).drop("duration_ns")


@per_rank(whole=True)
def runtime_calls(rank: Rank) -> pl.DataFrame:
    """All calls of table runtime in file order: columns row, name, process, thread (numbers), start_ns, end_ns."""
    calls = rank.trace.frame("runtime", ["name", *PLACE, "start_ns", "duration_ns"]).with_row_index("row")
    end = (pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns")
    return calls.with_columns(end, as_numbers()).drop("duration_ns")


def thread_numbers(places: pl.DataFrame) -> tuple[Ints, Ints]:
    """Process and thread of each row as numbers."""
    columns = places.select(as_numbers())
    return columns["process"].to_numpy(), columns["thread"].to_numpy()


def as_numbers() -> pl.Expr:
    """The columns process and thread of a frame of codes, as numbers."""
    return pl.col(PLACE).cast(pl.Int64).fill_null(-1)


def thread_unions(ranges: pl.DataFrame) -> dict[Place, Union]:
    """Union of the ranges of each thread; columns process, thread, start_ns, end_ns."""
    known = ranges.with_columns(as_numbers())
    return {(int(key[0]), int(key[1])): union_of(part) for key, part in known.group_by(PLACE)}


def inside_threads(unions: dict[Place, Union], places: pl.DataFrame, times: Ints) -> Bools:
    """Whether each time lies in the union of its own thread, named by the columns process and thread."""
    inside = np.zeros(len(times), np.bool_)
    process, thread = thread_numbers(places)
    for place, of in unions.items():
        mine = np.flatnonzero((process == place[0]) & (thread == place[1]))
        inside[mine] = contains(of, times[mine])
    return inside


def named_threads(trace: Trace, frame: pl.DataFrame) -> pl.DataFrame:
    """A frame with columns process and thread (codes) with these as texts, and with a column thread_name."""
    labels = trace.frame("label", [*PLACE, "name", "label_name"])
    naming = trace.codes(lambda text: text == "thread_name")
    names = labels.filter(pl.col("name").is_in(naming.implode())).unique(PLACE, keep="last", maintain_order=True)
    joined = frame.join(names.select(*PLACE, "label_name"), PLACE, "left", nulls_equal=True, maintain_order="left")
    texts = [trace.text(joined[column]).alias(column) for column in PLACE]
    return joined.with_columns(*texts, trace.text(joined["label_name"]).alias("thread_name")).drop("label_name")
