"""Samples of counters, made a table of the store."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.formats import Input
from stepscope.schema import STORE_TABLES

SAMPLE = {"time_ns": pl.Int64, "gpu": pl.Int64, "counter": pl.String, "value": pl.Float64}
"""Columns of samples: time since 1970 (null where it is not known), number of the GPU (null of the host), the
counter's name with its unit in parentheses, and the value (null where it is missing)."""

MOST_BYTES = 1 << 30
_NUMBER = r"^\s*([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?:\s*[^\d\s.,]\S*)?\s*$"
"""A number, which its unit may follow: ``312.51 W``."""

_HEX = r"^\s*0x([0-9a-fA-F]{1,16})\s*$"
"""Bits, as reasons of clocks are written."""


def whole_text(given: Input) -> str:
    """All of a file as text; bytes that are no UTF-8 become U+FFFD.

    Raises:
        UnreadableInput: it is a folder, or too long for a log.
    """
    stream, tried = given.stream, Message("error-cannot-read", path=given.source.path)
    if stream is None:
        raise UnreadableInput(tried, Message("reader-folder"), Message("reader-name-file-in-it"))
    data, buffer = bytearray(), bytearray(1 << 20)
    while count := stream.read_into(memoryview(buffer)):
        data += buffer[:count]
        if len(data) > MOST_BYTES:
            raise UnreadableInput(tried, Message("reader-longer", limit=MOST_BYTES), Message("reader-raise-limit"))
    return data.decode("utf-8-sig", "replace")


def as_number(column: str) -> pl.Expr:
    """Cells as numbers, without their units; null where there is none."""
    cell = pl.col(column)
    bits = cell.str.extract(_HEX).str.to_integer(base=16, strict=False).cast(pl.Float64)
    return pl.coalesce(bits, cell.str.extract(_NUMBER).cast(pl.Float64, strict=False))


def tables_of(samples: pl.DataFrame, category: str) -> Iterator[tuple[str, pl.DataFrame]]:
    """The stored tables ``counter`` and ``texts`` of some samples.

    Args:
        samples: columns `SAMPLE`.
        category: of its events.
    """
    gpu = pl.col("gpu")
    process = pl.when(gpu.is_null()).then(pl.lit("Host")).otherwise(pl.concat_str(pl.lit("GPU "), gpu.fill_null(0)))
    named = samples.with_columns(process.alias("process"))
    texts = [category, "", *named["process"].unique(maintain_order=True), *named["counter"].unique(maintain_order=True)]
    codes = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    types = STORE_TABLES["counter"]
    frame = named.with_row_index("event").select(
        "event",
        pl.lit(codes[category]).alias("category"),
        pl.col("counter").replace_strict(codes, return_dtype=pl.UInt32).alias("name"),
        pl.col("process").replace_strict(codes, return_dtype=pl.UInt32),
        pl.col("time_ns").alias("start_ns"),
        pl.lit(codes[""]).alias("key"),
        "value",
    )
    yield "counter", frame.select(pl.col(name).cast(types[name]) for name in frame.columns)
    yield "texts", pl.DataFrame({"text": list(codes)}, {"text": pl.String})
