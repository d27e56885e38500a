"""Cells of Ascend's CSV files: tables by header, times in us as whole ns."""

from __future__ import annotations

import io

import polars as pl

_MOST_NS = 1 << 62
_START = r"^(\d{1,16})(?:\.(\d{1,9}))?$"
_ABSENT = ("", "N/A", "NA", "None", "null")


def table_of(text: str) -> pl.DataFrame:
    """A CSV file with all cells as texts, without blanks around them; null where there is none.

    Raises:
        PolarsError: it is no table.
    """
    frame = pl.read_csv(io.StringIO(text), infer_schema=False, truncate_ragged_lines=True)
    frame = frame.rename({name: name.strip() for name in frame.columns})
    cell = pl.all().str.strip_chars(' \t\r"')
    return frame.with_columns(cell).with_columns(pl.when(~pl.all().is_in(_ABSENT)).then(pl.all()).name.keep())


def first_of(frame: pl.DataFrame, *names: str) -> pl.Series:
    """The first of some columns that a table has; nulls where it has none: headers changed from version to version."""
    found = next((name for name in names if name in frame.columns), None)
    return frame[found] if found else pl.Series(names[0], [None] * len(frame), pl.String)


def start_ns(cells: pl.Series) -> pl.Series:
    """Times since 1970 in us: ``1736408883704643.212`` has more digits than a float holds.

    >>> start_ns(pl.Series(["1736408883704643.212", "1699529623793969.5", "1e9", None])).to_list()
    [1736408883704643212, 1699529623793969500, None, None]
    """
    parts = cells.str.extract_groups(_START).struct.unnest()
    rest = parts["2"].fill_null("").str.slice(0, 3).str.pad_end(3, "0")
    return (parts["1"] + rest).cast(pl.Int64, strict=False)


def length_ns(cells: pl.Series, unit_ns: float = 1e3) -> pl.Series:
    """Lengths of time; null where there is none, or none that can be."""
    value = (cells.cast(pl.Float64, strict=False) * unit_ns).round()
    sound = (value.is_finite() & (value >= 0) & (value < _MOST_NS)).fill_null(False)
    return value.set(~sound, None).cast(pl.Int64)


def whole(cells: pl.Series) -> pl.Series:
    """Whole numbers from 0, null where there is none."""
    number = cells.cast(pl.Int64, strict=False)
    return number.set((number < 0).fill_null(False), None)


def share_pct(cells: pl.Series, unit: float = 100.0) -> pl.Series:
    """Ratios from 0 as per cent."""
    value = cells.cast(pl.Float64, strict=False) * unit
    return value.set(~(value.is_finite() & (value >= 0)).fill_null(False), None)
