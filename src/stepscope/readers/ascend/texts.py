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
        self._new: dict[str, int] = {}

    def text(self, codes: pl.Series) -> pl.Series:
        """The texts of codes; null stays null."""
        if codes.null_count() == len(codes):
            return pl.Series(codes.name, [None] * len(codes), pl.String)
        known = self._known
        if self._new and int(codes.max()) >= len(known):  # type: ignore[arg-type]
            known = pl.concat([known, pl.Series(known.name, list(self._new), pl.String)])
        return known.gather(codes.cast(pl.UInt32))

    def found(self, texts: Iterable[str]) -> dict[str, int]:
        """Codes of those texts that the recording has, or that were added."""
        wanted = set(texts)
        rows = self._known.is_in(pl.Series(sorted(wanted), dtype=pl.String).implode()).arg_true()
        known = dict(zip(self._known.gather(rows).to_list(), rows.to_list(), strict=True))
        return {text: self._new[text] for text in wanted if text in self._new} | known

    def codes(self, texts: pl.Series) -> pl.Series:
        """Codes of texts, new ones where the recording lacks them; null stays null."""
        distinct = texts.drop_nulls().unique(maintain_order=True).to_list()
        if not distinct:
            return pl.Series(texts.name, [None] * len(texts), pl.UInt32)
        known = self.found(distinct)
        for text in distinct:
            if text not in known:
                known[text] = self._new.setdefault(text, len(self._known) + len(self._new))
        return texts.replace_strict(known, default=None, return_dtype=pl.UInt32)

    def code(self, text: str) -> int:
        """The code of one text."""
        return int(self.codes(pl.Series([text]))[0])

    def added(self) -> pl.DataFrame:
        """The new texts, a part of the table ``texts``."""
        return pl.DataFrame({"text": list(self._new)}, {"text": pl.String})
