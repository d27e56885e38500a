"""Single rows of stored tables, read without the rest of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import polars as pl

from stepscope.readers.kineto_plan import ARGUMENTS
from stepscope.schema import STORE_TABLES
from stepscope.store.json_text import json_value
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank
from stepscope.timeline.record_facts import record_arguments

_KEYS = {slot.column: slot.key for slot in ARGUMENTS}
_OWN_KEYS = {"cpu_sample": {"cpu": "cpu"}, "thread_switch": {"cpu": "cpu"}}
"""Of tables whose columns no trace has as arguments."""

_ROW = "row of the table"
_EXACT = 1 << 53
"""JavaScript rounds whole numbers from here on; they go as text."""


def stored_row(rank: Rank, table: str, row: int) -> dict[str, Any]:
    """All columns of a row, texts as texts; those that the trace lacks are missing.

    Args:
        row: in file order, through all parts.
    """
    found = _ahead(rank).rows.get((table, row))
    if found is None:
        bounds = _bounds(rank, table)
        part = next(part for part, bound in enumerate(bounds[1:]) if row < bound)
        path = rank.trace.files(table)[part]
        found = pl.scan_parquet(path).slice(row - bounds[part], 1).collect().row(0, named=True)
    types, texts = STORE_TABLES[table], rank.trace.texts
    coded = [name for name in found if types[name] == pl.UInt32 and name != "event" and found[name] is not None]
    return found | {name: texts[found[name]] for name in coded}


@dataclass
class _Ahead:
    """Rows that were read at once.

    Attributes:
        rows: by table and row, with codes for texts.
        extras: by event, keys and values (codes) of the arguments that have no column of their own.
    """

    rows: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    extras: dict[int, list[tuple[int, int]]] = field(default_factory=dict)


@per_rank(whole=True)
def _ahead(rank: Rank) -> _Ahead:
    return _Ahead()


def read_ahead(rank: Rank, wanted: Iterable[tuple[str, int]]) -> None:
    """Read rows of stored tables at once, for `stored_row` and `arguments`: each alone takes as long as hundreds."""
    by_table: dict[str, list[int]] = defaultdict(list)
    for table, row in wanted:
        if table in STORE_TABLES:
            by_table[table].append(row)
    ahead = _ahead(rank)
    for table, rows in by_table.items():
        for path, first in zip(rank.trace.files(table), _bounds(rank, table)[:-1], strict=True):
            lazy = pl.scan_parquet(path).with_row_index(_ROW, offset=first)
            found = lazy.filter(pl.col(_ROW).is_in(rows)).collect(engine="streaming")
            ahead.rows |= {(table, values.pop(_ROW)): values for values in found.to_dicts()}
    events = [values["event"] for values in ahead.rows.values()]
    ahead.extras.update({event: [] for event in events})
    for event, key, value in _extra_rows(rank, events).iter_rows():
        ahead.extras[event].append((key, value))


@per_rank(whole=True)
def _bounds(rank: Rank, table: str) -> list[int]:
    """First row of each part of a table, and the end of the last."""
    paths = rank.trace.files(table)
    return [0, *accumulate(pl.scan_parquet(path).select(pl.len()).collect().item() for path in paths)]


def arguments(rank: Rank, table: str, row: dict[str, Any]) -> dict[str, Any]:
    """What the trace says about an event beside its name and times, by the keys that the profiler used.

    Args:
        row: as `stored_row` returns it.
    """
    if table == "collective_record":
        return record_arguments(row)
    keys = _KEYS | _OWN_KEYS.get(table, {})
    found = {keys[name]: _plain(value) for name, value in row.items() if name in keys and value is not None}
    return found | _extras(rank, row["event"])


def _extras(rank: Rank, event: int) -> dict[str, Any]:
    """Arguments that have no column of their own."""
    known = _ahead(rank).extras.get(event)
    codes = known if known is not None else [row[1:] for row in _extra_rows(rank, [event]).iter_rows()]
    texts = rank.trace.texts
    named = ((None if code is None else texts[code] for code in pair) for pair in codes)
    return {key or "": _parsed(value) for key, value in named}


def _extra_rows(rank: Rank, events: list[int]) -> pl.DataFrame:
    """Arguments of events without a column of their own: columns event, key, value."""
    trace = rank.trace
    if trace.rows("extras") == 0:
        return pl.DataFrame(schema=dict.fromkeys(("event", "key", "value"), pl.UInt32))
    paths = trace.files("extras")
    mine = pl.col("event").is_in(events) & (pl.col("level") == 1)
    return pl.scan_parquet(paths).filter(mine).select("event", "key", "value").collect(engine="streaming")


def _parsed(text: str | None) -> Any:
    try:
        return _plain(json_value(text or "null"))
    except ValueError:
        return text


def _plain(value: Any) -> Any:
    """A value as an answer may hold it: a text, a number that JavaScript keeps, true, false or null."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _EXACT:
        return str(value)
    if isinstance(value, float) and value - value != 0:
        return str(value)
    return value if value is None or isinstance(value, (str, int, float, bool)) else json.dumps(value)
