"""Matrix multiplications whose rows do not begin at multiples of 16 bytes."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.simulation.edits import stretched
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause
from stepscope.messages import Message

_HALF, _PRODUCT = r"(?i)bf16|fp16|_f16|half|h16\d*gemm|hgemm", r"(?i)gemm|cutlass|tensorop"
_FEW, _WIDE = r"(?i)align[124](?:[^0-9]|$)", r"(?i)tf32"
"""Kernels for 16-bit types that load fewer than 8 elements at once: full alignment is 16 bytes."""

_TIMES = (0.85, 0.6, 0.4)


def detect(case: Case) -> list[Cause]:
    """A cause where kernels for misaligned 16-bit matrices run."""
    names = case.kernel_names().str
    matches = [names.contains(pattern) for pattern in (_HALF, _PRODUCT, _FEW)]
    misaligned = matches[0] & matches[1] & matches[2] & ~names.contains(_WIDE)
    which = misaligned.fill_null(False).to_numpy()
    if not which.any():
        return []
    total = case.gpu_ns(which)

    def fix(edit: Edit, effort: int) -> Edit:
        return stretched(edit, which, np.where(which, _TIMES[effort], 1.0))

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
