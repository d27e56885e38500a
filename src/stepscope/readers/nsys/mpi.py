"""Calls of MPI as ranges of their threads, in a domain of their own."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER
from stepscope.readers.nsys.columns import Events, timed
from stepscope.readers.nsys.export import Export
from stepscope.schema import MPI

Tables = Iterator[tuple[str, pl.DataFrame]]

_TABLES = ("MPI_COLLECTIVES_EVENTS", "MPI_P2P_EVENTS", "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS")
_WANTED = dict.fromkeys(("start", "end", "globalTid", "textId", "nameId"), INTEGER)


def mpi_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored table ``annotation``."""
    for table in _TABLES:
        for frame in export.rows(table, _WANTED):
            name = frame.select(pl.coalesce("textId", "nameId")).to_series()
            made = frame.with_columns(
                *timed(frame),
                *events.of_host(frame),
                export.string_codes(name).alias("name"),
                events.code(MPI).alias("category"),
                events.code("MPI").alias("domain"),
            )
            yield from events.table("annotation", made)
