"""What a trace says of the GPUs that it recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

UNNUMBERED = -1
"""The GPU of a trace whose activities do not say on which one they ran."""


def device_properties(rank: Rank, number: int) -> Mapping[str, Any]:
    """Recorded properties of a GPU, empty where the trace does not say.

    Where several processes share a machine, activities may count all of its GPUs but the properties only those that
    the process sees: if none that worked is listed, and all that are listed are of one model, it is one of these.
    """
    listed: list[dict[str, Any]] = rank.trace.head.get("deviceProperties") or []
    own = next((device for device in listed if device.get("id") == number), None)
    if own is not None:
        return own
    if any(device.get("id") in _all_used(rank) for device in listed):
        return {}
    return listed[0] if len({device.get("name") for device in listed}) == 1 else {}


def used_devices(rank: Rank) -> list[int]:
    """Numbers of the GPUs that worked in the selected steps."""
    used: list[int] = rank.activity["device"].drop_nulls().unique().sort().to_list()
    return used


@per_rank(whole=True)
def _all_used(rank: Rank) -> frozenset[int]:
    return frozenset(used_devices(rank))
