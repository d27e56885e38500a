"""Any table as text for a terminal: scaled units, one line per row, columns that do not fit named below."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

import polars as pl

from stepscope.reporters.kernel_text import short_kernels
from stepscope.reporters.truncation import distinct_cuts
from stepscope.reporters.units import bytes_text, flops_text, middle_cut, one_line, percent_text, rate_text, time_text
from stepscope.schema import MOMENTS

_NAME_WIDTHS = (24, 18, 12, 8)
"""Least width of text; smaller ones where the columns that tell rows apart would not fit."""

_GAP = 2
_RANKS = ("rank", "for_rank", "first_rank", "last_rank", "best_rank", "slowest_rank", "waited_for")
_LABELS = (*_RANKS, "step", "collective")
"""Whole numbers that are names, not amounts."""

_RATES = {"achieved_flops": "FLOP/s", "peak_flops": "FLOP/s", "achieved_bandwidth": "B/s"}
_KERNEL_NAMES = {
    ("kernels", "name"): pl.lit(True),
    ("short_kernels", "name"): pl.lit(True),
    ("graphs", "heaviest"): pl.lit(True),
    ("graphs", "kernel"): pl.lit(True),
    ("counters", "name"): pl.lit(True),
    ("critical_path", "name"): pl.col("kind").is_in(["compute", "communication"]),
    ("sequences", "kernels"): pl.lit(True),
    ("fusion", "kernels"): pl.lit(True),
}
"""Columns that hold kernels, and in which rows."""

_PROSE = {("health", "detail"), ("metadata", "value")}
"""Columns of sentences and long values."""

_FOREMOST = {
    "findings": ("rank", "id", "severity", "saving_pct", "saving_low_pct", "saving_high_pct", "confidence", "evidence"),
}
"""Columns that stand first in text, where not all have room."""

_GROUPING = {("kernels", "launch"): ("grid", "block"), ("communication", "size"): ("call_bytes",)}
"""Columns that a grouping tells rows apart by, where they are not the one of its name."""


@dataclass(frozen=True)
class TextColumn:
    """A column ready to print."""

    title: str
    cells: list[str]
    right: bool
    flexible: bool = False
    prose: bool = False
    """Sentences: wrapped, never cut."""
    key: bool = False
    """Tells rows apart: never left out."""
    name: str = ""
    """The column's name in the schema."""

    @property
    def width(self) -> int:
        return max([len(self.title), *map(len, self.cells)])

    @property
    def blank(self) -> bool:
        return bool(self.cells) and all(cell == "-" for cell in self.cells)

    def least(self, name_width: int) -> int:
        """The least width it is shown with."""
        return min(self.width, name_width) if self.flexible else self.width


def text_columns(frame: pl.DataFrame, table: str = "", first: int | None = None, by: str = "") -> list[TextColumn]:
    """The columns of a table as text; unit suffixes of the names become units of the cells.

    Args:
        first: moments are shown as times after this one; None for the first moment of the frame.
        by: the grouping asked for: its columns stand behind the name and are never left out.
    """
    first = first_moment(frame) if first is None else first
    names = frame.columns
    grouping = [name for name in _GROUPING.get((table, by), (by,)) if name in names]
    if names[:1] == ["name"]:
        names = [
            "name",
            *(n for n in grouping if n != "name"),
            *(n for n in names if n != "name" and n not in grouping),
        ]
    foremost = [name for name in _FOREMOST.get(table, ()) if name in names]
    names = [*foremost, *(name for name in names if name not in foremost)]
    keys = {*names[:1], *grouping}
    titles = _titles(names)
    columns = []
    for name in names:
        if (table, name) in _KERNEL_NAMES:
            cells = _kernel_cells(frame, table, name)
        else:
            values = (frame[name] - first).to_list() if name in MOMENTS else frame[name].to_list()
            cells = [_cell(name, value) for value in values]
        text = frame.schema[name] == pl.String
        prose = (table, name) in _PROSE
        columns.append(
            TextColumn(titles[name], cells, frame.schema[name].is_numeric(), text, prose, name in keys, name)
        )
    return columns


def first_moment(frame: pl.DataFrame) -> int:
    """The earliest moment in a table: absolute ones are numbers of sixteen digits that nobody reads."""
    moments = frame.select(pl.col(name).min() for name in MOMENTS if name in frame.columns)
    return min((value for value in moments.row(0) if value is not None), default=0) if moments.width else 0


def _titles(names: list[str]) -> dict[str, str]:
    """Headings of columns; a share whose heading another column has says that it is one."""
    titles = {name: _title(name) for name in names}
    taken = list(titles.values())
    return {
        name: f"{title} %" if taken.count(title) > 1 and "pct" in name.split("_") else title
        for name, title in titles.items()
    }


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
    if name in ("algbw", "busbw"):
        return "<0.01 GB/s" if 0 < value < 0.005 else f"{value:.{2 if value < 9.995 else 1}f} GB/s"
    if name == "bandwidth":
        return "<0.1 GB/s" if 0 < value < 0.05 else f"{value:.1f} GB/s"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) >= 1000 else f"{value:.2f}"
    return str(value) if name in _LABELS else f"{value:,}"


def render_table(columns: list[TextColumn], width: int, indent: str = "", hint: str = "") -> list[str]:
    """Lines of a table at most ``width`` wide; returns no line longer than that.

    Columns that do not fit are left out, empty ones first, then from the right, and named in a last line.

    Args:
        hint: where the columns left out can be seen.
    """
    shown, widths = _fitting(columns, width - len(indent))
    lines = [_row([column.title for column in shown], shown, widths)]
    lines.append(_row(["-" * n for n in widths], shown, widths))
    cells = [_cut_cells(column, n) for column, n in zip(shown, widths, strict=True)]
    for row in zip(*cells, strict=True):
        lines.extend(_row(list(part), shown, widths) for part in zip_longest(*row, fillvalue=""))
    lines = [indent + line for line in lines]
    left_out = [column for column in columns if column not in shown]
    if left_out:
        lines.extend(wrapped(_left_out(left_out, hint), width, indent))
    return lines


def _cut_cells(column: TextColumn, width: int) -> list[list[str]]:
    """The lines of each cell: several only where prose wraps."""
    if column.prose:
        return [wrapped(cell, width) for cell in column.cells]
    if column.flexible:
        return [[cell] for cell in distinct_cuts(column.cells, width)]
    return [[middle_cut(cell, width)] for cell in column.cells]


def _left_out(columns: list[TextColumn], hint: str) -> str:
    full = [column.name or column.title for column in columns if not column.blank]
    blank = [column.name or column.title for column in columns if column.blank]
    parts = [f"no room for: {', '.join(full)}"] if full else []
    parts += [f"empty, left out: {', '.join(blank)}"] if blank else []
    return "; ".join(parts) + (f" ({hint})" if hint and full else "")


def _fitting(columns: list[TextColumn], width: int) -> tuple[list[TextColumn], list[int]]:
    """The columns that fit, and how wide each is: text shares what the others leave."""
    keys = [column for column in columns if column.key]
    name_width = next((n for n in _NAME_WIDTHS if _needed(keys, n) <= width), _NAME_WIDTHS[-1])
    shown = list(columns)
    for column in reversed([column for column in columns if column.blank and not column.key]):
        if _needed(shown, name_width) > width:
            shown.remove(column)
    for column in reversed(shown[1:]):
        if _needed(shown, name_width) > width and not column.key:
            shown.remove(column)
    return shown, _widths(shown, width, name_width)


def _needed(columns: list[TextColumn], name_width: int) -> int:
    return sum(column.least(name_width) for column in columns) + _GAP * (len(columns) - 1)


def _widths(columns: list[TextColumn], width: int, name_width: int) -> list[int]:
    """Fixed columns get what they need; text columns share the rest."""
    widths = [column.least(name_width) for column in columns]
    spare = width - _needed(columns, name_width)
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
