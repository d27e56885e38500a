"""float64 computation, which is mostly an accident: NumPy arrays and Python floats are float64 by default."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import polars as pl

from stepscope.analyses.roofline.models import MATRIX_KINDS
from stepscope.analyses.roofline.peaks import rank_peaks
from stepscope.analyses.roofline.roofline import device_calls
from stepscope.analyses.simulation.changes.gpu_work import OF_BANDWIDTH, call_times
from stepscope.analyses.simulation.edits import Ranges, shares, slowed, stretched
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause, outermost
from stepscope.messages import Message
from stepscope.store.trace import Trace

_LEFT = (0.6, 0.5, 0.4)
"""What is left of the time in single precision, by effort, of what is bound by memory: half of the bytes."""

_BY_NAME = r"(?i)dgemm|_f64f64_|_d884"
"""Kernels that multiply doubles; other names hold `double` for arguments of single-precision kernels, too."""


_TEMPLATE = r"[<(]double\b"
"""In the names of kernels made for doubles; those that take a double as a mere argument have it elsewhere."""

_INPUTS = ["input_types", "input_dims"]

_OF_PEAK = (0.65, 0.75, 0.65)
"""Share of the peak of single precision that GEMMs reach, by effort; at best of TF32's."""

_BEST = 2

_SHORT_NS = 10_000
"""An operator of the CPU that takes less mostly takes what calling it takes."""


def detect(case: Case) -> list[Cause]:
    """A cause where operators work on doubles: by their recorded types, else by the names of products."""
    if not case.on_gpu:
        return _on_cpu(case)
    names = case.kernel_names()
    which = names.str.contains(_BY_NAME).fill_null(False).to_numpy()
    if not (which.any() or names.str.contains(_TEMPLATE).any() or len(_wide_inputs(case.rank.trace))):
        return []
    calls = device_calls(case.rank.whole).filter(pl.col("row").is_not_null() & (pl.col("dtype") == "fp64"))
    factor = call_times(case.rank.whole, case.model, calls.select("row", pl.lit(0.5).alias("factor")))
    which |= factor.is_not_null().to_numpy()
    if not which.any():
        return []
    total = case.gpu_ns(which)
    products = [_products(case, calls, effort) for effort in range(3)]

    def fix(edit: Edit, effort: int) -> Edit:
        left = np.where(np.isnan(products[effort]), _LEFT[effort], products[effort])
        return stretched(edit, which, np.where(which, left, 1.0))

    return [_cause(case, fix, NOWHERE, total, float(which.sum()))]


def _products(case: Case, calls: pl.DataFrame, effort: int) -> Floats:
    """What is left of the time of each activity that multiplies matrices, by its FLOPs and bytes; NaN of all others.

    Where doubles have units as fast as single precision has, nothing is gained but what the kernels reach of them.
    """
    figures = rank_peaks(case.profile, case.rank.whole).figures
    single = figures.get("fp32_matrix", figures.get("fp32"))
    rate = figures.get("tf32", single) if effort == _BEST else single
    memory = figures.get("memory")
    if rate is None or memory is None:
        return np.full(len(case.model.gpu.rows), np.nan)
    known = calls.filter(pl.col("kind").is_in(MATRIX_KINDS) & pl.col("flops").is_not_null())
    work = pl.col("flops") / (_OF_PEAK[effort] * rate)
    moved = pl.col("bytes").fill_null(0) / 2 / (OF_BANDWIDTH * memory)
    left = (1e9 * pl.max_horizontal(work, moved) / pl.col("total_ns")).clip(upper_bound=1)
    times = call_times(case.rank.whole, case.model, known.select("row", left.alias("factor")))
    return times.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _on_cpu(case: Case) -> list[Cause]:
    """A cause for operators of the CPU whose inputs are doubles, where types were recorded."""
    inputs, wide = case.rank.trace.frame("operator", _INPUTS), _wide_inputs(case.rank.trace)
    which = inputs.join(wide.with_columns(wide=True), _INPUTS, "left", maintain_order="left")["wide"]
    ranges = outermost(case.rows("operator", which.fill_null(False).to_numpy()))
    ranges = ranges.chosen(ranges.end - ranges.start >= _SHORT_NS)
    if len(ranges.start) == 0:
        return []

    def fix(edit: Edit, effort: int) -> Edit:
        return slowed(edit, shares(case.model, ranges), _LEFT[effort])

    return [_cause(case, fix, ranges, case.host_ns(ranges), float(len(ranges.start)))]


def _wide_inputs(trace: Trace) -> pl.DataFrame:
    """The distinct inputs of operators with tensors of doubles among them: columns as `_INPUTS`, codes."""
    named = trace.codes(lambda text: text.str.contains("double", literal=True))
    distinct = trace.frame("operator", _INPUTS)[trace.rows_with("operator", named, _INPUTS[0])].unique().drop_nulls()
    texts = zip(*(trace.text(distinct[name]).to_list() for name in _INPUTS), strict=True)
    return distinct.filter(pl.Series([_has_doubles(*each) for each in texts], dtype=pl.Boolean))


def _has_doubles(types: str | None, dims: str | None) -> bool:
    """Whether a tensor of doubles is among inputs; a Python number is one without dimensions, and changes no result.

    >>> _has_doubles('["float", "double"]', "[[8, 3], []]"), _has_doubles('["double", ""]', "[[8], []]")
    (False, True)
    """
    shapes = re.findall(r"\[[^\[\]]*\]", (dims or "")[1:])
    kinds = re.findall(r"""["']([^"']*)["']""", types or "")
    return any(kind == "double" and shape != "[]" for kind, shape in zip(kinds, shapes, strict=False))


def _cause(case: Case, fix: Callable[[Edit, int], Edit], claims: Ranges, spent_ns: float, count: float) -> Cause:
    return Cause(
        id="double-precision",
        category="precision",
        title=Message("finding-double-precision-title", spent_ns=round(spent_ns)),
        fix=fix,
        claims=claims,
        spent_ns=spent_ns,
        advice=Message("finding-double-precision-advice"),
        change="batch = torch.from_numpy(array).float()  # was: torch.from_numpy(array), which keeps float64",
        links=(
            "https://docs.pytorch.org/docs/stable/tensor_attributes.html",
            "https://docs.pytorch.org/docs/stable/generated/torch.set_default_dtype.html",
        ),
        unknown=Message("finding-double-precision-unknown"),
        unsure=True,
        where=case.where(claims),
        count=case.a_step(count),
    )
