"""Options that choose rows and columns of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

import click

from stepscope.commands import completion

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Rows:
    """What was asked for of a table, as it was written; None where nothing was.

    Attributes:
        where, sort, columns, limit, name: see the help of the options.
    """

    where: str | None
    sort: str | None
    columns: str | None
    limit: int | None
    name: str | None = None


def row_options(function: _Function) -> _Function:
    """Add --where, --sort, --columns, --limit and --name to a command, which is given them as ``rows``."""

    @wraps(function)
    def command(
        *args: Any,
        where: str | None,
        sort: str | None,
        columns: str | None,
        limit: int | None,
        name: str | None,
        **given: Any,
    ) -> Any:
        return function(*args, rows=Rows(where, sort, columns, limit, name), **given)

    decorators = [
        click.option("--name", metavar="NAME", help="Only what has this name, whole (instances, durations)."),
        click.option(
            "--where", metavar="CONDITION", help="Only rows for which an SQL condition over the columns holds."
        ),
        click.option(
            "--sort",
            metavar="COLUMN",
            shell_complete=completion.columns,
            help="Sort by a column, largest first; -COLUMN for smallest first.",
        ),
        click.option(
            "--columns",
            metavar="NAME,...",
            shell_complete=completion.columns,
            help="Only these columns, in this order.",
        ),
        click.option(
            "--limit", type=click.IntRange(min=0), help="At most this many rows; 0 for all (text: 40 unless given)."
        ),
    ]
    decorated: Any = command
    for decorator in reversed(decorators):
        decorated = decorator(decorated)
    return cast(_Function, decorated)
