"""Conversions between channels-first and channels-last."""

from __future__ import annotations

from stepscope.analyses.simulation.edits import stretched
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause
from stepscope.messages import Message

_CONVERSIONS = r"(?i)nchwToNhwc|nhwcToNchw|nchw2nhwc|nhwc2nchw"


def detect(case: Case) -> list[Cause]:
    """A cause where the library converts layouts around convolutions."""
    which = case.kernels(lambda name: name.str.contains(_CONVERSIONS))
    if not which.any():
        return []
    count = case.a_step(float(which.sum()))
    total = case.gpu_ns(which)

    def fix(edit: Edit, effort: int) -> Edit:
        return stretched(edit, which, 0)

    return [
        Cause(
            id="layout-conversions",
            category="layout",
            title=Message("finding-layout-conversions-title", kernels=round(count), spent_ns=round(total)),
            fix=fix,
            claims=NOWHERE,
            spent_ns=total,
            advice=Message("finding-layout-conversions-advice"),
            change=(
                "model = model.to(memory_format=torch.channels_last)\n"
                "images = images.to(memory_format=torch.channels_last)  # was: both as they are by default, NCHW"
            ),
            links=(
                "https://docs.pytorch.org/tutorials/intermediate/memory_format_tutorial.html",
                "https://docs.nvidia.com/deeplearning/performance/dl-performance-convolutional/index.html",
            ),
            varies=True,
            count=count,
        )
    ]
