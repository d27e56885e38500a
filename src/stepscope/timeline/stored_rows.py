"""One row of a stored table, read without the rest of it."""

from __future__ import annotations

import json
from itertools import accumulate
from typing import Any

import polars as pl

from stepscope.readers.kineto_plan import ARGUMENTS
from stepscope.schema import STORE_TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_KEYS = {slot.column: slot.key for slot in ARGUMENTS}
_EXACT = 1 << 53
"""JavaScript rounds whole numbers from here on; they go as text."""


def stored_row(rank: Rank, table: str, row: int) -> dict[str, Any]:
    """All columns of a row, texts as texts; those that the trace lacks are missing.

    Args:
        row: in file order, through all parts.
    """
    trace = rank.trace
    bounds = _bounds(rank, table)
    part = next(part for part, bound in enumerate(bounds[1:]) if row < bound)
    path = trace.folder / f"{table}.{part}.parquet"
    frame = pl.scan_parquet(path).slice(row - bounds[part], 1).collect()
    found = frame.row(0, named=True)
    types = STORE_TABLES[table]
    coded = [name for name in found if types[name] == pl.UInt32 and name != "event" and found[name] is not None]
    return found | {name: trace.texts[found[name]] for name in coded}


@per_rank(whole=True)
def _bounds(rank: Rank, table: str) -> list[int]:
    """First row of each part of a table, and the end of the last."""
    paths = [rank.trace.folder / f"{table}.{part}.parquet" for part in range(int(rank.trace.meta["parts"][table]))]
    return [0, *accumulate(pl.scan_parquet(path).select(pl.len()).collect().item() for path in paths)]


def arguments(rank: Rank, table: str, row: dict[str, Any]) -> dict[str, Any]:
    """What the trace says about an event beside its name and times, by the keys that the profiler used.

    Args:
        row: as `stored_row` returns it.
    """
    found = {_KEYS[name]: _plain(value) for name, value in row.items() if name in _KEYS and value is not None}
    return found | _extras(rank, row["event"])


def _extras(rank: Rank, event: int) -> dict[str, Any]:
    """Arguments that have no column of their own."""
    trace = rank.trace
    if trace.rows("extras") == 0:
        return {}
    paths = [trace.folder / f"extras.{part}.parquet" for part in range(int(trace.meta["parts"]["extras"]))]
    rows = pl.scan_parquet(paths).filter((pl.col("event") == event) & (pl.col("level") == 1)).collect()
    keys, values = trace.text(rows["key"]).to_list(), trace.text(rows["value"]).to_list()
    return {key or "": _parsed(value) for key, value in zip(keys, values, strict=True)}


def _parsed(text: str | None) -> Any:
    try:
        return _plain(json.loads(text or "null"))
    except ValueError:
        return text


def _plain(value: Any) -> Any:
    """A value as an answer may hold it: a text, a number that JavaScript keeps, true, false or null."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _EXACT:
        return str(value)
    if isinstance(value, float) and value - value != 0:
        return str(value)
    return value if value is None or isinstance(value, (str, int, float, bool)) else json.dumps(value)
