"""Which tables have a picture, and of which rows it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.reporters.svg.flame_graph import flame_graph
from stepscope.reporters.svg.memory_bands import memory_bands
from stepscope.reporters.svg.segment_map import segment_map


@dataclass(frozen=True)
class Picture:
    """A picture of a table.

    Attributes:
        table, by: the rows that it is drawn of.
        draw: SVG of these rows.
    """

    table: str
    by: str
    draw: Callable[[pl.DataFrame], str]


_MAP = Picture("memory_blocks", "", segment_map)
PICTURES = {
    "memory_segments": _MAP,
    "memory_blocks": _MAP,
    "memory_peak": Picture("memory_peak", "stack", flame_graph),
    "memory_categories": Picture("memory_categories", "point", memory_bands),
}
"""By the table that a user asks for."""


def picture_of(table: str, by: str = "") -> Picture:
    """The picture of a table.

    Args:
        by: a grouping that was asked for; "" for that of the picture.

    Raises:
        BadRequest: it has none, or not so grouped.
    """
    if table not in PICTURES or by not in ("", PICTURES[table].by):
        tried = Message("error-cannot-draw", table=table)
        raise BadRequest(tried, Message("error-no-picture"), Message("error-tables-with", tables=list(PICTURES)))
    return PICTURES[table]
