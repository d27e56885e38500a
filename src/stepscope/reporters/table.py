"""Any table as text for a terminal: scaled units, one line per row, columns that do not fit named below."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

import polars as pl

from stepscope.messages.rendering import say
from stepscope.reporters.cells import column_cells, heading_text
from stepscope.reporters.display_width import left, middle_cut, right, width_of, wrapped
from stepscope.reporters.truncation import distinct_cuts
from stepscope.schema import TABLES, Table

_NAME_WIDTHS = (24, 18, 12, 8)
"""Least width of text; smaller ones where the columns that tell rows apart would not fit."""

_GAP = 2
_UNIT = "unit"
"""A column that says what the figure in front of it counts in, and goes where that goes."""


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
    wide: bool = False
    """Tells rows apart by texts that say little when they are cut short: it has the room of two."""

    @property
    def width(self) -> int:
        return max(map(width_of, [self.title, *self.cells]))

    @property
    def blank(self) -> bool:
        return bool(self.cells) and all(cell == "-" for cell in self.cells)

    def least(self, name_width: int) -> int:
        """The least width it is shown with; titles are not cut."""
        room = 2 * name_width if self.wide else name_width
        return min(self.width, max(room, width_of(self.title))) if self.flexible else self.width


def text_columns(frame: pl.DataFrame, table: str, by: str = "") -> list[TextColumn]:
    """The columns of a table as text: titles and units as the schema has them, those shown first in front.

    Args:
        frame: with moments as they are to be shown, see `on_job_clock`.
        by: the grouping asked for: its key is never left out.
    """
    order, keys = _order(TABLES[table], by, frame.columns)
    return [text_column(frame, table, name, by, key=name in keys) for name in order]


def text_column(frame: pl.DataFrame, table: str, name: str, by: str = "", *, key: bool = False) -> TextColumn:
    """One column of a table as text, with the title and units that the schema gives it.

    Args:
        key: it is never left out.
    """
    column = TABLES[table].described(by)[name]
    return TextColumn(
        heading_text(table, column),
        column_cells(frame, column),
        right=column.dtype.is_numeric(),
        flexible=column.textual,
        prose=column.role in ("prose", "message"),
        key=key,
        name=name,
        wide=key and column.wide and column.role == "name",
    )


def _order(table: Table, by: str, names: list[str]) -> tuple[list[str], set[str]]:
    """The names of a frame in the order in which they are shown, and those that tell its rows apart.

    What the table shows first stands in front, in another grouping else what tells rows apart. A source line that was
    asked for stands behind the first column.
    """
    asked = "source" in names and "source" not in table.schema
    first, keys = table.shown_first(by), table.key_of(by, asked)
    front = first or (keys if by else tuple(names[:1]))
    front = (*front[:1], *(["source"] if asked else []), *front[1:])
    order = [*(name for name in dict.fromkeys(front) if name in names), *(name for name in names if name not in front)]
    return order, {*keys} if not first else {name for name in keys if name in front}


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
    return say(
        "show-left-out",
        full=", ".join(full) or None,
        blank=", ".join(blank) or None,
        both=bool(full) and bool(blank),
        hint=hint if hint and full else None,
    )


def _fitting(columns: list[TextColumn], width: int) -> tuple[list[TextColumn], list[int]]:
    """The columns that fit, and how wide each is: text shares what the others leave."""
    keys = [column for column in columns if column.key]
    while len(keys) > 1 and _needed(keys, _NAME_WIDTHS[-1]) > width:
        keys.pop()
    # Names a little shorter rather than a column less, and much shorter rather than without the first figure.
    figures = (i for i, column in enumerate(columns) if column.right and not column.blank and column not in keys)
    until = next(figures, -1)
    until += columns[until + 1 : until + 2] != [] and columns[until + 1].name == _UNIT
    leading = [column for i, column in enumerate(columns) if column in keys or (i <= until and not column.blank)]
    all_fit = [n for n in _NAME_WIDTHS[:2] if _needed(columns, n) <= width]
    one_fits = [n for n in _NAME_WIDTHS if _needed(leading, n) <= width]
    keys_fit = [n for n in _NAME_WIDTHS if _needed(keys, n) <= width]
    name_width = [*all_fit, *one_fits, *keys_fit, _NAME_WIDTHS[-1]][0]
    shown = list(columns)
    for column in reversed([column for column in columns if column.blank and column not in keys]):
        if _needed(shown, name_width) > width:
            shown.remove(column)
    for column in reversed(shown[1:]):
        if _needed(shown, name_width) > width and column not in keys:
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
        (right if column.right else left)(cell, n) for cell, column, n in zip(cells, columns, widths, strict=True)
    ]
    return (" " * _GAP).join(padded).rstrip()
