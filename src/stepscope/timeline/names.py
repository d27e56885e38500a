"""The names of events, numbered: few among the many texts of a trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.nested import Ints
from stepscope.store.trace import Trace

NO_NAME = ""
"""Stands for a name that was not recorded."""


class Names:
    """Numbers for the names of some tables of a trace.

    Args:
        tables: whose names they are.
        more: codes of further ones.

    Attributes:
        texts: the names.
    """

    def __init__(self, trace: Trace, tables: tuple[str, ...], more: pl.Series | None = None) -> None:
        nobody = len(trace.texts)
        seen = np.zeros(nobody + 1, np.bool_)
        for table in tables:
            if trace.rows(table):
                seen[_numbers(trace.frame(table, ["name"])["name"], nobody)] = True
        if more is not None:
            seen[_numbers(more, nobody)] = True
        used = np.flatnonzero(seen)
        self._nobody = nobody
        self._number = (np.cumsum(seen) - 1).astype(np.uint32)
        known = trace.text(pl.Series("name", used[used < nobody], dtype=pl.UInt32)).to_list()
        self.texts = [*known, NO_NAME] if seen[nobody] else known

    def of(self, codes: pl.Series) -> npt.NDArray[np.uint32]:
        """Number of the name that each code of the trace stands for."""
        found: npt.NDArray[np.uint32] = self._number[_numbers(codes, self._nobody)]
        return found

    def of_word(self, text: str) -> int:
        """Number of a name that no event of the trace need have."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def of_words(self, texts: pl.Series) -> npt.NDArray[np.uint32]:
        """Number of each of some names, which events of the trace need not have; there may be many."""
        number = {text: i for i, text in enumerate(self.texts)}
        for text in texts.unique(maintain_order=True):
            number.setdefault(text, len(number))
        self.texts = list(number)
        found: npt.NDArray[np.uint32] = texts.replace_strict(number, return_dtype=pl.UInt32).to_numpy()
        return found


def _numbers(codes: pl.Series, nobody: int) -> npt.NDArray[Any]:
    return (codes.fill_null(nobody) if codes.null_count() else codes).to_numpy()


def encoded(texts: list[str]) -> tuple[npt.NDArray[np.uint8], Ints]:
    """Texts as bytes, one behind the other, and where each begins, with the end of the last."""
    data = [text.encode("utf-8", "replace") for text in texts]
    bounds = np.concatenate([[0], np.cumsum([len(part) for part in data], dtype=np.int64)]).astype(np.int64)
    return np.frombuffer(b"".join(data), np.uint8).copy(), bounds
