"""Host events nested on their threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.nesting import Nesting, nest
from stepscope.store.trace import Trace

Ints: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class HostNesting:
    """Nested events of one stored table, arrays by row in file order.

    Attributes:
        lanes: columns process, thread (codes) and lane, the number used in ``thread``.
        thread, start, end: of each event.
        nesting: order, parents, depths, self times.
    """

    lanes: pl.DataFrame
    thread: Ints
    start: Ints
    end: Ints
    nesting: Nesting


def host_nesting(trace: Trace, table: str) -> HostNesting:
    """Nest the events of a host table (operator, python, annotation, runtime); nested once, then stored."""
    frame = trace.frame(table, ["process", "thread", "start_ns", "duration_ns", "external_id"])
    place = ["process", "thread"]
    lanes = frame.select(place).unique(maintain_order=True).with_row_index("lane")
    lane = frame.select(place).join(lanes, place, "left", maintain_order="left", nulls_equal=True)["lane"]
    thread = lane.cast(pl.Int64).to_numpy()
    start = frame["start_ns"].to_numpy()
    end = start + frame["duration_ns"].to_numpy()

    def make() -> pl.DataFrame:
        tie = frame["external_id"].fill_null(-1).to_numpy()
        made = nest(thread, start, end, tie)
        return pl.DataFrame(
            {
                "order": made.order.astype(np.uint32),
                "parent": made.parent,
                "depth": made.depth,
                "self_ns": made.self_ns,
                "sticks_out": made.sticks_out,
            }
        )

    kept = trace.derived(f"nesting.{table}", make)
    nesting = Nesting(
        kept["order"].cast(pl.Int64).to_numpy(),
        kept["parent"].to_numpy(),
        kept["depth"].to_numpy(),
        kept["self_ns"].to_numpy(),
        kept["sticks_out"].to_numpy(),
    )
    return HostNesting(lanes, thread, start, end, nesting)
