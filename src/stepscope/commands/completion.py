"""What a shell offers for an argument: tables, their groupings and columns. Nothing of a trace is read for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from stepscope.schema.columns import Table

Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def tables(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Tables that begin as what was typed."""
    from stepscope.schema import TABLES

    return _items(typed, ((name, table.description) for name, table in TABLES.items()))


def groupings(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Groupings of the table that is named on the line."""
    table = _named()[0]
    return _items(typed, ((by, "") for by in table.by)) if table else []


def columns(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Columns of the table that is named on the line; several are separated by commas."""
    table, by = _named()
    if table is None:
        return []
    before, comma, _last = typed.rpartition(",")
    named = table.described(by).items()
    return _items(typed, ((f"{before}{comma}{name}", column.description) for name, column in named))


def _named() -> tuple[Table | None, str]:
    """The table on the line and its grouping. click parses no further than an option whose value is being typed, so
    they are looked for among the words that the shell hands over."""
    from stepscope.schema import TABLES

    words = os.environ.get("COMP_WORDS", "").split()
    table = next((TABLES[word] for word in words if word in TABLES), None)
    by = next((word for option, word in pairwise(words) if option == "--by"), "")
    return table, by if table is not None and by in table.by else ""


def _items(typed: str, offered: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    return [CompletionItem(text, help=help_ or None) for text, help_ in offered if text.startswith(typed)]
