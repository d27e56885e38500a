"""Frames with texts, made tables of the store."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.schema import STORE_TABLES

_CODE = pl.UInt32


class Texts:
    """The texts of a recording and their codes.

    Args:
        known: those that have codes already, in their order.
    """

    def __init__(self, known: pl.Series | None = None) -> None:
        self._codes = {text: code for code, text in enumerate(known.to_list() if known is not None else [])}

    def code(self, text: str) -> int:
        return self._codes.setdefault(text, len(self._codes))

    def stored(self, table: str, frame: pl.DataFrame) -> pl.DataFrame:
        """A frame with columns of a stored table, or some of them: of its types, with codes instead of texts."""
        types = {name: kind for name, kind in STORE_TABLES[table].items() if name in frame.columns}
        columns = []
        for name, kind in types.items():
            column = frame[name]
            if kind == _CODE and column.dtype == pl.String:
                distinct = column.unique(maintain_order=True).drop_nulls().to_list()
                codes = {text: self.code(text) for text in distinct}
                column = column.replace_strict(codes, return_dtype=_CODE) if codes else column.cast(_CODE)
            columns.append(column.cast(kind))
        return pl.DataFrame(columns)

    def table(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """The table ``texts``."""
        yield "texts", pl.DataFrame({"text": list(self._codes)}, {"text": pl.String})
