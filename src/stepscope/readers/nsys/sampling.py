"""Samples of what CPUs ran, with their stacks, and when threads were put on a CPU and taken from it.

A recording may be of the whole machine. What is of processes that have no other rows is of other programs: it is
counted and left out. Of files that code lies in only the name is kept: their folders name users.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER
from stepscope.readers.nsys.columns import Events
from stepscope.readers.nsys.export import Export
from stepscope.schema import PART

Tables = Iterator[tuple[str, pl.DataFrame]]

_FOLDERS = rb"^.*[/\\]"
_SAMPLE = dict.fromkeys(("id", "start", "cpu", "threadState", "globalTid"), INTEGER)
_FRAME = dict.fromkeys(("id", "symbol", "module", "unresolved", "stackDepth"), INTEGER)
_SWITCH = dict.fromkeys(("start", "cpu", "isSchedIn", "globalTid"), INTEGER)
UNRESOLVED = "(unresolved)"


def sampling_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored tables ``cpu_sample``, ``sample_frame`` and ``thread_switch``, read after all others."""
    parts = []
    for frame in export.rows("COMPOSITE_EVENTS", _SAMPLE):
        own = _own(frame, events)
        made = own.with_columns(*events.of_host(own), pl.col("start").alias("start_ns"), pl.col("id").alias("stack"))
        parts.append(made.select("stack", PART))
        yield from events.table("cpu_sample", made)
    if parts:
        yield from _frames(export, events, pl.concat(parts).unique("stack", keep="first"))
    for frame in export.rows("SCHED_EVENTS", _SWITCH):
        own = _own(frame, events)
        made = own.with_columns(
            *events.of_host(own),
            pl.col("start").alias("start_ns"),
            pl.col("isSchedIn").clip(0, 1).alias("running"),
        )
        yield from events.table("thread_switch", made)


def _own(frame: pl.DataFrame, events: Events) -> pl.DataFrame:
    """The rows of processes that have other rows, with a time; the others are counted."""
    known = frame.filter(events.processes.known(frame, "globalTid"))
    events.foreign += len(frame) - len(known)
    return known


def _frames(export: Export, events: Events, samples: pl.DataFrame) -> Tables:
    """The functions of each stack, the one that ran first.

    Args:
        samples: columns stack and `PART`.
    """
    for frame in export.rows("SAMPLING_CALLCHAINS", _FRAME):
        own = frame.join(samples, left_on="id", right_on="stack", maintain_order="left")
        unresolved = (own["unresolved"] == 1).fill_null(False)
        name = export.string_codes(own["symbol"].set(unresolved, None))
        made = own.with_columns(
            pl.col("id").alias("stack"),
            pl.col("stackDepth").alias("depth"),
            pl.when(unresolved).then(events.code(UNRESOLVED)).otherwise(name).alias("name"),
            export.string_codes(own["module"], _FOLDERS).alias("module"),
        )
        yield from events.facts_table("sample_frame", made)
