"""What a device can do at most: operations a second by type, and bytes a second from memory.

The figures in ``device_peaks.json`` are those of the makers, dense (without structured sparsity), with their source. A
device that is not among them gets what its recorded clock gives, else nothing; a user's own figures replace any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

import polars as pl

from stepscope.analyses.roofline.models import MATRIX_KINDS
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.devices import device_properties
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

_RATES = ("fp64", "fp64_matrix", "fp32", "fp32_matrix", "tf32", "fp16", "bf16", "fp8", "fp4", "int8")
FIGURES = (*_RATES, "memory", "cache")
"""Names of the figures: operations a second, for ``memory`` bytes a second, for ``cache`` bytes of the last level."""

_VARIANTS = {"TI", "SUPER", "LAPTOP", "MOBILE", "D", "MAX", "Q", "ADA", "PRO", "NVL", "PCIE"}
"""Words of a name that make another device of it: an entry without them is not meant."""

_CORES = {(6, 0): 64, (6, 1): 128, (7, 0): 64, (7, 5): 64, (8, 0): 64}
"""fp32 units of a multiprocessor by compute capability (CUDA C++ Programming Guide); 128 since 8.6."""


_ADJUSTED: dict[str, Callable[[str], Message | str]] = {
    "": lambda source: source,
    "halved": lambda source: Message("note-peaks-halved", source=source),
    "halved and divided": lambda source: Message("note-peaks-divided", source=source),
}
"""What was done to figures of a maker, by the entry's ``adjusted``."""


@dataclass(frozen=True)
class Peaks:
    """Peak figures of a device.

    Attributes:
        figures: by the names in `FIGURES`.
        device: what was found, "" for nothing.
        source: where the figures are from, or why there are none.
    """

    figures: Mapping[str, float] = field(default_factory=dict)
    device: str = ""
    source: str | Message = ""


def rank_peaks(profile: Profile, rank: Rank) -> Peaks:
    """Figures of the device that did most of a rank's work; the user's own, `Profile.peaks`, come first."""
    found = _recorded_peaks(rank)
    given = checked_peaks(profile.peaks)
    if not given:
        return found
    source = Message("note-peaks-given", given=list(given), rest=found.source if found.figures else None)
    return replace(found, figures={**found.figures, **given}, source=source)


@per_rank
def _recorded_peaks(rank: Rank) -> Peaks:
    return device_peaks(main_device(rank))


def main_device(rank: Rank) -> dict[str, Any]:
    """Recorded properties of the device with most activity."""
    work = rank.activity.filter(pl.col("device").is_not_null()).group_by("device").agg(pl.col("duration_ns").sum())
    used = work.sort("duration_ns", "device", descending=[True, False])["device"].to_list()
    known = (device_properties(rank, number) for number in used)
    recorded = rank.trace.head.get("deviceProperties") or [{}]
    return dict(next((device for device in known if device), recorded[0]))


def device_peaks(properties: Mapping[str, Any]) -> Peaks:
    """Figures by what a trace records of a device: ``name``, ``totalGlobalMem``, ``numSms``, ``clockRate``, ...

    >>> device_peaks({"name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85_000_000_000}).figures["memory"]
    2039000000000.0
    """
    name = str(properties.get("name") or "")
    entry = _by_name(name, properties) or _by_make(properties)
    if entry is not None:
        return _scaled(entry, name, properties)
    computed = _by_clock(properties)
    if computed:
        return Peaks(computed, name, Message("note-peaks-computed"))
    if not properties:
        return Peaks(source=Message("note-peaks-no-device"))
    return Peaks(source=Message("note-peaks-unknown", device=name) if name else Message("note-peaks-unnamed"))


def known_devices() -> list[str]:
    """Names by which `device_peaks` finds the figures of a device."""
    names = dict.fromkeys(str(entry["name"]) for entry in _entries())  # one may come with more memory or less
    return [name for name in names if device_peaks({"name": name}).device == name]


@cache
def _entries() -> list[dict[str, Any]]:
    text = files("stepscope.analyses.roofline").joinpath("device_peaks.json").read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = json.loads(text)["devices"]
    return entries


def _by_name(name: str, properties: Mapping[str, Any]) -> dict[str, Any] | None:
    words = set(re.findall(r"[A-Z0-9]+", name.upper()))
    meant = [
        entry
        for entry in _entries()
        if words.issuperset(entry["words"]) and not (words & _VARIANTS) - set(entry["words"]) - _tolerated(entry)
    ]
    if not meant:
        return None
    most = max(len(entry["words"]) for entry in meant)
    return _nearest([entry for entry in meant if len(entry["words"]) == most], properties)


def _tolerated(entry: dict[str, Any]) -> set[str]:
    """Variants of which there are no figures of their own: PCIe boards of a chip that only comes as such."""
    siblings = [other for other in _entries() if set(other["words"]) > set(entry["words"])]
    return {"PCIE", "NVL"} - {word for other in siblings for word in other["words"]}


def _nearest(entries: list[dict[str, Any]], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Of several the one that has as many multiprocessors and as much memory."""
    memory, sms = _number(properties.get("totalGlobalMem")) / 1e9, _number(properties.get("numSms"))

    def distance(entry: dict[str, Any]) -> tuple[float, float]:
        units = abs(entry["sms"] - sms) if sms else 0.0
        return units, abs(entry.get("memory_gb", memory) - memory) if memory else 0.0

    return min(entries, key=distance)


def _by_make(properties: Mapping[str, Any]) -> dict[str, Any] | None:
    """AMD devices are often recorded without a name; their units and memory tell."""
    make = [properties.get(key) for key in ("computeMajor", "computeMinor", "numSms")]
    known = [entry for entry in _entries() if entry.get("made_as") == make]
    return _nearest(known, properties) if known and properties.get("warpSize") == 64 else None


def _scaled(entry: dict[str, Any], name: str, properties: Mapping[str, Any]) -> Peaks:
    """An entry's figures in operations and bytes a second, of a slice of a device (MIG) its share."""
    compute = memory = 1.0
    if "MIG" in re.findall(r"[A-Z0-9]+", name.upper()):
        compute = min(1.0, _number(properties.get("numSms")) / entry["sms"])
        memory = min(1.0, _number(properties.get("totalGlobalMem")) / 1e9 / entry.get("memory_gb", float("inf")))
    figures = {key: float(round(value * 1e12 * compute)) for key, value in entry["peaks"].items() if key != "memory"}
    figures["cache"] = float(entry["cache_mb"] * (1 << 20))
    if memory > 0:
        figures["memory"] = float(round(entry["peaks"]["memory"] * 1e9 * memory))
    source = _ADJUSTED[entry.get("adjusted", "")](entry["source"])
    if not set(entry["words"]) <= set(re.findall(r"[A-Z0-9]+", name.upper())):
        source = Message("note-peaks-by-make", source=source)
    return Peaks(figures, entry["name"], source)


def _by_clock(properties: Mapping[str, Any]) -> dict[str, float]:
    """fp32 and memory peaks of an NVIDIA device whose clocks (kHz, as CUDA gives them) are recorded."""
    capability = (properties.get("computeMajor"), properties.get("computeMinor"))
    clock, units = _number(properties.get("clockRate")) * 1e3, _number(properties.get("numSms"))
    figures = {}
    if clock > 0 and units > 0 and properties.get("warpSize", 32) == 32 and None not in capability:
        figures["fp32"] = units * _CORES.get(capability, 128) * 2 * clock  # type: ignore[arg-type]
    lanes = _number(properties.get("memoryClockRate")) * 1e3 * _number(properties.get("memoryBusWidth"))
    if figures and lanes > 0:
        figures["memory"] = 2 * lanes / 8
    return figures


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else 0.0


def roof_name(dtype: str, kind: str, matrix_units: bool, figures: Mapping[str, float]) -> str:
    """Which figure limits a call: that of its type on matrix units for products of matrices, else of plain arithmetic.

    fp32 and fp64 products have that of the units that their kernels used. Arithmetic of any narrower type runs at
    the rate of fp32.

    >>> roof_name("bf16", "gemm", True, {}), roof_name("fp32", "gemm", True, {}), roof_name("bf16", "norm", False, {})
    ('bf16', 'tf32', 'fp32')
    """
    if not dtype:
        return ""
    wide = dtype in ("fp64", "complex128")
    if kind not in MATRIX_KINDS:
        return "fp64" if wide else "fp32"
    if dtype in ("fp16", "bf16", "fp8", "fp4"):
        return dtype
    if dtype in ("int8", "uint8"):
        return "int8"
    if wide:
        return "fp64_matrix" if matrix_units and "fp64_matrix" in figures else "fp64"
    if not matrix_units:
        return "fp32"
    return "fp32_matrix" if "fp32_matrix" in figures else "tf32"


def checked_peaks(given: Mapping[str, Any]) -> dict[str, float]:
    """A user's figures, as they are or as a description of a device for TraceLens.

    Raises:
        BadRequest: a name or value is none.
    """
    figures = _of_tracelens(given) if "max_achievable_tflops" in given else dict(given)
    for name, value in figures.items():
        if name not in FIGURES:
            advice = Message("error-figures", figures=list(FIGURES))
            raise BadRequest(Message("error-cannot-use-peak", name=name), Message("error-no-such-figure"), advice)
        if not 0 < _number(value) < 1e30:
            found, advice = Message("error-peak-not-positive"), Message("error-peak-example")
            raise BadRequest(Message("error-cannot-use-peak", name=name), found, advice)
    return {name: float(value) for name, value in figures.items()}


def _of_tracelens(given: Mapping[str, Any]) -> dict[str, Any]:
    """``{"mem_bw_gbps": ..., "max_achievable_tflops": {"matrix_bf16": ..., "vector_fp32": ...}}``."""
    rates = given["max_achievable_tflops"]
    figures = {"memory": _number(given.get("mem_bw_gbps")) * 1e9}
    for name, value in rates.items() if isinstance(rates, dict) else ():
        unit, _, dtype = str(name).partition("_")
        if unit == "matrix":
            figures[f"{dtype}_matrix" if dtype in ("fp32", "fp64") else dtype] = _number(value) * 1e12
        elif dtype in ("fp32", "fp64"):
            figures[dtype] = _number(value) * 1e12
    return figures
