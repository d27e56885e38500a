"""Rows of a table by an SQL condition, and in another order."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from stepscope.errors import BadRequest
from stepscope.messages import Message

_ROW = "row of all"


def filtered(
    frame: pl.DataFrame,
    where: str | None,
    sort: str | None,
    words: pl.DataFrame | None = None,
    titles: Mapping[str, str] | None = None,
) -> pl.DataFrame:
    """Rows for which ``where`` holds, sorted by a column.

    Args:
        where: an SQL expression over the columns, as ``calls > 10 AND name LIKE 'aten::%'``.
        sort: a column, largest first; with ``-`` in front smallest first. Nulls come last.
        words: the same rows with their messages in words, which conditions and order are then about.
        titles: further names of columns, in lower case.

    Raises:
        BadRequest: the condition is not valid (see `conditions.compiled`), or a name is not a column.
    """
    if words is not None and (where or sort):
        return frame[filtered(words.with_row_index(_ROW), where, sort, titles=titles)[_ROW]]
    if where:
        frame = _where(frame, where, titles or {})
    if sort:
        column = sort.removeprefix("-")
        if column not in frame.columns:
            advice = Message("error-columns", close=None, columns=_named(frame))
            raise BadRequest(Message("error-cannot-sort", column=column), Message("error-no-such-column"), advice)
        frame = frame.sort(column, descending=not sort.startswith("-"), nulls_last=True, maintain_order=True)
    return frame


def _where(frame: pl.DataFrame, where: str, titles: Mapping[str, str]) -> pl.DataFrame:
    from stepscope.analyses.conditions import UnknownCondition, compiled

    try:
        condition = compiled(where, frame.columns, titles)
        if frame.lazy().select(holds=condition).collect_schema()["holds"] != pl.Boolean:
            raise UnknownCondition(Message("condition-value"))
        return frame.filter(condition)
    except UnknownCondition as error:
        raise _refused(where, error.reason, frame) from error
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError) as error:
        # What the engine says of it may hold values of the rows.
        raise _refused(where, Message("error-filter-types"), frame) from error


def _refused(where: str, found: Message, frame: pl.DataFrame) -> BadRequest:
    advice = Message("error-columns-example", columns=_named(frame))
    return BadRequest(Message("error-cannot-filter", where=where), found, advice)


def _named(frame: pl.DataFrame) -> list[str]:
    return [name for name in frame.columns if name != _ROW]
