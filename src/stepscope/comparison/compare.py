"""Two sides compared: the step, what it is made of, what caused its difference, and the work of each name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.simulation.bottleneck_sides import COMMUNICATION, COMPUTE, COPIES, HOST
from stepscope.analyses.simulation.model import step_model
from stepscope.analyses.simulation.representative import examined
from stepscope.comparison.alignment import Alignment, alignment
from stepscope.comparison.bound import RESOURCES, common_costs, costs
from stepscope.comparison.causes import Attribution, attribution
from stepscope.comparison.counts import counts, rank_counts
from stepscope.comparison.frames import Frames, frames, rank_trees
from stepscope.comparison.host_index import host_indices, same_inputs
from stepscope.comparison.noise import bounds, host_noise
from stepscope.comparison.only_here import OnlyHere, one_sided_sets, only_here
from stepscope.comparison.recorded import compared_steps, step_parts
from stepscope.comparison.rows import comparison_rows
from stepscope.comparison.sampled import STEP, Floats, Sampled, sampled
from stepscope.comparison.setups import Difference, differences
from stepscope.comparison.step_shapes import of_one_shape, step_shapes
from stepscope.comparison.work import HOST as OF_HOST
from stepscope.comparison.work import calling_events, step_work
from stepscope.errors import BadRequest
from stepscope.findings.two_threads import TwoThreads
from stepscope.messages import Message
from stepscope.readers.formats import KERNEL_REPORT, MEMORY_SNAPSHOT, TRACE
from stepscope.store.profile import Rank

Sides = tuple[Sequence[Rank], Sequence[Rank]]

_OTHER_KINDS = {MEMORY_SNAPSHOT: "diff-take-snapshots", KERNEL_REPORT: "diff-take-kernel-reports"}
"""What to do with recordings that have no steps."""

_HIDDEN = {COMPUTE: 1.0, COMMUNICATION: 1.0, COPIES: 1.0, HOST: 0.0}


@dataclass(frozen=True)
class Comparison:
    """What differs between two sides.

    Attributes:
        base, new: a rank of each recording, limited to the steps that are compared.
        differences: of the recordings themselves.
        host_pct: by how much the host as a whole is slower on the new side; None where nothing tells.
        rows: see `rows.comparison_rows`.
        counts: see `counts.counts`.
        only_here: what each side has that the other has not.
        attribution: where the difference of the step comes from.
        gpu_work: where the difference of the GPU's work comes from, whether a step takes longer by it or not.
        aligned: how much of both sides is the same work, and what replaced what.
        ranks: of a job, the step of each rank, see `job.RANKS`; None where there is one rank, or one was named.
    """

    base: tuple[Rank, ...]
    new: tuple[Rank, ...]
    differences: tuple[Difference, ...]
    host_pct: float | None
    rows: pl.DataFrame
    counts: pl.DataFrame
    only_here: OnlyHere
    attribution: Attribution
    gpu_work: Attribution
    aligned: Alignment
    ranks: pl.DataFrame | None = None

    @property
    def step(self) -> dict[str, Any]:
        """The row of the step."""
        return self.rows.row(by_predicate=pl.col("level") == STEP, named=True)

    @property
    def has_others(self) -> bool:
        """Whether steady steps are not compared because they do other work (`step_shapes`)."""
        return any(compared_steps(rank).others for rank in (*self.base, *self.new))

    @property
    def every_ns(self) -> tuple[float, float]:
        """Of each side, the time of a steady step, compared or not: the mean over recordings, in ns."""
        base, new = (float(np.mean([compared_steps(one).every_ns for one in side])) for side in (self.base, self.new))
        return base, new


def compare(base: Sequence[Rank], new: Sequence[Rank]) -> Comparison:
    """Compare one rank of each recording of two sides.

    Raises:
        BadRequest: a recording is no trace, or has no steps.
    """
    recorded = base, new
    base, new = _prepared(base, new)
    keys, before, after = sampled(base, new)
    tree = frames(base, new)
    cost = _costs(*recorded, tree)
    alone = only_here(base, new)
    # An operator that only launches work takes the host as long for any inputs.
    others = alone.other_inputs if _on_host(tree) else frozenset[str]()
    same = same_inputs(keys, others)
    indices = host_indices(keys, before, after, same)
    own = indices or (np.zeros(before.recordings), np.zeros(after.recordings))
    index = float(own[1].mean() - own[0].mean())
    of_host = _share_of_host(keys, (before, after), tree, cost)
    shift = tuple(np.log1p(of_host[:, None] * np.expm1(one)[None, :]) for one in own)
    rows = comparison_rows(keys, (before, after), (shift[0], shift[1]), bounds(keys, before, after, index), same)
    noise, step_ns = host_noise(keys, before, after, own, same), float(rows.filter(level=STEP)[0, "larger_ns"])
    return Comparison(
        tuple(base),
        tuple(new),
        differences(base, new),
        None if indices is None else 100 * float(np.expm1(index)),
        rows.drop("larger_ns"),
        counts(base, new, alone),
        alone,
        attribution(tree, cost, index, noise, step_ns, others),
        attribution(tree, _HIDDEN, 0.0, 0.0, step_ns),
        alignment(base, new, tree),
    )


def _prepared(base: Sequence[Rank], new: Sequence[Rank]) -> tuple[Sequence[Rank], Sequence[Rank]]:
    """Both sides with the steps that are compared, and what is asked of each recording computed.

    Raises:
        BadRequest: as of `compare`.
    """
    every = (*base, *new)
    with TwoThreads() as threads:
        for rank in every:  # one thread follows the calls while the other examines the steps and goes on with models
            threads.begin(partial(calling_events, rank))
            threads.begin(partial(_examine, rank), partial(_prepare_model, rank))
        for rank in every:
            _examine(rank)
        base, new = of_one_shape(base, new)
        threads.results(_preparations((base, new)))
    return base, new


def _on_host(tree: Frames) -> bool:
    """Whether the host does all the work."""
    return not any(side[name].any() for side in (tree.base, tree.new) for name in (COMPUTE, COMMUNICATION, COPIES))


def examine_alone(rank: Rank) -> None:
    """Compute ahead what a comparison needs of one recording alone, as long as all its steps are compared; the results
    are kept with it.

    Raises:
        BadRequest: as of `compare`.
    """
    _examine(rank)
    _prepare_model(rank)
    for prepare in _preparations(([rank], [])):
        prepare()


def _examine(rank: Rank) -> None:
    """Find out which steps of a recording can be compared."""
    check_comparable(rank)
    step_shapes(rank)


def _preparations(compared: Sides) -> list[Callable[[], object]]:
    """What is kept of each recording, so that several are examined at a time; the longest first."""
    ranks = sorted((rank for side in compared for rank in side), key=lambda rank: -rank.weight)
    return [
        *(partial(_prepare_frames, rank) for rank in ranks),
        *(partial(step_parts, rank) for rank in ranks),
        *(partial(rank_counts, rank) for rank in ranks),
        *(partial(one_sided_sets, rank) for rank in ranks),
    ]


def _prepare_frames(rank: Rank) -> None:
    """What follows from the stacks of the host."""
    step_work(rank)
    rank_trees(rank)


def _prepare_model(rank: Rank) -> None:
    """What simulations begin with."""
    step_model(examined(rank))


def check_comparable(rank: Rank) -> None:
    """Refuse what has no steps.

    Raises:
        BadRequest: it is no trace, or has no steps.
    """
    tried = Message("diff-cannot-compare", path=rank.source)
    kind = rank.recordings[0].kind
    if kind != TRACE:
        advice = Message(_OTHER_KINDS[kind]) if kind in _OTHER_KINDS else Message("diff-take-tables")
        raise BadRequest(tried, Message("diff-no-trace"), advice)
    if len(compared_steps(rank)) == 0:
        raise BadRequest(tried, Message("diff-no-steps"), Message("diff-record-steps"))


def _share_of_host(
    keys: pl.DataFrame, sides: tuple[Sampled, Sampled], tree: Frames, cost: Mapping[str, float]
) -> Floats:
    """Which share of a row gets longer as the host gets slower: all of rows of the host, of the step what the work of
    both sides costs. Work that one side alone has is a difference of its own, however fast the host is."""
    share = (keys["of"] == OF_HOST).to_numpy().astype(np.float64)
    step = (keys["level"] == STEP).to_numpy()
    both = (tree.base["calls"] > 0) & (tree.new["calls"] > 0)
    work = sum(float(side[HOST][both].sum()) for side in (tree.base, tree.new))
    share[step] = min(1.0, cost[HOST] * work / max(sum(float(side.mean[step].mean()) for side in sides), 1.0))
    return share


def _costs(base: Sequence[Rank], new: Sequence[Rank], tree: Frames) -> dict[str, float]:
    """What each ns of a resource costs a step, from all recordings and in both directions."""
    totals = [{name: float(side[name].sum()) for name in RESOURCES} for side in (tree.base, tree.new)]
    there = [partial(costs, rank, totals[0], totals[1]) for rank in base]
    back = [partial(costs, rank, totals[1], totals[0]) for rank in new]
    with TwoThreads() as threads:
        ways = threads.results([*there, *back])
    work = [totals[0]] * len(base) + [totals[1]] * len(new)
    return common_costs(list(zip(ways, work, strict=True)))
