"""The processes of a recording: which of them are ranks, and where the rows of each go.

Several processes that used a GPU are ranks, in order of their numbers; a table ``MPI_RANKS`` says better. Of what else
ran beside one of them, as workers that load data, all rows stay with it. Beside several it is not known whose they are:
each such process is a part of its own, and no rank.
"""

from __future__ import annotations

from collections import Counter

import polars as pl

from stepscope.readers.facts import Process
from stepscope.readers.formats import TELEMETRY
from stepscope.readers.nsys.export import Export
from stepscope.schema import PART

_ID_BITS = (1 << 24) - 1
_MOST_RANKS = 1 << 20
_MOST_PROCESSES = 1000
"""Of more, as only a damaged recording has, rows are of the first part."""

WHOLE = "whole"
"""Name of the column that tells processes apart: machine and number."""


def identity(column: str) -> pl.Expr:
    """Machine and process of rows that name their thread or process in one number."""
    return (pl.col(column) // (1 << 24)).alias(WHOLE)


def number(whole: int) -> int:
    """The number of a process on its machine."""
    return whole & _ID_BITS


class Processes:
    """Gives each process its part of the recording.

    Args:
        export: may hold ``MPI_RANKS``.

    Attributes:
        order: of every process that has a row, from 0.
    """

    def __init__(self, export: Export) -> None:
        self.order: dict[int, int] = {}
        self._mpi = _mpi_ranks(export)
        self._with_gpu: set[int] = set()
        self._parts: dict[int, int] = {}
        self._rows: Counter[int] = Counter()
        self._is_settled = False
        self._is_together = False
        self._machine: int | None = None
        self._sampled = 0

    def on_gpu(self, frame: pl.DataFrame) -> None:
        """Note whose work on a GPU rows are, unless others' counts."""
        if not self._is_settled:
            found = frame.select(identity("globalPid")).to_series().unique(maintain_order=True).drop_nulls()
            self._with_gpu.update(found.to_list())

    def settle(self) -> None:
        """What counts as work of the GPUs was seen, if there was any.

        From now on rows of other processes stay with the only rank, if it is one.
        """
        self._is_settled = True
        self._is_together = len(self._with_gpu | self._mpi.keys()) < 2

    @property
    def use_gpu(self) -> bool:
        """Whether any process does, as far as was read."""
        return bool(self._with_gpu)

    def parts(self, frame: pl.DataFrame, column: str) -> pl.Series:
        """The part of each row; rows without a process are of the first one."""
        own = frame.select(identity(column)).to_series()
        for whole, rows in own.drop_nulls().value_counts().sort(WHOLE).iter_rows():
            if whole not in self.order:
                if len(self.order) >= _MOST_PROCESSES:
                    continue
                self.order[whole] = len(self.order)
                self._parts[whole] = 0 if self._is_together else self._next_part()
            self._rows[whole] += rows
        return own.replace_strict(self._parts, default=0, return_dtype=pl.UInt16).fill_null(0).alias(PART)

    def machine(self, rows: int) -> int:
        """The part of what was sampled of the machine: beside several ranks it is of all of them, and of none."""
        if self._machine is None:
            self._machine = 0 if self._is_together else self._next_part()
        self._sampled += rows
        return self._machine

    def _next_part(self) -> int:
        return len({*self._parts.values()} | ({self._machine} - {None}))

    def known(self, frame: pl.DataFrame, column: str) -> pl.Series:
        """Whether rows are of processes that have rows elsewhere: a recording may name every program of the machine."""
        return frame.select(identity(column).is_in(list(self.order))).to_series().fill_null(False)

    def ranks(self) -> dict[int, int]:
        """The process of each part that is a rank."""
        return {self._parts[whole]: number(whole) for whole in self._ranks()}

    def found(self) -> list[Process]:
        """Every process, ranks first, by rank or else by number."""
        ranks = set(self._ranks())
        numbered = sorted(ranks, key=lambda whole: (self._mpi.get(whole, _MOST_RANKS), whole))
        others = sorted(self.order.keys() - ranks)
        found = [
            Process(number(whole), self._parts[whole], whole in ranks, self._mpi.get(whole), self._rows[whole])
            for whole in [*numbered, *others]
        ]
        machine = [Process(0, self._machine, False, events=self._sampled, kind=TELEMETRY)] if self._machine else []
        return found + machine

    def _ranks(self) -> list[int]:
        seen = [whole for whole in self.order if whole in self._with_gpu or whole in self._mpi]
        if seen or not self.order:
            return seen
        return [max(self.order, key=lambda whole: (self._rows[whole], -whole))]


def _mpi_ranks(export: Export) -> dict[int, int]:
    """The rank of each process, as MPI says; empty where two say the same."""
    rows = export.values("MPI_RANKS", ["globalTid", "rank"])
    sound = {
        thread >> 24: rank
        for thread, rank in rows
        if isinstance(thread, int) and isinstance(rank, int) and 0 <= rank < _MOST_RANKS
    }
    return sound if len(set(sound.values())) == len(sound) else {}
