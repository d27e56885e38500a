"""Matrix multiplications whose rows do not begin at multiples of 16 bytes."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.roofline.models.modelled import call_of_each, matrix_calls
from stepscope.analyses.roofline.peaks import main_device, rank_peaks
from stepscope.analyses.simulation.edits import launched_inside, stretched
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause, outermost
from stepscope.messages import Message

_HALF, _PRODUCT = r"(?i)bf16|fp16|_f16|half|h16\d*gemm|hgemm", r"(?i)gemm|cutlass|tensorop"
_FEW, _WIDE = r"(?i)align[124](?:[^0-9]|$)", r"(?i)tf32"
"""Kernels for 16-bit types that load fewer than 8 elements at once: full alignment is 16 bytes."""

_CONVOLUTIONS = r"^aten::\w*conv(?:olution|_transpose|[123]d)"
"""In channels-first layout their rows are as long as images are large: a channels-last one aligns them, not padding."""

_TIMES = (0.85, 0.6, 0.4)
"""What is left of their time, by effort, where nothing says more."""

_OLD, _NEWER = r"(?i)cutlass_75|_s1688|turing", 9
"""Kernels made of instructions of an earlier generation, and the compute capability from which the difference is large:
at full alignment other kernels run."""
_TIMES_OF_OLD = (0.6, 0.3, 0.15)

_OF_PEAK = (0.35, 0.55, 0.75)
"""Share of the peak that large aligned products reach, by effort."""

_LARGE_NS = 100_000
"""Shorter kernels are too small to come near the peak."""


def _is_misaligned(name: pl.Expr) -> pl.Expr:
    half, product, few, wide = (name.str.contains(pattern) for pattern in (_HALF, _PRODUCT, _FEW, _WIDE))
    return half & product & few & ~wide


def detect(case: Case) -> list[Cause]:
    """A cause where kernels for misaligned 16-bit matrices run."""
    convolutions = outermost(case.named(_CONVOLUTIONS, "operator"))
    which = case.kernels(_is_misaligned) & ~launched_inside(case.rank, case.model, convolutions)
    if not which.any():
        return []
    total, left = case.gpu_ns(which), _left(case, which)

    def fix(edit: Edit, effort: int) -> Edit:
        return stretched(edit, which, left[effort])

    return [
        Cause(
            id="misaligned-matmul",
            category="shapes",
            title=Message("finding-misaligned-matmul-title", spent_ns=round(total)),
            fix=fix,
            claims=NOWHERE,
            spent_ns=total,
            advice=Message("finding-misaligned-matmul-advice"),
            change="head = nn.Linear(width, 64 * ((classes + 63) // 64))  # was: nn.Linear(width, classes)",
            links=(
                "https://docs.nvidia.com/deeplearning/performance/dl-performance-matrix-multiplication/index.html",
                "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
            ),
            count=case.a_step(float(which.sum())),
        )
    ]


def _left(case: Case, which: Flags) -> list[Floats]:
    """What is left of the time of each activity, by effort."""
    duration = case.model.gpu.activities.duration
    large = which & (duration >= _LARGE_NS)
    old = large & _is_old(case)
    peak = rank_peaks(case.profile, case.rank.whole).figures.get("bf16")
    flops = _flops(case, which) if peak else np.zeros(len(which))
    found = []
    for usual, of_old, share in zip(_TIMES, _TIMES_OF_OLD, _OF_PEAK, strict=True):
        left = np.where(old, of_old, np.where(which, usual, 1.0))
        if peak:
            at_peak = 1e9 * flops / (share * peak * np.maximum(1, duration))
            left = np.where(large & (flops > 0), np.minimum(at_peak, usual), left)
        found.append(left)
    return found


def _is_old(case: Case) -> Flags:
    major = main_device(case.rank.whole).get("computeMajor")
    newer = isinstance(major, int) and major >= _NEWER
    return case.kernels(lambda name: name.str.contains(_OLD)) & newer


def _flops(case: Case, which: Flags) -> Floats:
    """Operations of each of some activities, 0 where the sizes are unknown; of a call they go by time."""
    call = call_of_each(case.rank.whole).gather(case.model.gpu.rows)
    frame = pl.DataFrame({"row": call, "ns": case.model.gpu.activities.duration, "mine": which})
    known = matrix_calls(case.rank.whole).with_columns(pl.col("row").cast(pl.Int64), pl.col("flops").cast(pl.Float64))
    frame = frame.join(known, "row", "left", maintain_order="left")
    ns = pl.when("mine").then("ns").otherwise(0)
    share = ns / ns.sum().over("row").clip(1)
    return frame.select((pl.col("flops") * share).fill_null(0.0).fill_nan(0.0)).to_series().to_numpy()
