"""The work of each step by ``nn.Module``: what its calls did on the host, and what it gave the GPU, by pass.

A module is named by the classes on the path to it ("GPT/Block/Attention"), so that one more layer renames no other.
Work belongs to the innermost module only, as the column ``device_self_ns`` of the table ``modules`` counts it: rows of
the GPU, with that of what belongs to no module, sum to all work of the GPU.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.host.enclosing import rows_at
from stepscope.analyses.host.module_calls import ModuleCalls, module_calls
from stepscope.analyses.host.modules import Work, works_of
from stepscope.comparison.launched import launch_steps
from stepscope.comparison.recorded import Steps
from stepscope.numeric.intervals import Ints
from stepscope.schema import UNATTRIBUTED
from stepscope.store.profile import Rank

FORWARD, BACKWARD = "forward", "backward"

MODULE_WORK = {"name": pl.String, "place": pl.Int64, "ns": pl.Int64, "calls": pl.Int64}


def given_to_gpu(rank: Rank) -> pl.DataFrame:
    """Columns `MODULE_WORK`: work of the GPU by module and pass; none where no modules were recorded."""
    names = modules_of_activity(rank)
    if names is None:
        return pl.DataFrame(schema=MODULE_WORK)
    rows = rank.whole.activity.select(
        names,
        pl.Series("place", launch_steps(rank), dtype=pl.Int64),
        pl.col("duration_ns").alias("ns"),
        pl.lit(1, pl.Int64).alias("calls"),
    )
    return _summed(rows.filter(pl.col("place") >= 0))


def modules_of_activity(rank: Rank) -> pl.Series | None:
    """Module and pass of each row of ``rank.whole.activity``, as "GPT/Block backward"; None without any module."""
    found = works_of(rank.whole)
    if not found:
        return None
    name = pl.Series("name", [UNATTRIBUTED]).new_from_index(0, len(rank.whole.activity))
    for one in found:
        name = _passes(one).zip_with(pl.Series(one.place.call >= 0), name)
    return name.alias("name")


def _passes(work: Work) -> pl.Series:
    """The module and the pass of each activity, in words; anything where it has none."""
    paths = work.calls.modules["class_path"].gather(work.calls.module[np.maximum(work.place.call, 0)])
    return paths + pl.Series([f" {FORWARD}", f" {BACKWARD}"]).gather(work.backward.astype(np.int64))


def done_on_host(rank: Rank, steps: Steps, held: pl.DataFrame) -> pl.DataFrame:
    """Columns `MODULE_WORK`: time in the calls of each module, without those of modules in it and without waits.

    Args:
        held: calls that wait for the GPU: columns process, thread, start_ns, duration_ns.
    """
    from stepscope.numeric.stack_paths import self_by_window

    calls = module_calls(rank)
    if calls is None or len(calls.frame) == 0:
        return pl.DataFrame(schema=MODULE_WORK)
    host = calls.host
    paths = calls.modules["class_path"]
    classes, of_module = np.unique(paths.to_numpy(), return_inverse=True)
    key = of_module[calls.module]
    windows = (steps.begin, steps.stop)
    own = self_by_window(host.nesting.order, host.thread, host.start, host.end, windows, key, len(classes))
    _take_waits_off(own, calls, steps, held, key)
    begun = steps.holding(host.start)
    often = np.zeros_like(own)
    np.add.at(often, (key[begun >= 0], begun[begun >= 0]), 1)
    name, place = np.nonzero((own > 0) | (often > 0))
    words = pl.Series(classes).gather(name) + f" {FORWARD}"
    found = {"name": words, "place": place, "ns": np.maximum(own[name, place], 0), "calls": often[name, place]}
    return pl.DataFrame(found, schema=MODULE_WORK)


def _take_waits_off(own: Ints, calls: ModuleCalls, steps: Steps, held: pl.DataFrame, key: Ints) -> None:
    start = held["start_ns"].to_numpy()
    row, place = rows_at(calls.host, held["process"], held["thread"], start), steps.holding(start)
    known = (row >= 0) & (place >= 0)
    np.subtract.at(own, (key[row[known]], place[known]), held["duration_ns"].to_numpy()[known])


def _summed(rows: pl.DataFrame) -> pl.DataFrame:
    return (
        rows.group_by("name", "place")
        .agg(pl.col("ns", "calls").sum())
        .select(pl.col(name).cast(kind) for name, kind in MODULE_WORK.items())
    )
