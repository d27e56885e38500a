"""How close each profiled kernel comes to the roofline of its GPU (see docs/tables/).

Operations a second: of FP64, FP32 and FP16 the threads' instructions, ``lanes (add + mul + 2 fma)`` a cycle times
cycles a second, where a lane of FP16 holds two numbers; of tensor cores ``sm__ops_path_tensor_src_TYPE``, which counts
operations. Bytes a second: of DRAM as counted; of L2 32 bytes for each busy cycle towards the SMs; of L1 128 bytes for
each cycle that writes results back. A peak is what a unit sustains a cycle times its cycles a second: at the clocks of
the measurement.

Sources: the sections SpeedOfLight_Hierarchical*RooflineChart of Nsight Compute; S. Williams, A. Waterman, D. Patterson,
"Roofline: an insightful visual performance model", CACM 52 (4), 2009.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from stepscope.analyses.kernel_reports.emptiness import why_empty
from stepscope.analyses.kernel_reports.reports import Values, rows_of
from stepscope.store.profile import Profile

_THREADS = "smsp__sass_thread_inst_executed_op_{}{}_pred_on.sum.per_cycle_elapsed"
_FMA_PEAK = "sm__sass_thread_inst_executed_op_{}fma_pred_on.sum.peak_sustained"
_SMSP, _SM = (f"{unit}__cycles_elapsed.avg.per_second" for unit in ("smsp", "sm"))
_PRECISIONS = {"fp64": ("d", 1), "fp32": ("f", 1), "fp16": ("h", 2)}
"""By precision: the letter of its instructions, and numbers in a lane."""

_TENSOR = "sm__ops_path_tensor_"
_TENSOR_PARTS = re.compile(
    _TENSOR + r"(?P<op>op_[a-z]+_)?src_(?P<type>[a-z]+\d+)(_dst_\w+?)?(?P<sparse>_sparsity_on|_sparsity_off)?"
    r"\.sum\.(?P<what>per_second|peak_sustained)"
)

_LEVELS = {
    "dram": (("dram__bytes.sum",), 1, "dram__cycles_elapsed.avg.per_second"),
    "l2": (("lts__lts2xbar_cycles_active.sum",), 32, "lts__cycles_elapsed.avg.per_second"),
    "l1": (
        ("l1tex__lsu_writeback_active_mem_lgds.sum", "l1tex__lsu_writeback_active_mem_lg.sum"),
        128,
        "l1tex__cycles_elapsed.avg.per_second",
    ),
}
"""By level of the hierarchy: what counts its traffic, by version; bytes of each; its clock."""

METRICS = (
    *(_SMSP, _SM),
    *(_THREADS.format(letter, op) for letter, _ in _PRECISIONS.values() for op in ("add", "mul", "fma")),
    *(_FMA_PEAK.format(letter) for letter, _ in _PRECISIONS.values()),
    *(clock for _, _, clock in _LEVELS.values()),
    *(
        f"{name}.{what}"
        for names, _, _ in _LEVELS.values()
        for name in names
        for what in ("per_second", "peak_sustained")
    ),
)


@dataclass(frozen=True)
class _Rate:
    """What a unit did a second, and the most that it does; None where that was not collected."""

    achieved: float
    peak: float | None


def kernel_roofline(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_roofline``, by kernel, precision and level."""
    return rows_of(profile, "kernel_roofline", METRICS, roofline, _TENSOR)


notes = why_empty("kernel_roofline")


def roofline(values: Values) -> Iterator[dict[str, Any]]:
    """A row for each precision that a kernel computed in and each level that was measured."""
    levels = {level: rate for level in _LEVELS if (rate := _traffic(values, level)) is not None}
    for precision, work in _work(values):
        for level, traffic in levels.items():
            yield {"precision": precision, "level": level, **_row(work, traffic)}


def _row(work: _Rate, traffic: _Rate) -> dict[str, Any]:
    intensity = work.achieved / traffic.achieved if traffic.achieved > 0 else None
    known = intensity is not None and traffic.peak is not None and work.peak is not None
    roof = min(work.peak or 0.0, (intensity or 0.0) * (traffic.peak or 0.0)) if known else None
    return {
        "intensity": intensity,
        "achieved_flops": work.achieved,
        "peak_flops": work.peak,
        "achieved_bandwidth": traffic.achieved,
        "peak_bandwidth": traffic.peak,
        "bound": None if roof is None else "compute" if roof == work.peak else "memory",
        "pct_of_roof": 100 * work.achieved / roof if roof else None,
    }


def _work(values: Values) -> Iterator[tuple[str, _Rate]]:
    """Operations a second by precision, of those that the kernel computed in."""
    for precision, (letter, lanes) in _PRECISIONS.items():
        add, mul, fma = (values.get(_THREADS.format(letter, op)) for op in ("add", "mul", "fma"))
        if add is None or mul is None or fma is None or _SMSP not in values:
            continue
        peak = _product(values, _FMA_PEAK.format(letter), _SM, 2 * lanes)
        achieved = lanes * (add + mul + 2 * fma) * values[_SMSP]
        if achieved > 0:
            yield precision, _Rate(achieved, peak)
    yield from _tensor_work(values)


def _tensor_work(values: Values) -> Iterator[tuple[str, _Rate]]:
    """The same of tensor cores by type of their input. The peak is that of dense matrices unless sparse ones ran."""
    found = [(parts, value) for name, value in values.items() if (parts := _TENSOR_PARTS.fullmatch(name))]
    for kind in dict.fromkeys(parts["type"] for parts, _ in found):
        own = [(parts, value) for parts, value in found if parts["type"] == kind]
        done = [(parts, value) for parts, value in own if parts["what"] == "per_second"]
        # What counts a type as a whole counts what its single instructions do once more.
        achieved = sum(value for parts, value in done if not parts["op"]) or sum(value for _, value in done)
        is_sparse = any(value > 0 for parts, value in done if parts["sparse"] == "_sparsity_on")
        peaks = [(parts["sparse"], value) for parts, value in own if parts["what"] == "peak_sustained"]
        dense = max((value for sparse, value in peaks if sparse == "_sparsity_off"), default=None)
        peak = max((value for _, value in peaks), default=None) if is_sparse or dense is None else dense
        if achieved > 0:
            yield f"tensor {kind}", _Rate(achieved, None if peak is None or _SM not in values else peak * values[_SM])


def _traffic(values: Values, level: str) -> _Rate | None:
    names, size, clock = _LEVELS[level]
    for name in names:
        if (rate := values.get(f"{name}.per_second")) is not None:
            return _Rate(size * rate, _product(values, f"{name}.peak_sustained", clock, size))
    return None


def _product(values: Values, a_cycle: str, cycles: str, factor: float) -> float | None:
    if a_cycle not in values or cycles not in values:
        return None
    return factor * values[a_cycle] * values[cycles]
