"""Matrix multiplications in a type, or by kernels, that do not use Tensor Cores."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.roofline.peaks import rank_peaks
from stepscope.analyses.simulation.changes.gpu_work import tensor_core_times
from stepscope.analyses.simulation.edits import stretched
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause
from stepscope.messages import Message

_OF_PEAK = (0.4, 0.65, 0.8)
"""Share of the peak that they reach on Tensor Cores, by effort."""

_HALF = 'with torch.autocast("cuda", torch.float16): loss = model(batch)  # was: without; and torch.amp.GradScaler'

_PLAIN = r"(?i)sgemm|simt|ffma|f32f32_f32f32|dgemm|xmma_gemm_f32f32_f32f32"
_BY_NAME = (0.35, 0.2, 0.12)
"""Where no shapes were recorded: how the time of kernels of plain arithmetic changes, by effort."""


def detect(case: Case) -> list[Cause]:
    """A cause where products that could use tensor cores do not."""
    times = _times(case)
    which = times[1] < 1 if times else np.zeros(0, np.bool_)
    if not which.any():
        return []
    total = case.gpu_ns(which)
    figures = rank_peaks(case.profile, case.rank.whole).figures
    half = "fp16" in figures and not {"tf32", "fp32_matrix"} & set(figures)

    def fix(edit: Edit, effort: int) -> Edit:
        return stretched(edit, which, times[effort])

    return [
        Cause(
            id="no-tensor-cores",
            category="precision",
            title=Message("finding-no-tensor-cores-title", spent_ns=round(total)),
            fix=fix,
            claims=NOWHERE,
            spent_ns=total,
            advice=Message("finding-no-tensor-cores-advice-half" if half else "finding-no-tensor-cores-advice"),
            change=_HALF if half else 'torch.set_float32_matmul_precision("high")  # was: "highest", the default',
            links=(
                "https://docs.pytorch.org/docs/stable/generated/torch.set_float32_matmul_precision.html",
                "https://docs.pytorch.org/docs/stable/amp.html",
            ),
            unknown=Message("change-tensor-cores-unknown"),
            count=case.a_step(float(which.sum())),
        )
    ]


def _times(case: Case) -> list[Floats]:
    """By effort, what is left of the time of each activity: by its shapes, or where none were recorded by its name.

    Nothing is left where the device has no tensor cores for fp32.
    """
    found = [tensor_core_times(case.profile, case.rank, case.model, share) for share in _OF_PEAK]
    known = [times for times in found if times is not None]
    if not known or (known[1] < 1).any():
        return known
    plain = case.kernels(lambda name: name.str.contains(_PLAIN))
    return [np.where(plain, left, 1.0) for left in _BY_NAME]
