"""Which step each activity of the GPU was launched in."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.comparison.recorded import compared_steps
from stepscope.numeric.intervals import Ints
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_STREAM = ["device", "stream"]


@per_rank
def launch_steps(rank: Rank) -> Ints:
    """Of each row of ``rank.whole.activity``, the place of the compared step that launched it; -1 for none.

    Where the launch was not recorded, the activity counts where it starts. But a stream runs what it is given in
    order: without a launch, what runs before the first activity that has one was launched before the recording, by a
    step that is not compared.
    """
    activity = rank.whole.activity
    if len(activity) == 0:
        return np.empty(0, np.int64)
    moment = activity.select(pl.coalesce("launch_start_ns", "start_ns")).to_series().to_numpy()
    first = activity.select(
        pl.col("start_ns").filter(pl.col("launch_start_ns").is_not_null()).min().over(_STREAM).alias("first")
    )["first"]
    before = activity["launch_start_ns"].is_null() & (activity["start_ns"] < first).fill_null(False)
    return np.where(before.to_numpy(), -1, compared_steps(rank).holding(moment))
