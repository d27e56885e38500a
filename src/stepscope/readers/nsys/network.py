"""Metrics of network cards and InfiniBand switches, as counters of the machine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER
from stepscope.readers.nsys.columns import Events
from stepscope.readers.nsys.export import Export
from stepscope.schema import PART

Tables = Iterator[tuple[str, pl.DataFrame]]

_WANTED = dict.fromkeys(("start", "globalId", "metricsListId", "metricsIdx", "value"), INTEGER)
_TABLES = {"NET_NIC_METRIC": "NIC", "NET_IB_SWITCH_METRIC": "Switch"}
_CARD = re.compile(r"(?:mlx|bnxt_re|irdma|efa|hfi|qedr|hns|erdma|mana|ib|rocep|ibp)\w{0,12}\d")
"""Names by drivers of InfiniBand and Ethernet cards in Linux; others may be anybody's."""

_UNITS = {"bytes/s": "B/s", "Bytes/s": "B/s", "B/s": "B/s", "bytes": "B", "Bytes": "B", "%": "%"}


def network_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored table ``counter``. They are of the machine, not of a process.

    Cards have the names that their drivers give them (``mlx5_0``), where the export says which is which; others are
    numbered in the order of their numbers in the recording. Other names, and addresses, stay out.
    """
    names = _names(export, events)
    named = _card_names(export)
    for table, kind in _TABLES.items():
        cards: dict[int, str] = {}
        for frame in export.rows(table, _WANTED):
            for card in frame["globalId"].unique().sort().drop_nulls():
                cards.setdefault(card, named.get(card, str(len(cards))))
            called = frame["globalId"].replace_strict(cards, default="?", return_dtype=pl.String)
            known = frame.join(names, ["metricsListId", "metricsIdx"], "left", maintain_order="left")
            made = known.with_columns(
                pl.col("start").alias("start_ns"),
                pl.col("value").cast(pl.Float64),
                events.codes(kind + " " + called.fill_null("?")).alias("process"),
                events.code("network_metrics").alias("category"),
                events.code("").alias("key"),
                pl.lit(events.processes.machine(len(frame)), pl.UInt16).alias(PART),
            )
            yield from events.table("counter", made)


def _card_names(export: Export) -> dict[int, str]:
    """Names of cards by the numbers that samples give them; those that two cards share say nothing."""
    names = {
        number: name
        for number, name in export.values("TARGET_INFO_NIC_INFO", ["nicId", "name"])
        if isinstance(name, str) and _CARD.fullmatch(name)
    }
    pairs = export.values("NIC_ID_MAP", ["globalId", "nicId"])
    found = {card: names[number] for card, number in pairs if isinstance(card, int) and number in names}
    count = Counter(found.values())
    return {card: name for card, name in found.items() if count[name] == 1}


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
