"""Why a profiled kernel takes as long as it does, told from what its metrics mean.

Each function looks for one cause and says at most how much of the kernel's time removing it would save: what the unit
that the cause keeps busy, or idle, allows. The order follows that bound; a unit near its peak is a limit, named where
no cause explains it. Meanings of metrics: https://docs.nvidia.com/nsight-compute/ProfilingGuide/.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from stepscope.analyses.kernel_reports.figures import (
    BUSY_PCT,
    ISSUED,
    PIPES,
    THEORETICAL,
    WAVES,
    Kernel,
)
from stepscope.messages import Message

WORTH_PCT = 10.0
"""A cause that would save less than this is none."""

_GLOBAL = "memory_l2_theoretical_sectors_global"
_SLICES = "lts__d_atomic_input_cycles_active.{}.pct_of_peak_sustained_elapsed"
_PEAK = "sm__sass_thread_inst_executed_op_{}_pred_on.sum.peak_sustained"
_SECTORS = "l1tex__t_sectors_pipe_lsu_mem_{}_op_{}.sum"
_SECTOR_BYTES = 32
_BLOCK = "launch__block_size"
_WARP = 32
_LIMITS = ("registers", "shared_mem", "warps", "blocks", "barriers")
_HALF_PCT = 50.0
_CONTENDED = 4.0
"""Atomics crowd at few addresses where the busiest slice of L2 does so many times what they do on average."""

_BUSY_SLICE_PCT = 10.0


@dataclass(frozen=True)
class Cause:
    """Something that makes a kernel longer.

    Attributes:
        id: names it.
        bound_pct: most of the kernel's time that removing it would save.
        says: what was seen, with its figures.
    """

    id: str
    bound_pct: float
    says: Message


def causes(kernel: Kernel) -> list[Cause]:
    """The causes that are worth a word, the one that costs most first."""
    found = [cause for look in _LOOKS if (cause := look(kernel)) is not None]
    return sorted((cause for cause in found if cause.bound_pct >= WORTH_PCT), key=lambda one: -one.bound_pct)


def uncoalesced(kernel: Kernel) -> Cause | None:
    """Accesses to global memory that use little of each sector that they fetch."""
    sectors, ideal = kernel(_GLOBAL), kernel(f"{_GLOBAL}_ideal")
    wasted = 1 - ideal / sectors if sectors and ideal is not None else _wasted_by_sectors(kernel)
    used = _SECTOR_BYTES * (1 - wasted)
    return Cause(
        "uncoalesced",
        100 * wasted * kernel.memory_weight,
        Message("kernel-cause-uncoalesced", used=used, wasted_pct=100 * wasted),
    )


def _wasted_by_sectors(kernel: Kernel) -> float:
    """Share of the fetched bytes that no thread asked for, from the bytes used of a sector."""
    total = unused = 0.0
    for access in ("ld", "st"):
        used = kernel.of(f"smsp__sass_average_data_bytes_per_sector_mem_global_op_{access}.ratio")
        sectors = kernel.of(f"l1tex__t_sectors_pipe_lsu_mem_global_op_{access}.sum")
        if used > 0:
            total += sectors
            unused += sectors * max(0.0, 1 - used / _SECTOR_BYTES)
    return unused / total if total else 0.0


def bank_conflicts(kernel: Kernel) -> Cause | None:
    """Accesses to shared memory that take many turns because threads of a warp want one bank."""
    conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared"
    turns = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
    total, extra = kernel.of(f"{turns}.sum"), kernel.of(f"{conflicts}.sum")
    if total <= 0 or extra <= 0 or extra >= total:
        return None
    busy = kernel(f"{turns}.sum.pct_of_peak_sustained_elapsed")
    busy = 100 * kernel.memory_weight if busy is None else busy
    worst = max(("ld", "st"), key=lambda one: kernel.of(f"{conflicts}_op_{one}.sum"))
    of_worst, extra_of_worst = kernel.of(f"{turns}_op_{worst}.sum"), kernel.of(f"{conflicts}_op_{worst}.sum")
    ways = of_worst / (of_worst - extra_of_worst) if of_worst > extra_of_worst > 0 else total / (total - extra)
    says = Message("kernel-cause-bank-conflicts", ways=ways, extra_pct=100 * extra / total)
    return Cause("bank_conflicts", min(100.0, busy) * extra / total, says)


def divergence(kernel: Kernel) -> Cause | None:
    """Instructions that few threads of their warp execute, of those that the block gives it."""
    threads = kernel("smsp__thread_inst_executed_per_inst_executed.ratio")
    if not threads:
        return None
    given = _threads_of_warp(kernel)
    idle = max(0.0, 1 - threads / given)
    says = Message("kernel-cause-divergence", threads=threads, given=round(given))
    return Cause("divergence", kernel.of(ISSUED) * idle, says)


def partial_warps(kernel: Kernel) -> Cause | None:
    """Blocks whose size is no multiple of a warp: the rest of a warp's threads never exists."""
    given, block = _threads_of_warp(kernel), kernel(_BLOCK)
    idle = 1 - given / _WARP
    if block is None or idle == 0:
        return None
    says = Message("kernel-cause-partial-warps", threads=round(block), idle_pct=100 * idle)
    return Cause("partial_warps", min(100 * idle, max(kernel.spare_pct, kernel.of(ISSUED) * idle)), says)


def _threads_of_warp(kernel: Kernel) -> float:
    """How many threads a warp has on average, which a block of an odd size gives it."""
    block = kernel(_BLOCK)
    return block / math.ceil(block / _WARP) if block else _WARP


def occupancy(kernel: Kernel) -> Cause | None:
    """A launch of which few warps fit on an SM, where no unit is busy: latency shows."""
    theoretical = kernel(THEORETICAL)
    busiest = kernel.busiest_pct
    if theoretical is None or busiest is None or theoretical > _HALF_PCT or busiest >= BUSY_PCT:
        return None
    limits = {name: value for name in _LIMITS if (value := kernel(f"launch__occupancy_limit_{name}")) is not None}
    limit = min(limits, key=lambda name: limits[name], default="")
    blocks = round(limits[limit]) if limit else None
    says = Message("kernel-cause-occupancy", theoretical_pct=theoretical, limit=limit or "unknown", blocks=blocks)
    return Cause("occupancy", min(100 - theoretical, kernel.spare_pct), says)


def small_grid(kernel: Kernel) -> Cause | None:
    """Too few blocks to fill the GPU once."""
    waves, blocks, sms = kernel(WAVES), kernel("launch__grid_size"), kernel("launch__sm_count")
    if waves is None or not 0 < waves < 1:
        return None
    says = Message("kernel-cause-small-grid", blocks=_whole(blocks), sms=_whole(sms), filled_pct=100 * waves)
    return Cause("small_grid", min(100 * (1 - waves), kernel.spare_pct), says)


def tail(kernel: Kernel) -> Cause | None:
    """A last wave of blocks that fills little of the GPU."""
    waves = kernel(WAVES)
    if waves is None or waves < 1:
        return None
    last = waves - math.floor(waves)
    lost = 0.0 if last == 0 else (1 - last) / math.ceil(waves)
    says = Message("kernel-cause-tail", waves=waves, last_pct=100 * last)
    return Cause("tail", min(100 * lost, kernel.spare_pct), says)


def atomics(kernel: Kernel) -> Cause | None:
    """Atomic operations that crowd at few addresses: one slice of L2 does them all, one after another."""
    tex = "lts__t_sectors_srcunit_tex"
    total = kernel.of(f"{tex}.sum")
    atomic = kernel.of(f"{tex}_op_red.sum") + kernel.of(f"{tex}_op_atom.sum")
    mean, most = kernel.of(_SLICES.format("avg")), kernel.of(_SLICES.format("max"))
    if total <= 0 or mean <= 0 or most < _BUSY_SLICE_PCT or most < _CONTENDED * mean:
        return None
    share = min(1.0, atomic / total)
    says = Message("kernel-cause-atomics", share_pct=100 * share, times=most / mean)
    return Cause("atomics", min(100 * share * (1 - mean / most), kernel.spare_pct), says)


def local_memory(kernel: Kernel) -> Cause | None:
    """Registers that are kept in memory, or arrays that are indexed at run time."""
    local, other = (sum(kernel.of(_SECTORS.format(where, op)) for op in ("ld", "st")) for where in ("local", "global"))
    if local <= 0:
        return None
    share = local / (local + other)
    says = Message("kernel-cause-local-memory", share_pct=100 * share)
    return Cause("local_memory", 100 * share * kernel.memory_weight, says)


def double_precision(kernel: Kernel) -> Cause | None:
    """A pipe for FP64 that limits a kernel, on a device that does more FP32."""
    pipe = next(name for name, short in PIPES.items() if short == "fp64")
    busy = kernel.of(pipe)
    single, double = kernel(_PEAK.format("ffma")), kernel(_PEAK.format("dfma"))
    ratio = single / double if single and double else None
    if busy < BUSY_PCT or ratio is None or ratio <= 1:
        return None
    says = Message("kernel-cause-double-precision", busy_pct=busy, ratio=ratio)
    return Cause("double_precision", busy * (1 - 1 / ratio), says)


def _whole(number: float | None) -> int | None:
    return None if number is None else round(number)


_LOOKS: tuple[Callable[[Kernel], Cause | None], ...] = (
    uncoalesced,
    bank_conflicts,
    divergence,
    partial_warps,
    occupancy,
    small_grid,
    tail,
    atomics,
    local_memory,
    double_precision,
)

METRICS = (
    *(_GLOBAL, f"{_GLOBAL}_ideal", ISSUED, THEORETICAL, WAVES, _BLOCK, "launch__grid_size", "launch__sm_count"),
    *(f"smsp__sass_average_data_bytes_per_sector_mem_global_op_{op}.ratio" for op in ("ld", "st")),
    *(_SECTORS.format(where, op) for where in ("global", "local") for op in ("ld", "st")),
    *(f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared{op}.sum" for op in ("", "_op_ld", "_op_st")),
    *(f"l1tex__data_pipe_lsu_wavefronts_mem_shared{op}.sum" for op in ("", "_op_ld", "_op_st")),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    *(f"launch__occupancy_limit_{name}" for name in _LIMITS),
    *(f"lts__t_sectors_srcunit_tex{op}.sum" for op in ("", "_op_red", "_op_atom")),
    *(_SLICES.format(which) for which in ("avg", "max")),
    *(_PEAK.format(op) for op in ("ffma", "dfma")),
    *PIPES,
)
"""What the causes are told from."""
