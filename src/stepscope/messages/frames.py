"""Columns of messages in a table, as words."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from stepscope.messages.message import Message
from stepscope.messages.rendering import render


def in_words(frame: pl.DataFrame, columns: Sequence[str], into: str | None = None) -> pl.DataFrame:
    """A table whose columns of messages hold their text.

    Args:
        columns: those of `schema.Table.messages`; the ones that the frame lacks are passed over.
        into: a language; None for the one that is spoken.
    """
    return frame.with_columns(words(frame[name], into) for name in columns if name in frame.columns)


def words(column: pl.Series, into: str | None = None) -> pl.Series:
    """The text of each message of a column; null stays null, and the empty text empty."""
    texts = {one: render(Message.decoded(one), into) if one else one for one in column.drop_nulls().unique().to_list()}
    return column.replace_strict(texts, default=None, return_dtype=pl.String) if texts else column
