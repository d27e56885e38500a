"""float64 computation, which is mostly an accident: NumPy arrays and Python floats are float64 by default."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.roofline.roofline import device_calls
from stepscope.analyses.simulation.changes.gpu_work import call_times
from stepscope.analyses.simulation.edits import stretched
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause
from stepscope.messages import Message

_LEFT = (0.6, 0.5, 0.4)
"""What is left of the time in single precision, by effort: half of the bytes, and at least twice the arithmetic."""

_BY_NAME = r"(?i)dgemm|_f64f64_|_d884"
"""Kernels that multiply doubles; other names hold `double` for arguments of single-precision kernels, too."""


def detect(case: Case) -> list[Cause]:
    """A cause where operators work on doubles: by their recorded types, else by the names of products."""
    calls = device_calls(case.rank.whole).filter(pl.col("row").is_not_null() & (pl.col("dtype") == "fp64"))
    factor = call_times(case.rank.whole, case.model, calls.select("row", pl.lit(0.5).alias("factor")))
    names = case.kernel_names().str.contains(_BY_NAME).fill_null(False).to_numpy()
    which = factor.is_not_null().to_numpy() | names
    if not which.any():
        return []
    total = case.gpu_ns(which)

    def fix(edit: Edit, effort: int) -> Edit:
        return stretched(edit, which, np.where(which, _LEFT[effort], 1.0))

    return [
        Cause(
            id="double-precision",
            category="precision",
            title=Message("finding-double-precision-title", spent_ns=round(total)),
            fix=fix,
            claims=NOWHERE,
            spent_ns=total,
            advice=Message("finding-double-precision-advice"),
            change="batch = torch.from_numpy(array).float()  # was: torch.from_numpy(array), which keeps float64",
            links=(
                "https://docs.pytorch.org/docs/stable/tensor_attributes.html",
                "https://docs.pytorch.org/docs/stable/generated/torch.set_default_dtype.html",
            ),
            unknown=Message("finding-double-precision-unknown"),
            at_least=True,
            count=case.a_step(float(which.sum())),
        )
    ]
