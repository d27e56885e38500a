"""How fast memcpys between pinned host memory and a GPU are."""

from __future__ import annotations

import re

import polars as pl

from stepscope.analyses.roofline.peaks import main_device
from stepscope.schema import MEMCPY
from stepscope.store.profile import Rank

_LARGE_BYTES = 1 << 20
"""Of smaller ones the start of the transfer is a part."""

_CHIP_TO_CHIP = r"(?i)\bG[HB][23]00\b"
_CHIP_TO_CHIP_RATE = 300e9
"""Of CPU and GPU on one module (NVLink-C2C)."""

_PCIE_3, _PCIE_4, _PCIE_5 = 12e9, 25e9, 55e9
"""Bytes a second with 16 lanes; measured with pinned memory on V100, A100 and H200."""

_AMD_PCIE_5 = (9, 4)
"""Compute capability that AMD's first devices with PCIe 5 are recorded with (MI300X)."""


def pinned_rate(rank: Rank) -> float:
    """Bytes a second of large memcpys from and to pinned memory: as recorded, else as usual for the device."""
    return _recorded_rate(rank) or _usual_rate(main_device(rank))


def _recorded_rate(rank: Rank) -> float | None:
    """Median rate of the recording's own copies; None without any."""
    copies = rank.trace.frame("activity", ["activity", "name", "bytes", "duration_ns"])
    copies = copies.filter((pl.col("activity") == MEMCPY) & (pl.col("bytes") >= _LARGE_BYTES))
    named = rank.trace.codes(lambda text: text.str.contains("(?i)pinned") & text.str.contains("HtoD|DtoH"))
    copies = copies.filter(pl.col("name").is_in(named.implode()) & (pl.col("duration_ns") > 0))
    rate = (1e9 * copies["bytes"] / copies["duration_ns"]).median()
    return rate if isinstance(rate, float) else None


def _usual_rate(device: dict[str, object]) -> float:
    """By what the trace says of the device: its link is of the PCIe generation that came with it."""
    if re.search(_CHIP_TO_CHIP, str(device.get("name") or "")):
        return _CHIP_TO_CHIP_RATE
    major, minor = device.get("computeMajor"), device.get("computeMinor")
    if not isinstance(major, int) or not isinstance(minor, int):
        return _PCIE_4
    if device.get("warpSize") == 64:
        return _PCIE_5 if (major, minor) >= _AMD_PCIE_5 else _PCIE_4
    if major < 8:
        return _PCIE_3
    return _PCIE_5 if major >= 9 else _PCIE_4
