"""Trees of frames: the stacks of a rank's events as rows, each behind the one around it, and several trees as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from stepscope.analyses.host.host_events import ADDRESS
from stepscope.analyses.host.host_stacks import KINDS
from stepscope.analyses.host.module_calls import MODULE
from stepscope.analyses.steps.totals import sum_by
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.profile import Rank

if TYPE_CHECKING:
    from stepscope.numeric.stack_paths import Paths

MODULE_KIND = "module"
_FRAME = {"outer": pl.Int64, "name": pl.String, "kind": pl.String}


def called(rank: Rank, codes: Ints) -> list[pl.Series]:
    """Name and kind of frames by the numbers of `HostStacks.codes`."""
    text = rank.trace.texts.gather(pl.Series(codes // len(KINDS), dtype=pl.UInt32))
    kind = pl.Series(KINDS, dtype=pl.String).gather(pl.Series(codes % len(KINDS), dtype=pl.UInt32))
    is_module = text.str.starts_with(MODULE) & (kind == KINDS[0])
    text = text.str.strip_prefix(MODULE).zip_with(is_module, text).str.replace(ADDRESS, "")
    return [text.alias("name"), kind.set(is_module, MODULE_KIND).alias("kind")]


def frame_tree(rank: Rank, paths: Paths, sums: dict[str, Ints]) -> pl.DataFrame:
    """Frames of some events, those without any sum left out: columns outer (row of the frame around it, or `NOBODY`),
    name, kind and the sums, each frame behind the one around it.

    What belongs to an event that is no frame belongs to the frame around it; around the outermost there is none.

    Args:
        paths: of the events, their names numbered by code and kind.
        sums: amounts of each event, by column.
    """
    from stepscope.numeric.stack_paths import sums_inside

    count = len(paths.outer)
    own = {}
    for name, amount in sums.items():
        rows = np.flatnonzero((paths.of_row >= 0) & (amount != 0))
        own[name] = sum_by(paths.of_row[rows], amount[rows], count)
    some = np.any([amount > 0 for amount in own.values()], axis=0)
    used = sums_inside(paths.outer, some.astype(np.int64)) > 0
    number = np.cumsum(used) - 1
    columns = [pl.Series(name, amount[used], dtype=pl.Int64) for name, amount in own.items()]
    outer = paths.outer[used]
    around = pl.Series("outer", np.where(outer < 0, NOBODY, number[outer]) if count else outer)
    return pl.DataFrame([around, *called(rank, paths.name[used]), *columns], schema_overrides=_FRAME)


def merged_trees(trees: Sequence[pl.DataFrame], sums: Sequence[str]) -> pl.DataFrame:
    """Trees as of `frame_tree` as one: frames of one name and kind in one place are one frame.

    Args:
        sums: columns to add up; what a tree lacks is 0.
    """
    from stepscope.numeric.stack_paths import number_paths

    sizes = np.array([0, *(len(tree) for tree in trees)])
    first = np.cumsum(sizes)[:-1]
    schema = {**_FRAME, **dict.fromkeys(sums, pl.Int64)}
    every = pl.concat([pl.DataFrame(schema=schema), *trees], how="diagonal").with_columns(pl.col(sums).fill_null(0))
    shift = np.repeat(first, sizes[1:])
    outer = every["outer"].to_numpy()
    code = every.select(pl.struct("name", "kind").rank("dense")).to_series().cast(pl.Int64).to_numpy()
    paths = number_paths(np.where(outer < 0, NOBODY, outer + shift), code)
    every = every.with_columns(pl.Series("path", paths.of_row))
    merged = every.group_by("path").agg(pl.col("name", "kind").first(), pl.col(sums).sum()).sort("path")
    return merged.with_columns(pl.Series("outer", paths.outer)).select(schema.keys())
