"""What was allocated before the history began: parameters, and the optimizer's state of these, by their sizes.

A gradient is as large as its parameter, and so is each of the two moments that Adam keeps of it. As many blocks that
were there before and stay as there are gradients of their size at a time are parameters. Of sizes without gradients the
state made in the history says how many there are. What is left of a size is the optimizer's state where it is twice as
much and the optimizer made none in the history. A single copy may as well be the momentum of SGD or an average of the
weights: it stays unknown.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.lifetimes import BEFORE

_WITH_MOMENTS = 3
"""Tensors of a size that Adam has of each parameter: itself and two moments."""

_LEAST_BYTES = 1 << 10
"""Of small sizes there is much else."""

_SIZE = ["device", "bytes"]


def with_older(found: pl.DataFrame, parameters: str, gradients: str, state: str, *, optimizes: bool) -> pl.DataFrame:
    """The same lifetimes, some of those from before the history in the categories ``parameters`` and ``state``.

    Args:
        found: columns device, address, bytes, born, end, fate, category; born and end are rows of the history.
        gradients: the category of gradients.
        optimizes: whether an optimizer's step lies in the history.
    """
    of_state = _most_alive(found.filter(category=state))
    counts = _most_alive(found.filter(category=gradients)).join(of_state, _SIZE, "full", coalesce=True, suffix="_state")
    each = pl.coalesce(pl.when(pl.col("most") > 0).then("most"), "most_state").fill_null(0)
    older = found.with_row_index("row").filter((pl.col("fate") == BEFORE) & pl.col("end").is_null())
    older = older.filter(pl.col("bytes") >= _LEAST_BYTES).sort("device", "bytes", "address")
    older = older.with_columns(pl.int_range(pl.len()).over(_SIZE).alias("place"), pl.len().over(_SIZE).alias("count"))
    older = older.join(counts, _SIZE, "inner").with_columns(each.alias("each"))
    whole = _WITH_MOMENTS * pl.col("each")
    of_optimizer = pl.lit(optimizes and len(of_state) == 0) & (pl.col("count") >= whole) & (pl.col("place") < whole)
    older = older.with_columns(
        pl.when(pl.col("place") < pl.col("each"))
        .then(pl.lit(parameters))
        .when(of_optimizer)
        .then(pl.lit(state))
        .alias("older")
    )
    found = found.with_row_index("row").join(older.select("row", "older"), "row", "left", maintain_order="left")
    return found.with_columns(pl.coalesce("older", "category").alias("category")).drop("row", "older")


def _most_alive(blocks: pl.DataFrame) -> pl.DataFrame:
    """The most blocks of each size that are alive at a time: columns device, bytes, most."""
    born, over = pl.col("born").fill_null(-1), pl.col("end").is_not_null()
    changes = pl.concat(
        [
            blocks.select(*_SIZE, born.alias("at"), pl.lit(1).alias("change")),
            blocks.filter(over).select(*_SIZE, pl.col("end").alias("at"), pl.lit(-1).alias("change")),
        ]
    ).sort(*_SIZE, "at", "change")
    alive = changes.with_columns(pl.col("change").cum_sum().over(_SIZE).alias("alive"))
    return alive.group_by(_SIZE).agg(pl.col("alive").max().alias("most"))
