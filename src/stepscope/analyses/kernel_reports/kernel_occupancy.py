"""What limits how many warps of each profiled kernel an SM holds (see docs/tables/)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.analyses.kernel_reports.emptiness import why_empty
from stepscope.analyses.kernel_reports.figures import ACHIEVED, THEORETICAL
from stepscope.analyses.kernel_reports.reports import Values, rows_of
from stepscope.messages import Message
from stepscope.store.profile import Profile

LIMITS = ("registers", "shared_mem", "warps", "blocks", "barriers")
"""What a launch uses of an SM, as Nsight Compute names it."""

_LIMIT = "launch__occupancy_limit_{}"
_BLOCK = "launch__block_size"
MOST = "device__attribute_max_warps_per_multiprocessor"
"""Warps that an SM holds."""

_WARP = 32
_FULL_PCT = 99.95
"""Printed as 100 %."""

METRICS = (*(_LIMIT.format(name) for name in LIMITS), _BLOCK, MOST, THEORETICAL, ACHIEVED)


def kernel_occupancy(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_occupancy``, by kernel, what allows fewest blocks first."""
    return rows_of(profile, "kernel_occupancy", METRICS, limits)


notes = why_empty("kernel_occupancy")


def limits(values: Values) -> Iterator[dict[str, Any]]:
    """What each limit allows: blocks and warps of an SM, and their share of the warps that it holds."""
    found = sorted((values[_LIMIT.format(name)], at, name) for at, name in enumerate(LIMITS) if _is_known(name, values))
    block, most = values.get(_BLOCK), values.get(MOST)
    for blocks, _, name in found:
        warps = None if block is None else blocks * math.ceil(block / _WARP)
        held = warps if warps is None or most is None else min(warps, most)
        yield {
            "limit": name,
            "blocks": round(blocks),
            "warps": None if held is None else round(held),
            "occupancy_pct": None if held is None or not most else 100 * held / most,
            "limiting": blocks == found[0][0],
        }


def occupancy_sentence(values: Values) -> Message | None:
    """What limits a kernel's occupancy, and how much of it it reaches; None where it was not collected."""
    theoretical = values.get(THEORETICAL)
    if theoretical is None:
        return None
    found = [one for one in limits(values) if one["limiting"]]
    return Message(
        "kernel-occupancy-full" if theoretical >= _FULL_PCT else "kernel-occupancy-limited",
        limits=[Message(f"kernel-limited-by-{one['limit'].replace('_', '-')}") for one in found],
        blocks=found[0]["blocks"] if found else None,
        theoretical_pct=theoretical,
        achieved_pct=values.get(ACHIEVED),
    )


def _is_known(name: str, values: Values) -> bool:
    return _LIMIT.format(name) in values
