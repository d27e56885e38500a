"""The timeline among the files of a run: its tables now, its texts later, with those of the other files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Generic, Protocol, TypeVar

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.readers.facts import Facts
from stepscope.readers.formats import Input
from stepscope.readers.sources import Source

Known = TypeVar("Known", bound=Facts, covariant=True)


class _Timeline(Protocol[Known]):
    @property
    def facts(self) -> Known: ...

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]: ...


class RunTimeline(Generic[Known]):
    """One pass over a timeline.

    Args:
        given: the folder of the run.
        path: of the timeline.
        reading: what reads it.

    Attributes:
        texts: its texts, in parts.
        facts: known once `tables` is used up; None where it could not be read.
    """

    def __init__(self, given: Input, path: str, reading: Callable[[Input], _Timeline[Known]]) -> None:
        self.texts: list[pl.Series] = []
        self.facts: Known | None = None
        self._given, self._source, self._reading = given, Source(path), reading

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) without ``texts``.

        Raises:
            UnreadableInput: it is damaged behind its first rows, which are of texts that are missing now.
        """
        began = False
        try:
            with self._source.open(self._given.max_bytes) as stream:
                reading = self._reading(replace(self._given, source=self._source, stream=stream))
                for table, frame in reading.tables():
                    if table == "texts":
                        self.texts.append(frame["text"])
                    else:
                        began = True
                        yield table, frame
        except UnreadableInput:
            if began:
                raise
            return
        self.facts = reading.facts
