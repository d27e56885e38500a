"""What has no noise in a step: how many launches, waits, copies and operators, how many bytes, the peak of memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from stepscope.analyses.gpu.graph_replays import is_graph_launch
from stepscope.analyses.gpu.memcpy import rank_copies
from stepscope.analyses.idle.waits import MEMORY, blocking_calls
from stepscope.comparison.called import called_operators
from stepscope.comparison.launched import launch_steps
from stepscope.comparison.memory_peaks import memory_peaks
from stepscope.comparison.only_here import OnlyHere, graph_breaks, region_calls
from stepscope.comparison.recorded import Steps, compared_steps
from stepscope.numeric.intervals import Ints
from stepscope.schema import KERNEL, MEMCPY, MEMSET
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

COUNT = "count"

_OF_BOTH = ["compiled_calls", "graph_breaks"]
"""Counts that say nothing where one side has none: its program is not compiled, or its logs were not kept."""

_SCHEMA = {
    "key": pl.String,
    "base": pl.Float64,
    "new": pl.Float64,
    "varies": pl.Boolean,
    "differs": pl.Boolean,
}


def counts(base: Sequence[Rank], new: Sequence[Rank], alone: OnlyHere) -> pl.DataFrame:
    """A row for each thing that is counted: columns key, base and new (a step), varies (between steps of a recording),
    differs.

    What neither side has is left out, as is what neither recorded. Behind what is counted in a step stands how much of
    something each side has that the other has not (`only_here`).

    Args:
        alone: what each side has alone.
    """
    sides = [pl.concat([rank_counts(rank) for rank in ranks]) for ranks in (base, new)]
    summed = [
        side.group_by("key", maintain_order=True).agg(pl.col("mean").mean(), pl.col("varies").any()) for side in sides
    ]
    order = {key: place for place, key in enumerate(dict.fromkeys([*sides[0]["key"], *sides[1]["key"]]))}
    rows = summed[0].join(summed[1], "key", "full", coalesce=True, suffix="_new")
    rows = rows.filter(~pl.col("key").is_in(_OF_BOTH) | (pl.col("mean") + pl.col("mean_new")).is_not_null())
    rows = rows.select(
        "key",
        pl.col("mean").fill_null(0.0).alias("base"),
        pl.col("mean_new").fill_null(0.0).alias("new"),
        (pl.col("varies").fill_null(False) | pl.col("varies_new").fill_null(False)).alias("varies"),
        (pl.col("mean").fill_null(0.0) != pl.col("mean_new").fill_null(0.0)).alias("differs"),
    )
    rows = rows.sort(pl.col("key").replace_strict(order, return_dtype=pl.Int64)).cast(_SCHEMA)  # type: ignore[arg-type]
    sets = [(key, float(one), float(other), False, True) for key, one, other in alone.sizes()]
    rows = pl.concat([rows, pl.DataFrame(sets, schema=_SCHEMA, orient="row")])
    return rows.filter((pl.col("base") > 0) | (pl.col("new") > 0))


@per_rank
def rank_counts(rank: Rank) -> pl.DataFrame:
    """What is counted of a recording: columns key, mean (a step), varies."""
    steps = compared_steps(rank)
    found = {**_on_gpu(rank, steps), **_on_host(rank, steps), **memory_peaks(rank, steps), **_compiled(rank, steps)}
    rows = [(key, float(each.mean()) if len(each) else 0.0, len(set(each.tolist())) > 1) for key, each in found.items()]
    return pl.DataFrame(rows, schema={"key": pl.String, "mean": pl.Float64, "varies": pl.Boolean}, orient="row")


def _on_gpu(rank: Rank, steps: Steps) -> dict[str, Ints]:
    activity = rank.whole.activity
    if len(activity) == 0:
        return {}
    place, kind = launch_steps(rank), activity["activity"]
    talks = activity["communication"].to_numpy() & (kind == KERNEL).to_numpy()
    which = {
        "kernels": (kind == KERNEL).to_numpy() & ~talks,
        "collectives": talks,
        "memcpy": (kind == MEMCPY).to_numpy(),
        "memset": (kind == MEMSET).to_numpy(),
    }
    found = {name: _a_step(place[mine], steps) for name, mine in which.items()}
    copies = rank_copies(rank.whole)
    place = steps.holding(copies["at_ns"].to_numpy())
    for direction in sorted(copies["kind"].drop_nulls().unique()):
        mine = (copies["kind"] == direction).fill_null(False).to_numpy()
        sizes = copies["bytes"].fill_null(0).to_numpy()[mine]
        found[f"memcpy_{direction}_bytes"] = _a_step(place[mine], steps, sizes)
    return found


def _on_host(rank: Rank, steps: Steps) -> dict[str, Ints]:
    calls = rank.trace.frame("runtime", ["name", "start_ns"]).with_row_index("row")
    place = steps.holding(calls["start_ns"].to_numpy())
    graphs = calls["name"].is_in(rank.trace.codes(is_graph_launch).implode()).fill_null(False).to_numpy()
    waits = blocking_calls(rank)
    memory = calls["row"].is_in(waits.filter(pl.col("kind") == MEMORY)["row"].implode()).to_numpy()
    synchronizes = calls["row"].is_in(waits.filter(pl.col("kind") != MEMORY)["row"].implode()).to_numpy()
    operators = called_operators(rank)
    return {
        "graph_launches": _a_step(place[graphs], steps),
        "api_calls": _a_step(place, steps),
        "synchronizing_calls": _a_step(place[synchronizes], steps),
        "memory_calls": _a_step(place[memory], steps),
        "operators": _a_step(operators["place"].to_numpy(), steps, operators["calls"].to_numpy()),
    }


def _compiled(rank: Rank, steps: Steps) -> dict[str, Ints]:
    """Calls of what torch.compile compiled, where it was used, and how often a graph broke, where its logs say."""
    calls, breaks = region_calls(rank), graph_breaks(rank)
    each = _a_step(calls["place"].to_numpy(), steps, calls["calls"].to_numpy())
    found = {"compiled_calls": each} if len(calls) else {}
    return found if breaks is None else {**found, "graph_breaks": np.array([breaks])}


def _a_step(place: Ints, steps: Steps, amount: Ints | None = None) -> Ints:
    """Sum of some amounts, or how many there are, in each step."""
    inside = place >= 0
    found = np.zeros(len(steps), np.int64)
    np.add.at(found, place[inside], 1 if amount is None else amount[inside])
    return found
