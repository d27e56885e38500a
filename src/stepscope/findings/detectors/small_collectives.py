"""Many small reductions over the ranks one after another, as one for each parameter, which a few large ones replace."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.gpu.kernel_names import name_traits
from stepscope.analyses.simulation.edits import shares, slowed
from stepscope.analyses.simulation.lead_ups import lead_ups
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints

_LEAST = 20
"""Reductions of a chain: gradients in buckets are fewer."""

_MOST_BETWEEN = 3
"""Launches between two of them, such as copies in and out of a buffer; and no product. Reductions within a layer, of
tensor parallelism, have products between them, and each waits for the one before."""

_PRODUCTS = ["gemm", "conv", "attention"]

_SMALL_NS = 100_000
"""Most of them are shorter: what they take is latency, hardly bytes."""

_LATENCY_QUANTILE = 0.1
"""Of their durations, what one without bytes would take; the others may wait for other ranks, too."""

_LEFT = (0.5, 0.1, 0.03)
"""How many reductions are left, by effort: two tensors in a bucket, ten, or thirty."""

_CHANGE = """flat = torch.cat([p.grad.flatten() for p in params])
dist.all_reduce(flat)  # was: dist.all_reduce(p.grad) for each of them"""

_LINKS = (
    "https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html",
    "https://docs.pytorch.org/docs/stable/notes/ddp.html",
)


def detect(case: Case) -> list[Cause]:
    """A cause where reductions follow one another with nothing between them that needs their results."""
    reductions, later = _in_chains(case)
    if not reductions.any():
        return []
    duration = case.model.gpu.activities.duration[reductions]
    median = float(np.median(duration))
    if median > _SMALL_NS:
        return []
    latency = float(np.quantile(duration, _LATENCY_QUANTILE))
    leading = lead_ups(case.rank, case.model, later)

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, leading), _LEFT[effort])
        taken = np.where(later, (1 - _LEFT[effort]) * latency, 0.0)
        left = np.maximum(0, np.rint(edit.activities.duration - taken)).astype(np.int64)
        return replace(edit, activities=edit.activities._replace(duration=left))

    times = case.a_step(float(reductions.sum()))
    return [
        Cause(
            id="small-collectives",
            category="communication",
            title=Message("finding-small-collectives-title", times=round(times), median_ns=round(median)),
            fix=fix,
            claims=leading,
            spent_ns=max(case.host_ns(leading), case.gpu_ns(reductions)),
            advice=Message("finding-small-collectives-advice"),
            change=_CHANGE,
            links=_LINKS,
            unknown=Message("finding-small-collectives-unknown"),
            where=case.where(leading),
            count=times,
        )
    ]


def _in_chains(case: Case) -> tuple[Flags, Flags]:
    """Activities that are reductions in chains, and those of them that are not the first of their chain."""
    rows, thread = case.model.gpu.rows, case.model.gpu.thread
    order = np.lexsort((gpu_queue(case.rank.whole).call_start[rows], thread))
    reduces = case.kernels(lambda name: name.str.contains(r"(?i)^(?:nccl|rccl)\w*_?all_?reduce"))
    place = np.flatnonzero(reduces[order])
    found = order[place]
    step = case.step_of(gpu_queue(case.rank.whole).call_start[rows[found]])
    same = [thread[found], step, case.model.gpu.activities.stream[found], np.cumsum(_products(case)[order])[place]]
    begins = np.append(True, np.diff(place) > _MOST_BETWEEN + 1)[: len(place)]
    for value in same:
        begins[1:] |= np.diff(value) != 0
    return _of_enough(found, begins, len(rows))


def _of_enough(found: Ints, begins: Flags, count: int) -> tuple[Flags, Flags]:
    chain = np.cumsum(begins) - 1
    enough = np.bincount(chain)[chain] >= _LEAST if len(chain) else begins
    every, later = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    every[found[enough]] = True
    later[found[enough & ~begins]] = True
    return every, later


def _products(case: Case) -> Flags:
    """Activities that are products, convolutions or attention."""
    names = name_traits(case.rank).filter(pl.col("kind").is_in(_PRODUCTS))["name"]
    name = case.rank.whole.activity["name"].gather(case.model.gpu.rows)
    return name.is_in(names.implode()).fill_null(False).to_numpy()
