"""Training steps whose kernels are too small to fill the GPU."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.gpu.occupancy import fitting_blocks
from stepscope.analyses.simulation.bottleneck_sides import HOST
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, stretched
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.model import Edit
from stepscope.analyses.simulation.unprofiled import unprofiled_shares
from stepscope.findings.detector_context import NOWHERE, Case, Cause, outermost
from stepscope.findings.detectors import python_work
from stepscope.findings.detectors.copies import pageable_copies
from stepscope.findings.detectors.cpu_tensors import computing_on_host
from stepscope.findings.detectors.optimizer import STEP_PATTERN
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.schema import KERNEL
from stepscope.store.autograd import backward_names

_LEAST_SHARE = 0.4
"""Of kernel time, that of kernels with less than one block for each multiprocessor."""

_TIMES = 8

_CARRIES = r"(?i)Memcpy (?:HtoD|DtoH)|SendRecv|all_?to_?all|AllGather"
"""Activities that move samples or what is made of them."""

_ON_DATA = ("python-work", "object-conversion", "deep-copy")
"""Python that may work on the samples; files, logs and the garbage collector do not, and how
models in general call PyTorch is launching."""

_AT_BEST = 2

_BETTER = 0.75
"""Larger shapes get kernels that use the GPU better; at best by this much."""


def detect(case: Case) -> list[Cause]:
    """A cause where the host is the bottleneck, and most kernels leave SMs without a block."""
    activity = case.rank.trace.frame("activity", ["activity", "blocks_per_sm"])[case.model.gpu.rows]
    # Kernels of collectives take few blocks on purpose, and mostly wait.
    kernel = (activity["activity"] == KERNEL).to_numpy() & ~_communicates(case)
    blocks = activity["blocks_per_sm"].fill_null(0.0).to_numpy()
    duration = case.model.gpu.activities.duration
    small = kernel & (blocks > 0) & (blocks < 1)
    share = float(duration[small].sum()) / max(1.0, float(duration[kernel].sum()))
    trains = len(backward_names(case.rank.trace)) > 0
    if not trains or share < _LEAST_SHARE or unprofiled_shares(case.rank, case.model)[HOST] < 50:
        return []
    return [
        Cause(
            id="small-batch",
            category="shapes",
            title=Message("finding-small-batch-title", share_pct=100 * share),
            fix=partial(_larger_batch, _times(case, blocks), *_growing(case)),
            claims=NOWHERE,
            spent_ns=case.gpu_ns(small),
            advice=Message("finding-small-batch-advice", times=_TIMES),
            change="loader = DataLoader(data, batch_size=8 * size)  # was: batch_size=size",
            links=(
                "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
                "https://docs.nvidia.com/deeplearning/performance/dl-performance-getting-started/index.html",
            ),
            unknown=Message("finding-small-batch-unknown"),
            general=True,
            per_sample=True,
            most_pct=100 * (1 - 1 / _TIMES),
            method=Message("method-larger-batch", times=_TIMES),
            count=case.a_step(float(small.sum())),
        )
    ]


def _communicates(case: Case) -> Flags:
    return case.rank.whole.activity["communication"].gather(case.model.gpu.rows).fill_null(False).to_numpy()


def _growing(case: Case) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
    """What the host does for each sample, as a share of its time: what surely is, and with the program's own Python.

    Loading, computing on the batch in the host's memory, and copying it to the GPU through that of the driver. What
    Python works on is not recorded.
    """
    own = case.loading().and_those(computing_on_host(case))
    copies = pageable_copies(case)
    own = own if copies is None else own.and_those(copies.calls)
    python = [cause.claims for cause in python_work.detect(case) if cause.id in _ON_DATA and not cause.general]
    every = reduce(Ranges.and_those, python, own)
    return shares(case.model, own), shares(case.model, every)


def _larger_batch(
    times: Floats, surely: tuple[Floats, ...], perhaps: tuple[Floats, ...], edit: Edit, effort: int
) -> Edit:
    """One of `_TIMES` parts of a larger step, which share the launching and the delays; the rest grows with it."""
    edit = stretched(edit, np.ones(times.shape[1], np.bool_), times[effort] / _TIMES)
    delays = {name: getattr(edit.activities, name) // _TIMES for name in ("latency", "gap", "event_gap")}
    growing = surely if effort == _AT_BEST else perhaps
    pace = tuple(pace * (load + (1 - load) / _TIMES) for pace, load in zip(edit.pace, growing, strict=True))
    return replace(edit, pace=pace, own=edit.own / _TIMES, activities=edit.activities._replace(**delays))


def _times(case: Case, blocks: Floats) -> Floats:
    """By effort, by what a larger batch multiplies the time of each activity."""
    fitting = fitting_blocks(case.rank, pl.Series(case.model.gpu.rows)).fill_null(1).to_numpy()
    times = np.array([growth(blocks, np.ones_like(fitting)), *[growth(blocks, fitting)] * 2])
    times[2] = np.maximum(1.0, _BETTER * times[2])
    # What the optimizer does is the same for a batch of any size.
    updates = outermost(case.named(STEP_PATTERN, "annotation", "operator", "python"))
    times[:, launched_inside(case.rank, case.model, updates)] = 1.0
    # What carries samples carries as many more; a reduction of gradients does not.
    carries = case.kernels(lambda name: name.str.contains(_CARRIES))
    times[:, carries] = _TIMES
    times[:, _communicates(case) & ~carries] = 1.0
    return times


def growth(blocks: Floats, fitting: Ints) -> Floats:
    """By what the time of each kernel is multiplied when there are `_TIMES` as many blocks.

    Blocks run in waves, each as long as one block: as many at once as fit on all multiprocessors.

    Args:
        blocks: for each multiprocessor, 0 where that is not known.
        fitting: how many of them run at once on one.
    """
    waves = np.ceil(_TIMES * blocks / fitting) / np.maximum(1.0, np.ceil(blocks / fitting))
    return np.where(blocks > 0, waves, float(_TIMES))
