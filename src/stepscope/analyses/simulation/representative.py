"""Which of many steps are simulated: some in a row that are like all of them, in an excerpt of their rank."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.steps.lengths import step_lengths
from stepscope.analyses.steps.steps import step_times, uncut
from stepscope.store.excerpt import excerpt
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

MOST_STEPS = 16
"""Steps that are simulated; of more that take about as long as each other, the others tell nothing new."""

_ALIKE = 2.0
"""Steps of which one takes this many times the median are all simulated: what is rare may be in any."""


@per_rank
def examined(rank: Rank) -> Rank:
    """The rank, limited to the steps that are simulated; of many alike steps an excerpt, which knows nothing else."""
    table = uncut(step_times(rank))
    chosen = representative(table)
    if rank.excerpt_of is not None or len(chosen) == len(table):
        return rank
    return excerpt(rank, int(chosen["start_ns"][0]), int(chosen["start_ns"][-1] + chosen["duration_ns"][-1]))


def recorded_rank(rank: Rank) -> Rank:
    """The rank with all of its steps, of an excerpt of it, too."""
    return rank.excerpt_of or rank


def representative(table: pl.DataFrame) -> pl.DataFrame:
    """Of many steps, as many in a row as are simulated whose mean and lower quartile are nearest to those of all.

    Args:
        table: rows of the table steps, in order of time, without those that were cut.
    """
    lengths = step_lengths(table)
    if len(table) <= MOST_STEPS or lengths.max() > _ALIKE * np.median(lengths):
        return table
    # The first one has no period on the GPU's clock.
    later, start = lengths[1:], table["start_ns"].to_numpy()[1:]
    end = start + table["duration_ns"].to_numpy()[1:]
    windows = np.lib.stride_tricks.sliding_window_view(later, MOST_STEPS)
    # What lies between two steps would be theirs.
    apart = (end[MOST_STEPS - 1 :] - start[: len(windows)]) / MOST_STEPS - windows.mean(1)
    off = np.abs(windows.mean(1) - later.mean()) + np.abs(np.quantile(windows, 0.25, axis=1) - np.quantile(later, 0.25))
    return table.slice(1 + int(np.argmin(off + np.maximum(apart, 0))), MOST_STEPS)


def long_run_step_ns(table: pl.DataFrame) -> float:
    """Time of one of many steps, in ns: of the host or the GPU, whichever takes longer.

    What either side was behind at the edges does not matter in so many.
    """
    start, end = table["start_ns"], table["start_ns"] + table["duration_ns"]
    host = (int(end.max()) - int(start.min())) / len(table)  # type: ignore[arg-type]
    ends = table["device_end_ns"].drop_nulls()
    return max(host, (ends[-1] - ends[0]) / (len(ends) - 1)) if len(ends) > 1 else host
