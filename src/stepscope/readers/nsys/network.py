"""Metrics of network cards and InfiniBand switches, as counters of the machine."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER
from stepscope.readers.nsys.columns import Events
from stepscope.readers.nsys.export import Export

Tables = Iterator[tuple[str, pl.DataFrame]]

_WANTED = dict.fromkeys(("start", "globalId", "metricsListId", "metricsIdx", "value"), INTEGER)
_TABLES = {"NET_NIC_METRIC": "NIC", "NET_IB_SWITCH_METRIC": "Switch"}
_UNITS = {"bytes/s": "B/s", "Bytes/s": "B/s", "B/s": "B/s", "bytes": "B", "Bytes": "B", "%": "%"}


def network_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored table ``counter``. They are of the machine, and stand with its first process.

    Cards are numbered in the order of their numbers in the recording: their names and addresses stay out.
    """
    names = _names(export, events)
    for table, kind in _TABLES.items():
        cards: dict[int, int] = {}
        for frame in export.rows(table, _WANTED):
            for card in frame["globalId"].unique().sort().drop_nulls():
                cards.setdefault(card, len(cards))
            number = frame["globalId"].replace_strict(cards, default=None, return_dtype=pl.String)
            named = frame.join(names, ["metricsListId", "metricsIdx"], "left", maintain_order="left")
            made = named.with_columns(
                pl.col("start").alias("start_ns"),
                pl.col("value").cast(pl.Float64),
                events.codes(kind + " " + number.fill_null("?")).alias("process"),
                events.code("network_metrics").alias("category"),
                events.code("").alias("key"),
            )
            yield from events.table("counter", made)


def _names(export: Export, events: Events) -> pl.DataFrame:
    """Columns metricsListId, metricsIdx, name (code, with the unit)."""
    known = {}
    columns = ["metricsListId", "metricsIdx", "name", "unit"]
    for of, index, name, unit in export.values("TARGET_INFO_NETWORK_METRICS", columns):
        if isinstance(of, int) and isinstance(index, int) and isinstance(name, str):
            known[of, index] = f"{name} ({_UNITS.get(str(unit), unit)})" if unit else name
    rows = [(*key, name) for key, name in known.items()]
    frame = pl.DataFrame(rows, {columns[0]: pl.Int64, columns[1]: pl.Int64, "name": pl.String}, orient="row")
    return frame.with_columns(events.codes(frame["name"]).alias("name"))
