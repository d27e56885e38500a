"""What operators are told apart by: their name, and one thing more that ``--by`` names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.host.module_calls import module_calls
from stepscope.analyses.host.source import operator_stacks
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.profile import Rank

_ARGUMENTS = {"shape": "input_dims", "dtype": "input_types"}


@dataclass(frozen=True)
class Grouping:
    """Columns name and, with a grouping, one of its name; a text, or its code, per operator row."""

    rank: Rank
    frame: pl.DataFrame

    def number(self, selected: npt.NDArray[np.bool_]) -> tuple[pl.DataFrame, Ints]:
        """The groups of the selected rows: columns group and the texts; and each row's group, or `NOBODY`."""
        frame = self.frame
        if frame.width == 1:
            groups, found = _by_code(frame, selected)
        else:
            groups = frame.filter(pl.Series(selected)).unique(maintain_order=True).with_row_index("group")
            joined = frame.join(groups, frame.columns, "left", maintain_order="left", nulls_equal=True)["group"]
            found = joined.cast(pl.Int64).fill_null(NOBODY).to_numpy()
        key = np.where(selected, found, NOBODY)
        codes = [name for name in frame.columns if frame.schema[name] == pl.UInt32]
        return groups.with_columns(self.rank.trace.text(groups[name]) for name in codes), key


def _by_code(frame: pl.DataFrame, selected: npt.NDArray[np.bool_]) -> tuple[pl.DataFrame, Ints]:
    """The groups of the selected rows of one column of codes, in the order of the first of each; each row's group.

    Tables do what hashing millions of rows would. Their last place stands for null.
    """
    [codes] = frame
    highest = codes.max()
    nowhere = (highest if isinstance(highest, int) else 0) + 1
    place = (codes.fill_null(nowhere) if codes.null_count() else codes).to_numpy()
    first = np.full(nowhere + 1, NOBODY, np.int64)
    rows = np.flatnonzero(selected)[::-1]
    first[place[rows]] = rows  # of each place the first one: it is written last
    rows = np.sort(first[first >= 0])
    group = np.full(nowhere + 1, NOBODY, np.int64)
    group[place[rows]] = np.arange(len(rows))
    return frame[rows].with_row_index("group"), group[place]


def grouping(rank: Rank, by: str) -> Grouping:
    """What tells the operators of a rank apart; ``by`` as in `analyses.operators.operators`."""
    if by in _ARGUMENTS:
        frame = rank.trace.frame("operator", ["name", _ARGUMENTS[by]]).rename({_ARGUMENTS[by]: by})
        return Grouping(rank, frame)
    frame = rank.trace.frame("operator", ["name"])
    if by == "stack":
        frame = frame.with_columns(operator_stacks(rank).alias("stack"))
    elif by == "module":
        frame = frame.with_columns(_modules(rank).alias("module"))
    return Grouping(rank, frame)


def _modules(rank: Rank) -> pl.Series:
    """Path of the module that each operator works for; null outside modules."""
    calls = module_calls(rank)
    if calls is None:
        return pl.Series([None] * rank.trace.rows("operator"), dtype=pl.String)
    module = np.append(calls.module, NOBODY)[calls.operators.call]
    paths = calls.modules["path"].gather(pl.Series(np.where(module < 0, 0, module), dtype=pl.UInt32))
    return paths.set(pl.Series(module < 0), None)
