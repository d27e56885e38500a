"""The tables of an export, whatever they are stored as."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Self

import polars as pl

from stepscope.messages import Message
from stepscope.numeric.pool import SharedPool


class Export(ABC):
    """Tables by name, and the texts that their rows refer to. Close it, or use it in a ``with`` block.

    Args:
        texts: takes the texts that are read.

    Attributes:
        damage: None, or why rows may be missing.
        most_ids: numbers of texts that are looked up at once.
    """

    most_ids = 500

    def __init__(self, texts: SharedPool) -> None:
        self.texts = texts
        self.damage: Message | None = None
        self._strings: dict[bytes, dict[int, int | None]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Let go of the files."""

    @abstractmethod
    def columns(self, table: str) -> list[str]:
        """Columns of a table, in order; none where there is no such table."""

    @abstractmethod
    def rows(self, table: str, wanted: Mapping[str, int]) -> Iterator[pl.DataFrame]:
        """Rows of a table, in parts; columns that it lacks are null.

        Args:
            wanted: kinds of columns, `INTEGER` or `TEXT` of `numeric.sqlite_rows`; a text is its code in ``texts``.
        """

    @abstractmethod
    def values(self, table: str, columns: list[str], most: int = 10_000) -> list[tuple[object, ...]]:
        """The first rows of a small table; None for columns that it lacks."""

    @abstractmethod
    def _named(self, ids: list[int]) -> list[tuple[int, bytes]]:
        """Numbers and texts of some rows of ``StringIds``."""

    def string_codes(self, ids: pl.Series, without: bytes = b"$^") -> pl.Series:
        """Codes of the texts behind numbers of ``StringIds``; null for a number that it lacks.

        Only these texts are read: others are the environment and what the program printed.

        Args:
            without: a pattern that is taken away from each.
        """
        known = self._strings.setdefault(without, {})
        asked = [value for value in ids.unique(maintain_order=True).drop_nulls().to_list() if value not in known]
        for first in range(0, len(asked), self.most_ids):
            some = asked[first : first + self.most_ids]
            known.update(dict.fromkeys(some))
            rows = self._named(some)
            codes = self.texts.add([re.sub(without, b"", text) for _, text in rows])
            known.update(zip((number for number, _ in rows), codes.tolist(), strict=True))
        return ids.replace_strict(known, return_dtype=pl.UInt32) if len(ids) else ids.cast(pl.UInt32)

    def texts_of(self, codes: pl.Series) -> list[bytes]:
        """The texts of some codes."""
        return [self.texts.texts(code, code + 1)[0] for code in codes]
