"""How many warps of a kernel an SM can hold at once, as a share of what it can hold at most, and what limits them.

The profiler's estimate (Kineto, ``est. achieved occupancy %``) is the smaller of the blocks that fit and the blocks per
SM that there are, times the block's threads, over the threads that fit. It asks CUDA's occupancy calculator without
the opt-in for large shared memory, so for every kernel with more than 48 KiB per block, which means most of today's
matrix products and attention, it records 0 (libkineto/src/CudaDeviceProperties.cpp). The rules of that calculator
(``cuda_occupancy.h``) are few; with them the estimate is made again here, from what the kernel's event and the device's
properties say. It equals the recorded one wherever that is not 0.
"""

from __future__ import annotations

from math import prod

import polars as pl

from stepscope.store.devices import device_properties
from stepscope.store.json_text import json_value
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

STATIC_LIMIT_BYTES = 48 << 10
"""Shared memory that a block gets without opting in; above it the profiler's estimate is 0."""

_CONFIGURATION = ["device", "block", "registers", "shared_bytes", "blocks_per_sm", "occupancy_pct"]
_PROPERTIES = {
    "id": "device",
    "computeMajor": "major",
    "computeMinor": "minor",
    "warpSize": "warp",
    "regsPerMultiprocessor": "all_registers",
    "sharedMemPerMultiprocessor": "all_shared",
    "maxThreadsPerMultiprocessor": "all_threads",
}
_MANY = 1 << 20
_WARP = 32
_PARTITIONS = 4
_REGISTERS_PER_UNIT = 256
_BLOCKS_PER_SM = {705: 16, 806: 16, 807: 16, 809: 24, 1100: 24, 1200: 24, 1201: 24}
"""By 100 times the major plus the minor compute capability, where it is not 32 (CUDA programming guide)."""


def kernel_occupancy(rank: Rank, rows: pl.Series) -> pl.DataFrame:
    """Occupancy of kernels: columns estimate_pct and limit, one row for each of ``rows`` of the table ``activity``.

    ``estimate_pct`` is the recorded estimate, made again where that is a 0 that says "could not be estimated" or
    outside 0 to 100, and null where neither is possible. ``limit`` is what bounds it: registers, shared memory,
    threads, blocks, or grid where there are fewer blocks than fit; null where that is not known.
    """
    return _of_every_row(rank)[rows].select("estimate_pct", "limit")


def fitting_blocks(rank: Rank, rows: pl.Series) -> pl.Series:
    """Blocks of each kernel that an SM can hold at once, one for each of ``rows``; null where that is not known."""
    return _of_every_row(rank)["fit"].gather(rows)


@per_rank(whole=True)
def _of_every_row(rank: Rank) -> pl.DataFrame:
    frame = rank.trace.frame("activity", _CONFIGURATION).fill_nan(None)
    made = _estimated(rank, frame.unique(maintain_order=True))
    return frame.join(made, _CONFIGURATION, "left", nulls_equal=True, maintain_order="left").select(
        "estimate_pct", "limit", "fit"
    )


def _estimated(rank: Rank, kernels: pl.DataFrame) -> pl.DataFrame:
    """Kernels of a frame with the columns of `_CONFIGURATION`, with estimate_pct, limit and fit."""
    blocks = kernels["block"].drop_nulls().unique()
    threads = [_threads(text) for text in rank.trace.text(blocks)]
    sizes = pl.DataFrame({"block": blocks, "threads": threads}, schema_overrides={"threads": pl.Int64})
    frame = kernels.join(sizes, "block", "left", maintain_order="left")
    frame = frame.join(_devices(rank, kernels["device"]), "device", "left", maintain_order="left")
    fits = _blocks_that_fit()
    frame = frame.with_columns(**fits).with_columns(pl.min_horizontal(*fits).alias("fit"))
    known = pl.all_horizontal(pl.col(*fits).is_not_null()) & (pl.col("warp") == _WARP) & (pl.col("major") >= 7)
    limits = [pl.when(pl.col(name) == pl.col("fit")).then(pl.lit(name.removeprefix("by "))) for name in fits]
    limit = pl.when(pl.col("blocks_per_sm") < pl.col("fit")).then(pl.lit("grid")).otherwise(pl.coalesce(limits))
    recorded, shared = pl.col("occupancy_pct"), pl.col("shared_bytes").fill_null(0)
    failed = ~recorded.is_between(0, 100) | ((recorded == 0) & (shared > STATIC_LIMIT_BYTES))
    again = 100.0 * pl.min_horizontal("fit", "blocks_per_sm") * pl.col("threads") / pl.col("all_threads")
    return frame.select(
        *_CONFIGURATION,
        pl.when(~failed).then(recorded).when(known & (pl.col("fit") > 0)).then(again).alias("estimate_pct"),
        pl.when(known & pl.col("blocks_per_sm").is_not_null()).then(limit).alias("limit"),
        pl.when(known & (pl.col("fit") > 0)).then("fit").alias("fit"),
    )


def _threads(block: str) -> int | None:
    """Threads of a block written as ``[128, 1, 1]``."""
    try:
        sizes = json_value(block)
    except ValueError:
        return None
    if (
        not isinstance(sizes, list)
        or not sizes
        or not all(isinstance(size, int) and 0 < size <= 1024 for size in sizes)
    ):
        return None
    return prod(sizes)


def _devices(rank: Rank, numbers: pl.Series) -> pl.DataFrame:
    """GPUs by number: the columns that `_PROPERTIES` names."""
    devices = [
        {column: device_properties(rank, number).get(key) for key, column in _PROPERTIES.items()} | {"device": number}
        for number in numbers.drop_nulls().unique().to_list()
    ]
    return pl.DataFrame(devices, schema=dict.fromkeys(_PROPERTIES.values(), pl.Int64), strict=False)


def _blocks_that_fit() -> dict[str, pl.Expr]:
    """Blocks of a kernel that fit on an SM at once, by what bounds them."""
    warps = (pl.col("threads") + _WARP - 1) // _WARP
    of_warp = _rounded_up(pl.col("registers") * _WARP, _REGISTERS_PER_UNIT)
    # From Ampere on each block also takes 1 KiB for the system, and memory is handed out in finer pieces.
    recent = pl.col("major") >= 8
    of_block = (
        pl.when(recent)
        .then(_rounded_up(pl.col("shared_bytes") + 1024, 128))
        .otherwise(_rounded_up(pl.col("shared_bytes"), 256))
    )
    capability = 100 * pl.col("major") + pl.col("minor")
    most = capability.replace_strict(_BLOCKS_PER_SM, default=32, return_dtype=pl.Int64)
    return {
        "by registers": pl.when(of_warp > 0)
        .then(pl.col("all_registers") // _PARTITIONS // of_warp * _PARTITIONS // warps)
        .otherwise(_MANY),
        "by shared memory": pl.when(of_block > 0).then(pl.col("all_shared") // of_block).otherwise(_MANY),
        "by threads": pl.col("all_threads") // _WARP // warps,
        "by blocks": most,
    }


def _rounded_up(amount: pl.Expr, unit: int) -> pl.Expr:
    return (amount + unit - 1) // unit * unit
