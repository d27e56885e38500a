"""Texts of a pool: columns as its codes, and the stored table of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from stepscope.numeric.pool import SharedPool

_CHUNK = 1 << 17
"""Texts of a part of the table."""


def codes_of(texts: pl.Series, pool: SharedPool) -> pl.Series:
    """Codes of texts of which few are distinct, under the same name; null of null."""
    distinct = texts.unique(maintain_order=True).drop_nulls()
    codes = pool.add([text.encode("utf-8", "surrogateescape") for text in distinct])
    known = pl.DataFrame([distinct.alias("text"), pl.Series("code", codes, pl.UInt32)])
    found = pl.DataFrame([texts.alias("text")]).join(known, "text", "left", maintain_order="left")["code"]
    return found.alias(texts.name)


def unescaped(text: bytes) -> str:
    """A text in which nothing is escaped."""
    return text.decode("utf-8", "replace")


def stored_texts(pool: SharedPool, decode: Callable[[bytes], str] = unescaped) -> Iterator[tuple[str, pl.DataFrame]]:
    """The table ``texts``, in parts."""
    for first in range(0, len(pool), _CHUNK):
        raw = pool.texts(first, min(first + _CHUNK, len(pool)))
        yield "texts", pl.DataFrame({"text": [decode(text) for text in raw]}, {"text": pl.String})
