"""Changes of what the GPU does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.gpu.kernel_names import name_traits
from stepscope.analyses.gpu.tensor_cores import eligible_calls
from stepscope.analyses.roofline.models import MATRIX_KINDS
from stepscope.analyses.roofline.models.modelled import DEVICE, call_of_each, modelled
from stepscope.analyses.roofline.peaks import device_peaks, rank_peaks
from stepscope.analyses.roofline.roofline import device_calls, with_roofs
from stepscope.analyses.simulation.changes.host_work import host_ns_per_step
from stepscope.analyses.simulation.changes.subject import Changed, NothingToChange, Subject
from stepscope.analyses.simulation.edits import launched_inside, named_ranges, ns_per_step, shares, slowed, stretched
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.lead_ups import lead_ups
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.numeric.intervals import length, union
from stepscope.numeric.nested import NOBODY
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

OF_PEAK, OF_BANDWIDTH = 0.65, 0.8
"""Shares of the peaks that large GEMMs and memcpys reach; half to four fifths were seen."""


_APART = 0.95
"""Activities that cover this share of their times' sum ran one after another."""


def operators(subject: Subject, edit: Edit) -> Changed:
    """Multiply an operator's time on both sides."""
    found = named_ranges(subject.rank, subject.model, subject.codes(), ("operator",))
    if len(found.start) == 0:
        raise subject.nothing("change-no-such-operator")
    which = launched_inside(subject.rank, subject.model, found)
    if subject.factor == 0:
        found = found.and_those(lead_ups(subject.rank, subject.model, which))
    inside = shares(subject.model, found)
    affected = Message(
        "change-affects-both", host_ns=host_ns_per_step(subject.model, edit, inside), **_of_gpu(subject, edit, which)
    )
    return Changed(stretched(slowed(edit, inside, subject.factor), which, subject.factor), affected)


def kernels(subject: Subject, edit: Edit) -> Changed:
    """Multiply the time of activities by name."""
    names = subject.rank.whole.activity["name"].gather(subject.model.gpu.rows)
    which = names.is_in(subject.codes().implode()).fill_null(False).to_numpy()
    if not which.any():
        raise subject.nothing("change-no-such-kernel")
    return Changed(stretched(edit, which, subject.factor), _affected(subject, edit, which))


def communication(subject: Subject, edit: Edit) -> Changed:
    """Give communication streams of its own, for which nothing waits: everything else overlaps it, as far as it can."""
    which = subject.rank.whole.activity["communication"].gather(subject.model.gpu.rows).to_numpy()
    if not which.any():
        raise NothingToChange(
            Message("change-cannot-overlap"),
            Message("change-nothing-such"),
            Message("change-leave-out"),
        )
    activities = edit.activities
    # On one stream, unless they ran at the same time already: links carry no more for having more streams.
    own = activities.stream.max() + 1 + (activities.stream if _run_together(subject, which) else 0)
    waits_for_it = (activities.event >= 0) & which[np.maximum(activities.event, 0)]
    activities = activities._replace(
        stream=np.where(which, own, activities.stream),
        event=np.where(waits_for_it, NOBODY, activities.event),
    )
    return Changed(replace(edit, activities=activities), _affected(subject, edit, which))


def _run_together(subject: Subject, which: Flags) -> bool:
    """Whether much of some activities ran while others of them did."""
    times = subject.rank.whole.activity[subject.model.gpu.rows[which]]
    start, end = times["start_ns"].to_numpy(), times["end_ns"].to_numpy()
    return length(union(start, end)) < _APART * float((end - start).sum())


def tensor_cores(subject: Subject, edit: Edit) -> Changed:
    """Let GEMMs that could run on Tensor Cores do so, as fast as large ones usually are."""
    times = tensor_core_times(subject.profile, subject.rank, subject.model, OF_PEAK)
    if times is None:
        found = Message("change-unknown-tensor-core-peaks")
        advice = Message("change-give-tensor-core-peaks")
        raise NothingToChange(Message("change-cannot-use-tensor-cores"), found, advice)
    which = times < 1
    return Changed(stretched(edit, which, times), _affected(subject, edit, which))


def no_gemms(rank: Rank, model: StepModel) -> Message:
    """Why Tensor Cores change nothing: no GEMM, none that runs without them, or none known to gain."""
    names = rank.whole.activity["name"].gather(model.gpu.rows).unique().implode()
    gemms = name_traits(rank).filter((pl.col("kind") == "gemm") & pl.col("name").is_in(names))
    if len(gemms) == 0:
        return Message("change-nothing-such")
    return Message("change-all-on-tensor-cores" if gemms["tensor_core"].all() else "change-no-gain-on-tensor-cores")


def tensor_core_times(profile: Profile, rank: Rank, model: StepModel, of_peak: float) -> Floats | None:
    """By what tensor cores would multiply the time of each activity of a model, 1 where they change nothing.

    Args:
        of_peak: share of their peak that the products reach.

    Returns:
        None where the peaks of the device are not known.
    """
    rank = rank.whole
    peaks = tensor_core_peaks(profile, rank)
    if peaks is None:
        return None
    calls = products_off_tensor_cores(rank)
    if len(calls) == 0:
        return np.ones(len(model.gpu.rows))
    rate, memory = peaks
    best = pl.max_horizontal(pl.col("flops") / (of_peak * rate), pl.col("bytes").fill_null(0) / (OF_BANDWIDTH * memory))
    factor = calls.select("row", (1e9 * best / pl.col("total_ns")).clip(upper_bound=1).alias("factor"))
    return call_times(rank, model, factor).fill_null(1.0).to_numpy()


def tensor_core_peaks(profile: Profile, rank: Rank) -> tuple[float, float] | None:
    """FLOPs of fp32 products on the tensor cores of a rank's device, and bytes of its memory, a second at most."""
    figures = rank_peaks(profile, rank).figures
    # Before TF32 Tensor Cores took 16-bit inputs only.
    rates = [figures[name] for name in ("tf32", "fp32_matrix", "fp16") if name in figures]
    return (rates[0], figures["memory"]) if rates and "memory" in figures else None


@per_rank
def products_off_tensor_cores(rank: Rank) -> pl.DataFrame:
    """Rows of `device_calls`: fp32 products that could run on tensor cores and do not."""
    eligible = eligible_calls(rank).fill_null(False).to_numpy()
    products = pl.col("kind").is_in(MATRIX_KINDS) & pl.col("flops").is_not_null()
    calls = device_calls(rank).filter(products & ~pl.col("matrix_units") & (pl.col("dtype") == "fp32"))
    return calls.filter(pl.Series(eligible[calls["row"].to_numpy()]))


def other_gpu(subject: Subject, edit: Edit) -> Changed:
    """Scale each activity by the peak that limits it: arithmetic of its type, else memory."""
    rank = subject.rank.whole
    here, there = rank_peaks(subject.profile, rank), device_peaks({"name": subject.name})
    if "memory" not in here.figures or "memory" not in there.figures:
        tried, advice = Message("change-cannot-change-gpu", name=subject.name), Message("change-see-peak")
        if "memory" not in there.figures:
            raise BadRequest(tried, Message("change-unknown-peaks-of", name=subject.name), advice)
        raise NothingToChange(tried, Message("change-unknown-peaks"), advice)
    calls = device_calls(rank).filter(pl.col("row").is_not_null())
    old, new = with_roofs(calls, here), with_roofs(calls, there)
    known = pl.Series((old["ideal_ns"] > 0) & (new["ideal_ns"] > 0))
    factor = pl.DataFrame({"row": calls["row"], "factor": new["ideal_ns"] / old["ideal_ns"]}).filter(
        known.fill_null(False)
    )
    by_memory = here.figures["memory"] / there.figures["memory"]
    own = call_times(rank, subject.model, factor)
    local = (modelled(rank).activity["part"] == DEVICE).gather(subject.model.gpu.rows).to_numpy()
    which = own.is_not_null().to_numpy() | local
    return Changed(stretched(edit, which, own.fill_null(by_memory).to_numpy()), _affected(subject, edit, which))


def call_times(rank: Rank, model: StepModel, factor: pl.DataFrame) -> pl.Series:
    """Factor of each activity of a model by its modelled call, null where it has none.

    Args:
        factor: columns row (of the table operator) and factor.
    """
    activity = modelled(rank).activity.select("part").with_columns(call_of_each(rank).alias("row"))
    factor = factor.group_by("row").agg(pl.col("factor").max())
    joined = activity.join(factor, "row", "left", maintain_order="left")
    of_device = pl.when(pl.col("part") == DEVICE).then("factor")
    return joined.select(of_device).to_series().gather(model.gpu.rows)


def _affected(subject: Subject, edit: Edit, which: Flags) -> Message:
    return Message("change-affects-gpu", **_of_gpu(subject, edit, which))


def _of_gpu(subject: Subject, edit: Edit, which: Flags) -> dict[str, int]:
    gpu_ns = ns_per_step(subject.model, float(edit.activities.duration[which].sum()))
    return {"gpu_ns": gpu_ns, "activities": round(int(which.sum()) / subject.model.steps)}
