"""Rows of a table by an SQL condition, and in another order."""

from __future__ import annotations

import polars as pl

from stepscope.errors import BadRequest


def filtered(frame: pl.DataFrame, where: str | None, sort: str | None) -> pl.DataFrame:
    """Rows for which ``where`` holds, sorted by a column.

    Args:
        where: an SQL expression over the columns, as ``calls > 10 AND name LIKE 'aten::%'``.
        sort: a column, largest first; with ``-`` in front smallest first. Nulls come last.

    Raises:
        BadRequest: the condition is no SQL, or names something that is no column.
    """
    if where:
        frame = _where(frame, where)
    if sort:
        column = sort.removeprefix("-")
        if column not in frame.columns:
            raise BadRequest(
                f"cannot sort by {column}", "there is no such column", f"Columns: {', '.join(frame.columns)}."
            )
        frame = frame.sort(column, descending=not sort.startswith("-"), nulls_last=True, maintain_order=True)
    return frame


def _where(frame: pl.DataFrame, where: str) -> pl.DataFrame:
    try:
        return frame.filter(pl.sql_expr(where))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError) as error:
        reason = str(error).split("\n", 1)[0].split("; valid columns", 1)[0]
        raise BadRequest(
            f"cannot use --where {where}", reason, f"Columns: {', '.join(frame.columns)}. Example: --where 'calls > 10'"
        ) from error
