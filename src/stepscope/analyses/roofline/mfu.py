"""How much of the device's peak the matrix work of each step uses (see docs/tables/).

Model FLOPs are those of matrix products, convolutions and attention (`models.MATRIX_KINDS`). Utilization is the time
that they would take at the peaks of their types, divided by the step's time on the GPU's clock:
``sum over types (FLOPs / peak) / time``; of a single type that is FLOPs / time / peak. A rank that works on several
GPUs has their peaks together. A trace shows what ran. What
activation checkpointing ran again counts for the hardware's utilization, not for the model's (Chowdhery et al. 2022,
PaLM, appendix B).
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.gpu.kernel_names import kernel_kind
from stepscope.analyses.needs import option_for
from stepscope.analyses.roofline.models import MATRIX_KINDS
from stepscope.analyses.roofline.models.modelled import DEVICE, modelled
from stepscope.analyses.roofline.peaks import Peaks, rank_peaks
from stepscope.analyses.roofline.roofline import device_calls, has_shapes, peaks_text, with_roofs
from stepscope.analyses.steps.steps import rank_steps
from stepscope.messages import Message
from stepscope.schema import KERNEL, TABLES
from stepscope.store.autograd import backward_pass
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import WHOLE

_LEAST_PCT = 50.0
"""With less than this share of the matrix kernels' time modelled, a utilization would say nothing."""

_NAMED = ("gemm", "conv", "attention")
"""Kinds of kernels, by name, that multiply matrices."""


def mfu(profile: Profile) -> pl.DataFrame:
    """One row per rank and step with GPU work, columns of `schema.TABLES` ``mfu``."""
    schema = TABLES["mfu"].schema
    frames = [_rank_mfu(rank, rank_peaks(profile, rank)) for rank in profile.ranks]
    return pl.concat(frames).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _rank_mfu(rank: Rank, peaks: Peaks) -> pl.DataFrame:
    steps = step_times(rank)
    calls = _matrix_calls(rank, peaks, steps)
    by_step = calls.group_by("index").agg(
        pl.col("flops").sum(),
        pl.col("flops").filter("recomputed").sum().alias("recomputed_flops"),
        pl.col("compute_ns").sum().alias("needed_ns"),
        pl.col("compute_ns").filter("recomputed").sum().alias("repeated_ns"),
        pl.col("compute_ns").is_null().any().alias("unknown"),
    )
    roofs = calls.group_by("index", "roof").agg(pl.col("flops").sum()).sort("flops", "roof", descending=[True, False])
    roofs = roofs.group_by("index", maintain_order=True).agg(pl.col("roof").first())
    devices = max(1, rank.activity["device"].drop_nulls().n_unique())
    figures = [peaks.figures.get(roof) for roof in roofs["roof"].fill_null("")]
    named = pl.Series("peak_flops", [None if peak is None else devices * peak for peak in figures], pl.Float64)
    frame = (
        steps.join(by_step, "index", "left")
        .join(roofs.with_columns(named), "index", "left")
        .join(_coverage(rank, steps), "index", "left")
        .sort("index")
    )
    time = pl.when(pl.col("time_ns") > 0).then(pl.col("time_ns"))
    peak_time = devices * time
    known = ~pl.col("unknown") & (pl.col("modelled_pct") >= _LEAST_PCT)
    return frame.with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        (1e9 * pl.col("flops") / time).alias("achieved_flops"),
        pl.when(known).then(100.0 * (pl.col("needed_ns") - pl.col("repeated_ns")) / peak_time).alias("mfu_pct"),
        pl.when(known).then(100.0 * pl.col("needed_ns") / peak_time).alias("hfu_pct"),
    )


def step_times(rank: Rank) -> pl.DataFrame:
    """Time of each selected step that has GPU work: columns index, step, start_ns, end_ns (host), time_ns.

    That is the period, device end to device end; not positive where the work of the step before outlasts its own. A
    first step has none: its time begins with the host's range, or where the work of what came before ends if that
    still ran then. Without steps it begins with the first activity.
    """
    table = rank_steps(rank).filter(pl.col("device_end_ns").is_not_null()).with_row_index("index")
    end = pl.col("start_ns") + pl.col("duration_ns")
    begin = pl.col("gpu_start_ns")
    if rank.all_steps.source == WHOLE:
        begin = pl.lit(rank.activity["start_ns"].min(), pl.Int64)
    time = (pl.col("gpu_end_ns") - begin).alias("time_ns")
    return table.select(pl.col("index").cast(pl.Int64), "step", "start_ns", end.alias("end_ns"), time)


def _matrix_calls(rank: Rank, peaks: Peaks, steps: pl.DataFrame) -> pl.DataFrame:
    """Calls that multiply matrices: columns index (of the step), flops, roof, compute_ns, recomputed."""
    calls = device_calls(rank).filter(pl.col("kind").is_in(MATRIX_KINDS) & pl.col("flops").is_not_null())
    calls = with_roofs(calls, peaks)
    row = calls["row"].to_numpy()
    starts = rank.nesting("operator").start[row] if len(row) else np.empty(0, np.int64)
    repeated = backward_pass(rank).recomputed[row] if len(row) else np.empty(0, np.bool_)
    return calls.with_columns(
        index_of_step(steps, starts).alias("index"), pl.Series("recomputed", repeated, pl.Boolean)
    ).filter(pl.col("index").is_not_null())


def index_of_step(steps: pl.DataFrame, times: np.typing.NDArray[np.int64]) -> pl.Series:
    """Index of the step whose host range holds each time, null where none does."""
    starts, ends = steps["start_ns"].to_numpy(), steps["end_ns"].to_numpy()
    order = np.argsort(starts, kind="stable")
    place = np.searchsorted(starts[order], times, side="right") - 1
    index = order[np.maximum(place, 0)] if len(order) else np.zeros(len(times), np.int64)
    inside = (place >= 0) & (times < ends[index]) if len(order) else np.zeros(len(times), np.bool_)
    return pl.Series("index", index.astype(np.int64)).set(pl.Series(~inside), None)


def _coverage(rank: Rank, steps: pl.DataFrame) -> pl.DataFrame:
    """Share of the time of kernels that multiply matrices, by name or model, that has a model: index, modelled_pct."""
    found = modelled(rank)
    kernels = found.activity.filter((pl.col("activity") == KERNEL) & (pl.col("part") == DEVICE))
    names = kernels["name"].unique().drop_nulls()
    matrix = [code for code, name in zip(names, rank.trace.text(names), strict=True) if kernel_kind(name) in _NAMED]
    products = found.calls.filter(pl.col("kind").is_in(MATRIX_KINDS) & pl.col("flops").is_not_null())["row"]
    kernels = kernels.with_columns(
        pl.col("call").is_in(products.implode()).fill_null(False).alias("covered"),
        index_of_step(steps, kernels["launch_start_ns"].fill_null(-1).to_numpy()).alias("index"),
    )
    kernels = kernels.filter(pl.col("covered") | pl.col("name").is_in(matrix).fill_null(False))
    share = 100.0 * pl.col("duration_ns").filter("covered").sum() / pl.col("duration_ns").sum()
    return kernels.group_by("index").agg(share.fill_nan(None).alias("modelled_pct"))


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Why there is no utilization, or how much of the matrix work it leaves out."""
    if len(frame) == 0:
        return []
    found = []
    if frame["flops"].is_null().all():
        found.append(_without_flops(profile, frame))
    lacking = frame.filter(pl.col("modelled_pct") < 95)
    if len(lacking) and not frame["flops"].is_null().all():
        least = min(lacking["modelled_pct"].to_list())
        found.append(Message("note-mfu-partly", modelled_pct=least, hidden=least < _LEAST_PCT))
    every = [rank_peaks(profile, rank) for rank in profile.ranks]
    missing = {peaks.source: peaks for peaks in every if not peaks.figures}
    return [*found, *(peaks_text(peaks) for peaks in missing.values())]


def _without_flops(profile: Profile, frame: pl.DataFrame) -> Message:
    if not has_shapes(profile):
        return Message("note-mfu-no-shapes", option=option_for(profile, "shapes"))
    if frame["modelled_pct"].is_null().all():
        return Message("note-mfu-no-matrix-kernel")
    return Message("note-mfu-no-matrix-operator")
