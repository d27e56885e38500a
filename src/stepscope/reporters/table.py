"""Any table as text for a terminal: scaled units, one line per row, columns that do not fit named below."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from stepscope.reporters.kernel_text import short_kernels
from stepscope.reporters.units import bytes_text, flops_text, middle_cut, one_line, percent_text, rate_text, time_text

_NAME_WIDTH = 24
_GAP = 2
_RATES = {"achieved_flops": "FLOP/s", "peak_flops": "FLOP/s", "achieved_bandwidth": "B/s"}
_KERNEL_NAMES = {
    ("kernels", "name"): pl.lit(True),
    ("short_kernels", "name"): pl.lit(True),
    ("graphs", "heaviest"): pl.lit(True),
    ("graphs", "kernel"): pl.lit(True),
    ("counters", "name"): pl.lit(True),
    ("critical_path", "name"): pl.col("side") == "gpu",
    ("sequences", "kernels"): pl.lit(True),
    ("fusion", "kernels"): pl.lit(True),
}
"""Columns that hold kernels, and in which rows."""

_MOMENTS = ("start_ns", "end_ns", "device_end_ns", "at_ns")


@dataclass(frozen=True)
class TextColumn:
    """A column ready to print."""

    title: str
    cells: list[str]
    right: bool
    flexible: bool = False

    @property
    def width(self) -> int:
        return max([len(self.title), *map(len, self.cells)])


def text_columns(frame: pl.DataFrame, table: str = "", first: int | None = None) -> list[TextColumn]:
    """The columns of a table as text; unit suffixes of the names become units of the cells.

    Args:
        first: moments are shown as times after this one; None for the first moment of the frame.
    """
    columns = []
    first = first_moment(frame) if first is None else first
    for name, dtype in frame.schema.items():
        if (table, name) in _KERNEL_NAMES:
            columns.append(TextColumn(_title(name), _kernel_cells(frame, table, name), False, True))
            continue
        values = (frame[name] - first).to_list() if name in _MOMENTS else frame[name].to_list()
        numeric = dtype.is_numeric()
        cells = [_cell(name, value) for value in values]
        columns.append(TextColumn(_title(name), cells, numeric, dtype == pl.String))
    return columns


def first_moment(frame: pl.DataFrame) -> int:
    """The earliest moment in a table: absolute ones are numbers of sixteen digits that nobody reads."""
    moments = frame.select(pl.col(name).min() for name in _MOMENTS if name in frame.columns)
    return min((value for value in moments.row(0) if value is not None), default=0) if moments.width else 0


def _title(name: str) -> str:
    for suffix in ("_ns", "_bytes", "_pct"):
        name = name.removesuffix(suffix)
    name = name.removeprefix("pct_")
    return name.replace("_", " ")


def _kernel_cells(frame: pl.DataFrame, table: str, name: str) -> list[str]:
    """Cells of a column that holds kernels in some of its rows."""
    shown = frame.select(pl.col(name).alias("name"), _KERNEL_NAMES[table, name].alias("is_kernel"))
    cells = shown.with_columns(pl.col("is_kernel").fill_null(False)).iter_rows()
    return [_cell(name, short_kernels(value) if value and is_kernel else value) for value, is_kernel in cells]


def _cell(name: str, value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, (int, float)):
        return _number(name, value)
    return one_line(str(value))


def _number(name: str, value: int | float) -> str:
    if name.endswith("_ns"):
        return time_text(value)
    if name == "bytes" or name.endswith("_bytes"):
        return bytes_text(value)
    if name.endswith("_pct") or name.startswith("pct_"):
        return percent_text(value)
    if name in _RATES:
        return rate_text(value, _RATES[name])
    if name.endswith("flops"):
        return flops_text(value)
    if name == "bandwidth":
        return "<0.1 GB/s" if 0 < value < 0.05 else f"{value:.1f} GB/s"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) >= 1000 else f"{value:.2f}"
    return str(value) if name in ("rank", "step") else f"{value:,}"


def render_table(columns: list[TextColumn], width: int, indent: str = "") -> list[str]:
    """Lines of a table at most ``width`` wide; returns no line longer than that.

    Columns that do not fit are left out from the right and named in a last line.
    """
    shown, left_out = _fitting(columns, width - len(indent))
    widths = _widths(shown, width - len(indent))
    lines = [_row([column.title for column in shown], shown, widths)]
    lines.append(_row(["-" * n for n in widths], shown, widths))
    rows = zip(*(column.cells for column in shown), strict=True)
    lines.extend(
        _row([middle_cut(cell, n) for cell, n in zip(cells, widths, strict=True)], shown, widths) for cells in rows
    )
    lines = [indent + line for line in lines]
    if left_out:
        lines.extend(wrapped(f"no room for: {', '.join(left_out)}", width, indent))
    return lines


def _fitting(columns: list[TextColumn], width: int) -> tuple[list[TextColumn], list[str]]:
    shown: list[TextColumn] = []
    used = 0
    for i, column in enumerate(columns):
        least = min(column.width, _NAME_WIDTH) if column.flexible else column.width
        if shown and used + _GAP + least > width:
            return shown, [left.title for left in columns[i:]]
        used += least + (_GAP if shown else 0)
        shown.append(column)
    return shown, []


def _widths(columns: list[TextColumn], width: int) -> list[int]:
    """Fixed columns get what they need; text columns share the rest."""
    widths = [min(column.width, _NAME_WIDTH) if column.flexible else column.width for column in columns]
    spare = width - sum(widths) - _GAP * (len(columns) - 1)
    for i, column in enumerate(columns):
        if column.flexible and spare > 0:
            more = min(spare, column.width - widths[i])
            widths[i] += more
            spare -= more
    return [min(n, width) for n in widths]


def _row(cells: list[str], columns: list[TextColumn], widths: list[int]) -> str:
    padded = [
        cell.rjust(n) if column.right else cell.ljust(n) for cell, column, n in zip(cells, columns, widths, strict=True)
    ]
    return (" " * _GAP).join(padded).rstrip()


def wrapped(text: str, width: int, indent: str = "", hang: str = "") -> list[str]:
    """Lines of a paragraph."""
    import textwrap

    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent + hang) or [""]
