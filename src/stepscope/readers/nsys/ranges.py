"""NVTX: ranges, marks and domains.

Ranges of ``emit_nvtx`` and of ``nsys profile --pytorch=autograd-nvtx`` are operators: their names tell the sequence
number that joins forward and backward, ``aten::mm, seq = 12, op_id = 34, sizes = [[2, 3], [3, 4]]``.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER, TEXT
from stepscope.readers.nsys.columns import Events, timed
from stepscope.readers.nsys.export import Export

Tables = Iterator[tuple[str, pl.DataFrame]]

_WANTED = {
    **dict.fromkeys(("start", "end", "eventType", "globalTid", "textId", "domainId"), INTEGER),
    "text": TEXT,
}
_MARK, _PUSH_POP, _START_END, _DOMAIN = 34, 59, 60, 75
_IMPORTED = (70, 71)
"""Ranges that another program wrote into the report."""

_NAMES = (33, 39, 76, 97, 98, 99)
"""What names categories, threads, devices and streams, or ends a domain: no events."""

_KNOWN = [_MARK, _PUSH_POP, _START_END, _DOMAIN, *_IMPORTED, *_NAMES]

_OPERATOR = r"^(.+?)(?:, seq = (\d{1,18}))?(?:, op_id = (\d{1,18}))?(?:, sizes = (.*))?$"


def range_tables(export: Export, events: Events, end_ns: int) -> Tables:
    """Parts of the stored tables ``operator``, ``annotation`` and ``other``.

    Args:
        end_ns: end of the recording, where ranges end that were still open.
    """
    domains = _domains(export, events)
    for frame in export.rows("NVTX_EVENTS", _WANTED):
        name = frame["text"].fill_null(events.strings(frame, "textId"))
        frame = frame.with_columns(name.alias("name"), pl.col("end").fill_null(end_ns))
        keys = frame.select("domainId", process=pl.col("globalTid") // (1 << 24))
        frame = frame.with_columns(keys.join(domains, ["process", "domainId"], "left", maintain_order="left")["domain"])
        yield from _ranges(frame.filter(pl.col("eventType").is_in([_PUSH_POP, _START_END, *_IMPORTED])), export, events)
        yield from _marks(frame.filter(pl.col("eventType") == _MARK), events)
        yield from _unknown(frame.filter(~pl.col("eventType").is_in(_KNOWN)), events)


def _domains(export: Export, events: Events) -> pl.DataFrame:
    """Names of domains: columns process, domainId, domain (code). Each process numbers its own."""
    parts = []
    for frame in export.rows("NVTX_EVENTS", _WANTED):
        frame = frame.filter(pl.col("eventType") == _DOMAIN)
        name = frame["text"].fill_null(events.strings(frame, "textId"))
        parts.append(frame.select("domainId", name.alias("domain"), process=pl.col("globalTid") // (1 << 24)))
    types = {"domainId": pl.Int64, "domain": pl.UInt32, "process": pl.Int64}
    found = pl.concat([pl.DataFrame(schema=types), *parts])
    return found.unique(["process", "domainId"], keep="last", maintain_order=True)


def _ranges(frame: pl.DataFrame, export: Export, events: Events) -> Tables:
    if len(frame) == 0:
        return
    operators = _operators(frame["name"], export, events)
    is_operator = operators["operator"].is_not_null()
    frame = frame.with_columns(*timed(frame), *events.of_host(frame)).with_columns(operators.drop("name"))
    of_operators = frame.filter(is_operator).with_columns(
        pl.col("operator").alias("name"), events.code("cpu_op").alias("category")
    )
    yield from events.table("operator", of_operators)
    others = frame.filter(~is_operator)
    # Ranges of start and end may overlap on a thread in any way, and end on another one.
    nested = pl.col("eventType") != _START_END
    category = pl.when(nested).then(events.code("user_annotation")).otherwise(events.code("nvtx_start_end"))
    yield from events.table("annotation", others.with_columns(category.alias("category")))


def _operators(names: pl.Series, export: Export, events: Events) -> pl.DataFrame:
    """Of each name: columns operator (code), sequence, record_function_id, input_dims; null where it is no operator."""
    distinct = names.unique(maintain_order=True).drop_nulls()
    texts = [text.decode("utf-8", "replace") for text in export.texts_of(distinct)]
    parts = pl.Series("text", texts, pl.String).str.extract_groups(_OPERATOR).struct.unnest()
    parts.columns = ["operator", "sequence", "record_function_id", "input_dims"]
    known = parts.select(pl.any_horizontal(pl.col("sequence", "record_function_id").is_not_null())).to_series()
    found = pl.DataFrame(
        [
            distinct.alias("name"),
            events.codes(parts["operator"].set(~known, None)).alias("operator"),
            parts["sequence"].cast(pl.Int64),
            parts["record_function_id"].cast(pl.Int64),
            events.codes(parts["input_dims"].set(~known, None)).alias("input_dims"),
        ]
    )
    return pl.DataFrame([names.alias("name")]).join(found, "name", "left", maintain_order="left")


def _marks(frame: pl.DataFrame, events: Events) -> Tables:
    made = frame.with_columns(
        *events.of_host(frame),
        pl.col("start").alias("start_ns"),
        events.code("nvtx_mark").alias("category"),
        events.code("i").alias("phase"),
        pl.lit(0).alias("broken"),
    )
    yield from events.table("other", made)


def _unknown(frame: pl.DataFrame, events: Events) -> Tables:
    """Rows of types that are not known here: health counts them."""
    kind = frame.select(pl.concat_str(pl.lit("nvtx_"), pl.col("eventType").fill_null(-1))).to_series()
    made = frame.with_columns(
        *events.of_host(frame),
        pl.col("start").alias("start_ns"),
        events.codes(kind).alias("category"),
        pl.lit(0).alias("broken"),
    )
    yield from events.table("other", made)
