"""Occupancy as the CUDA programming guide describes it, kernel by kernel, in plain Python."""

from __future__ import annotations

from math import ceil, floor
from typing import Any

BLOCKS = {"7.5": 16, "8.6": 16, "8.7": 16, "8.9": 24, "11.0": 24, "12.0": 24, "12.1": 24}


def blocks_that_fit(args: dict[str, Any], device: dict[str, Any]) -> int | None:
    """How many blocks of a kernel an SM can hold at once; None where the recording does not say."""
    try:
        threads = args["block"][0] * args["block"][1] * args["block"][2]
        registers, shared = args["registers per thread"], args["shared memory"]
        major, minor = device["computeMajor"], device["computeMinor"]
        all_shared, all_registers = device["sharedMemPerMultiprocessor"], device["regsPerMultiprocessor"]
        all_threads = device["maxThreadsPerMultiprocessor"]
    except KeyError:
        return None
    if device.get("warpSize") != 32:
        return None
    warps = ceil(threads / 32)
    # Each of the four partitions of an SM has a quarter of the registers, handed out to warps in pieces of 256.
    warps_by_registers = 4 * floor(all_registers / 4 / (256 * ceil(registers * 32 / 256)))
    piece, system = (256, 0) if major < 8 else (128, 1024)
    by_shared = all_shared // (piece * ceil((shared + system) / piece)) if shared + system else 32
    return min(warps_by_registers // warps, by_shared, all_threads // (32 * warps), BLOCKS.get(f"{major}.{minor}", 32))


def estimate(args: dict[str, Any], device: dict[str, Any]) -> float | None:
    """The share of the threads that an SM can hold, in per cent, as many as there are blocks for."""
    fit = blocks_that_fit(args, device)
    if fit is None or "blocks per SM" not in args:
        return None
    threads = args["block"][0] * args["block"][1] * args["block"][2]
    return float(100 * min(fit, args["blocks per SM"]) * threads / device["maxThreadsPerMultiprocessor"])


def credible(args: dict[str, Any], device: dict[str, Any]) -> float | None:
    """The recorded estimate, or one made again where the profiler could make none."""
    recorded = args.get("est. achieved occupancy %")
    if recorded is None:
        return None
    if recorded < 0 or (recorded == 0 and args.get("shared memory", 0) > 48 * 1024):
        return estimate(args, device)
    return float(recorded)
