"""Cells and headings of a table as text, by what the schema says of each column."""

from __future__ import annotations

import polars as pl

from stepscope.messages.device_words import in_device_words
from stepscope.messages.language import ENGLISH, language
from stepscope.messages.phrases import column_phrase, table_phrase
from stepscope.messages.quantities import bytes_text, flops_text, one_line, percent_text, rate_text, time_text
from stepscope.messages.rendering import say
from stepscope.reporters.kernel_text import short_kernels
from stepscope.schema import Column, Table


def heading_text(table: str, column: Column) -> str:
    """The title of a column in the language that is spoken; small unless its first word is an abbreviation.

    >>> from stepscope.schema import TABLES
    >>> operators = TABLES["operators"].described()
    >>> [heading_text("operators", operators[name]) for name in ("calls", "device_self_ns", "flops")]
    ['calls', 'GPU self', 'FLOPs']
    """
    said = None if language() == ENGLISH else column_phrase(table, column.name, language())
    if said is not None:
        return in_device_words(said.text)
    first, _, rest = in_device_words(column.title).partition(" ")
    first = first if any(letter.isupper() for letter in first[1:]) else first.lower()
    return f"{first} {rest}" if rest else first


def description_text(table: Table) -> str:
    """The one line about a table, in the language that is spoken."""
    said = None if language() == ENGLISH else table_phrase(table.name, language())
    return said.attributes["description"] if said is not None else table.description


def column_cells(frame: pl.DataFrame, column: Column) -> list[str]:
    """The cells of a column; kernels by their short names, in the rows that hold them."""
    values = frame[column.name].to_list()
    if column.role != "kernel":
        return [cell_text(column, value) for value in values]
    held = frame[column.only[0]].is_in(column.only[1]).to_list() if column.only else [True] * len(values)
    return [
        cell_text(column, short_kernels(value) if value and is_kernel else value)
        for value, is_kernel in zip(values, held, strict=True)
    ]


def cell_text(column: Column, value: object) -> str:
    """One cell."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return say("value-yes" if value else "value-no")
    if isinstance(value, (int, float)):
        return str(value) if column.role == "id" else _quantity(column, value)
    return one_line(str(value))


def _quantity(column: Column, value: int | float) -> str:
    if column.role == "moment":
        return f"{value / 1e6:,.3f} ms"
    match column.unit:
        case "ns":
            return time_text(value)
        case "bytes":
            return bytes_text(value)
        case "pct":
            return percent_text(value)
        case "flops":
            return flops_text(value)
        case "FLOP/s" | "B/s":
            return rate_text(value, column.unit)
        case "GB/s":
            # Between machines it may be a hundredth of that within one.
            return "<0.01 GB/s" if 0 < value < 0.005 else f"{value:.{2 if value < 9.995 else 1}f} GB/s"
    if isinstance(value, float):
        is_whole = abs(value) >= 999.995 or (column.mixed and value.is_integer())
        return f"{value:,.0f}" if is_whole else f"{value:.2f}"
    return f"{value:,}"
