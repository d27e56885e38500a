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
        groups = frame.filter(pl.Series(selected)).unique(maintain_order=True).with_row_index("group")
        key = np.where(selected, _group_of(frame, groups), NOBODY)
        codes = [name for name in frame.columns if frame.schema[name] == pl.UInt32]
        return groups.with_columns(self.rank.trace.text(groups[name]) for name in codes), key


def _group_of(frame: pl.DataFrame, groups: pl.DataFrame) -> Ints:
    """Group of each row, `NOBODY` for one that is in none."""
    [first, *more] = frame.columns
    if more:
        joined = frame.join(groups, frame.columns, "left", maintain_order="left", nulls_equal=True)["group"]
        return joined.cast(pl.Int64).fill_null(NOBODY).to_numpy()
    # One column of codes: a table does what a join of millions of rows would. Its last place stands for null.
    highest = frame[first].max()
    table = np.full((highest if isinstance(highest, int) else 0) + 2, NOBODY, np.int64)
    table[groups[first].cast(pl.Int64).fill_null(-1).to_numpy()] = groups["group"].to_numpy()
    found: Ints = table[frame[first].cast(pl.Int64).fill_null(-1).to_numpy()]
    return found


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
