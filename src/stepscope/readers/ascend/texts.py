"""The texts of a recording by their codes, and further ones."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl


class TextCodes:
    """Texts and codes of a recording of which all were read.

    Args:
        known: by their codes.
    """

    def __init__(self, known: pl.Series) -> None:
        self._known = known
        self._codes: dict[str, int] | None = None
        self._new: dict[str, int] = {}

    def text(self, codes: pl.Series) -> pl.Series:
        """The texts of codes; null stays null."""
        return (
            self._known.gather(codes.cast(pl.UInt32))
            if len(self._known)
            else pl.Series(codes.name, [None] * len(codes), pl.String)
        )

    def found(self, texts: Iterable[str]) -> dict[str, int]:
        """Codes of those texts that the recording has."""
        wanted = pl.Series(sorted(set(texts)), dtype=pl.String)
        rows = self._known.is_in(wanted.implode()).arg_true()
        return dict(zip(self._known.gather(rows).to_list(), rows.to_list(), strict=True))

    def codes(self, texts: pl.Series) -> pl.Series:
        """Codes of texts, new ones where the recording lacks them; null stays null."""
        distinct = texts.drop_nulls().unique(maintain_order=True).to_list()
        known = self.found(distinct)
        for text in distinct:
            if text not in known:
                known[text] = self._new.setdefault(text, len(self._known) + len(self._new))
        if not known:
            return (
                texts.cast(pl.UInt32)
                if texts.dtype != pl.String
                else pl.Series(texts.name, [None] * len(texts), pl.UInt32)
            )
        return texts.replace_strict(known, default=None, return_dtype=pl.UInt32)

    def code(self, text: str) -> int:
        """The code of one text."""
        return int(self.codes(pl.Series([text]))[0])

    def added(self) -> pl.DataFrame:
        """The new texts, a part of the table ``texts``."""
        return pl.DataFrame({"text": list(self._new)}, {"text": pl.String})
