"""Columns of messages in a table, as words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import polars as pl

from stepscope.messages.language import ENGLISH
from stepscope.messages.message import Message
from stepscope.messages.rendering import in_every_language, render


def in_words(frame: pl.DataFrame, columns: Sequence[str], into: str | None = None) -> pl.DataFrame:
    """A table whose columns of messages hold their text.

    Args:
        columns: those of `schema.Table.messages`; the ones that the frame lacks are passed over.
        into: a language; None for the one that is spoken.
    """
    present = [name for name in columns if name in frame.columns]
    # Most tables have none, and a query that does nothing takes its time too.
    return frame.with_columns(words(frame[name], into) for name in present) if present else frame


def words(column: pl.Series, into: str | None = None) -> pl.Series:
    """The text of each message of a column; null stays null, and the empty text empty."""
    texts = {one: render(Message.decoded(one), into) if one else one for one in column.drop_nulls().unique().to_list()}
    return column.replace_strict(texts, default=None, return_dtype=pl.String) if texts else column


def unsaid(column: pl.Series) -> list[dict[str, Any] | None]:
    """Id and parameters of each message of a column."""
    return [json.loads(one) if one else None for one in column.to_list()]


def said_everywhere(column: pl.Series) -> dict[str, dict[str, Any]]:
    """The messages of a column with their texts in every language, by the English text: rows may be chosen and sorted
    without them."""
    # In the order of the rows: a report that is written again is the same, byte by byte.
    each = column.drop_nulls().unique(maintain_order=True).to_list()
    said = (in_every_language(Message.decoded(one)) for one in each if one)
    return {one["text"][ENGLISH]: one for one in said}
