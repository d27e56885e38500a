"""The Python front door: open a trace, ask for tables."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stepscope.store.ingest import ReadOptions
from stepscope.store.profile import Profile, open_profile

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class OpenProfile:
    """An opened trace, or several as ranks.

    Attributes:
        profile: the ranks and their stored traces.
    """

    profile: Profile

    @property
    def tables(self) -> dict[str, str]:
        """Names of the tables and what each shows."""
        from stepscope.schema import TABLES

        return {name: table.description for name, table in TABLES.items()}

    def show(
        self,
        table: str,
        *,
        by: str = "",
        source: bool = False,
        rank: int | Sequence[int] | None = None,
        step: int | tuple[int, int] | None = None,
    ) -> pl.DataFrame:
        """A table as a Polars frame, the same that ``stepscope show`` prints.

        Args:
            table: a name of `tables`.
            by: another grouping that the table offers, as ``shape`` for operators.
            source: add the source line, for tables that know it.
            rank: only this rank or these.
            step: only this step, or the steps from first to last, both included.

        Returns:
            One row per item; times in ns, sizes in bytes, shares in per cent, as the column names say.

        Raises:
            stepscope.errors.BadRequest: there is no such table, grouping, rank or step, or it knows no source lines.
        """
        from stepscope.analyses import make_table

        ranks = [rank] if isinstance(rank, int) else rank
        steps = (step, step) if isinstance(step, int) else step
        return make_table(self.profile.select(ranks, steps), table, by, source)

    def with_peaks(self, peaks: Mapping[str, float]) -> OpenProfile:
        """The same profile with other figures of what its devices can do at most, for ``roofline`` and ``mfu``.

        Args:
            peaks: FLOPs a second by type, as ``{"bf16": 989e12, "memory": 3.35e12}``; ``memory`` in bytes a second,
                ``cache`` in bytes. What is not named stays as it is known of the device.

        Raises:
            stepscope.errors.BadRequest: there is no such figure, or it is no positive number.
        """
        from stepscope.analyses.hardware.peaks import checked_peaks

        return replace(self, profile=replace(self.profile, peaks=checked_peaks(peaks)))

    def with_eager(self, eager: OpenProfile) -> OpenProfile:
        """The same profile with a recording of the same work without CUDA graphs, for ``kernels`` and ``operators``.

        Where a graph replays kernels that the other recording launches in the same order, they get the operators that
        launched them there; `notes` says how much that is. Other tables refuse such a profile.

        Args:
            eager: an eager recording, one of the graphs' capture, or this one, if it also ran without graphs.
        """
        return replace(self, profile=replace(self.profile, eager=eager.profile))

    def notes(self, table: str) -> list[str]:
        """What a reader of a table must know beside its rows: why it is empty, or what it leaves out.

        Raises:
            stepscope.errors.BadRequest: there is no such table.
        """
        from stepscope.analyses import make_table, table_notes

        return table_notes(self.profile, table, make_table(self.profile, table))


def open(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, max_bytes: int | None = None
) -> OpenProfile:
    """Open a trace, a folder of ranks, a glob, a URL, or several of these.

    Reads each file once and keeps it in the cache (see ``stepscope cache``); later calls take milliseconds.

    Args:
        path: where the traces are.
        max_bytes: most bytes of JSON that a gzip file may inflate to.

    Raises:
        stepscope.errors.UnreadableInput: there is no trace.
    """
    paths = [os.fspath(path)] if isinstance(path, (str, os.PathLike)) else [os.fspath(one) for one in path]
    return OpenProfile(open_profile(paths, ReadOptions(max_bytes)))
