"""What of a rank's communication no computing covers: waiting, transferring, or not told apart."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.ranks.matching import matched_calls
from stepscope.analyses.ranks.waiting import shared_calls
from stepscope.analyses.steps.steps import rank_steps, step_windows
from stepscope.analyses.steps.unions import activity_unions
from stepscope.numeric.intervals import Ints, Union, common, covered_within, merge, union, without
from stepscope.store.memo import per_profile, per_rank, per_rank_on_disk
from stepscope.store.profile import Profile, Rank


@per_rank(whole=True)
def rank_uncovered(rank: Rank) -> Union:
    """Where communication kernels of the whole recording run and nothing computes, on the rank's own clock."""
    frame = uncovered_ranges(rank)
    return frame["start_ns"].to_numpy(), frame["end_ns"].to_numpy()


@per_rank_on_disk
def uncovered_ranges(rank: Rank) -> pl.DataFrame:
    """The same in one frame: start_ns, end_ns."""
    compute, communication, _ = activity_unions(rank.activity)
    start, end = without(communication, compute)
    return pl.DataFrame({"start_ns": start, "end_ns": end}, schema={"start_ns": pl.Int64, "end_ns": pl.Int64})


def rank_windows(rank: Rank) -> pl.DataFrame:
    """Each step of a rank on the GPU's clock, without what other ranks are needed for.

    Columns: step, start_ns, end_ns, cut, compute_ns, communication_ns, exposed_communication_ns, exposed_memory_ns,
    idle_ns. Exact: compute + exposed_communication + exposed_memory + idle = end - start.
    """
    frame = whole_windows(rank)
    return frame if rank.chosen is None else frame.filter(pl.col("step").is_between(*rank.chosen))


@per_rank_on_disk
def whole_windows(rank: Rank) -> pl.DataFrame:
    """`rank_windows` of every step, selected or not."""
    table = rank_steps(rank)
    start, end = step_windows(table)
    compute, communication, memory = activity_unions(rank.activity)
    covered = [covered_within(part, start, end) for part in _layers(compute, communication, memory)]
    return table.select(
        "step",
        pl.Series("start_ns", start, dtype=pl.Int64),
        pl.Series("end_ns", end, dtype=pl.Int64),
        "cut",
        pl.Series("compute_ns", covered[0], dtype=pl.Int64),
        pl.Series("communication_ns", covered_within(communication, start, end), dtype=pl.Int64),
        pl.Series("exposed_communication_ns", covered[1] - covered[0], dtype=pl.Int64),
        pl.Series("exposed_memory_ns", covered[2] - covered[1], dtype=pl.Int64),
        pl.Series("idle_ns", end - start - covered[2], dtype=pl.Int64),
    )


def _layers(compute: Union, communication: Union, memory: Union) -> tuple[Union, Union, Union]:
    kernels = merge(compute, communication)
    return compute, kernels, merge(kernels, memory)


@per_profile
def told_calls(profile: Profile) -> pl.DataFrame:
    """Every communication kernel of all ranks, those without partner too, with what of it is exposed.

    Columns of `matching.matched_calls`, those of `waiting.shared_calls` (null without partner), and exposed_ns and
    exposed_wait_ns: what of the call and of its waiting no computing covers. Two calls at once both count.
    """
    shared = shared_calls(profile)
    added = [name for name in shared.columns if name not in matched_calls(profile).columns]
    calls = matched_calls(profile).join(
        shared.select("rank", "row", *added), on=["rank", "row"], how="left", maintain_order="left"
    )
    of_rank = calls.partition_by("rank", as_dict=True, maintain_order=True)
    parts = []
    for rank in profile.ranks:
        mine = of_rank.get((rank.number,), calls.clear())
        uncovered = rank_uncovered(rank)
        start, end = mine["start_ns"].to_numpy(), mine["end_ns"].to_numpy()
        waited = start + mine["wait_ns"].fill_null(0).to_numpy()
        parts.append(
            mine.with_columns(
                pl.Series("exposed_ns", covered_within(uncovered, start, end), dtype=pl.Int64),
                pl.Series("exposed_wait_ns", covered_within(uncovered, start, waited), dtype=pl.Int64),
            )
        )
    return pl.concat(parts)


def selected_calls(profile: Profile) -> pl.DataFrame:
    """The calls of `told_calls` that belong to the selected ranks and steps."""
    calls = told_calls(profile)
    if profile is profile.everyone:
        return calls
    of_rank = calls.partition_by("rank", as_dict=True, maintain_order=True)
    parts = []
    for rank in profile.ranks:
        mine = of_rank.get((rank.number,), calls.clear())
        parts.append(mine if rank.chosen is None else mine.join(rank.activity.select("row"), on="row", how="semi"))
    return pl.concat(parts)


def parts_of(calls: pl.DataFrame) -> tuple[Union, Union]:
    """Unions of one rank's waiting and transferring, on its own clock; what does both transfers."""
    start, end = calls["start_ns"].to_numpy(), calls["end_ns"].to_numpy()
    wait: Ints = calls["wait_ns"].to_numpy()
    transferring = union(start + wait, end)
    return without(union(start, start + wait), transferring), transferring


def both(of: Union, other: Union, start: Ints, end: Ints) -> Ints:
    """Length of what lies in two unions, inside each interval."""
    return covered_within(common(of, other), start, end) if len(start) else np.zeros(0, np.int64)
