"""Finding a column by what a user typed: its name, or the heading that a table is printed with."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from stepscope.schema.columns import Table


def column_called(text: str, table: Table, by: str, known: Sequence[str]) -> str | None:
    """The column of this name or, capitals or not, of this title; None where there is none.

    Args:
        by: the grouping asked for.
        known: names of the columns there are.

    >>> from stepscope.schema import TABLES
    >>> kernels = TABLES["kernels"]
    >>> column_called("total_ns", kernels, "", list(kernels.schema))
    'total_ns'
    >>> column_called("Blocks per sm", kernels, "", list(kernels.schema))
    'blocks_per_sm'
    """
    return text if text in known else titles(table, by, known).get(text.strip().casefold())


def titles(table: Table, by: str, known: Sequence[str]) -> dict[str, str]:
    """Columns by their titles in lower case."""
    described = table.described(by)
    return {described[name].title.casefold(): name for name in known if name in described}


def nearest_column(text: str, table: Table, by: str, known: Sequence[str]) -> str | None:
    """The column whose name or title is most like what was typed; None where none is.

    >>> from stepscope.schema import TABLES
    >>> nearest_column("total", TABLES["operators"], "", ["name", "host_total_ns"])
    'host_total_ns'
    """
    described = table.described(by)
    spellings = {name: name for name in known}
    spellings |= {described[name].title.casefold().replace(" ", "_"): name for name in known if name in described}
    typed = text.strip().casefold().replace(" ", "_")
    close = get_close_matches(typed, spellings, 1)
    if close:
        return spellings[close[0]]
    return next((name for name in known if len(typed) > 2 and typed in name), None)
