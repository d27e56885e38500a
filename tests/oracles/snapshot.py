"""What memory snapshots say, once more, entry by entry from Python's own objects."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]
_CHANGES = {"alloc": 1, "free_requested": -1}
_RESERVES = {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}


def levels(document: Document) -> list[tuple[int, int, int]]:
    """Allocated, active and reserved bytes of device 0 behind each entry, counted from the end; first those before."""
    blocks = [block for segment in document["segments"] for block in segment["blocks"]]
    allocated = sum(one["requested_size"] for one in blocks if one["state"] == "active_allocated")
    active = sum(one["requested_size"] for one in blocks if one["state"] != "inactive")
    found = [(allocated, active, sum(segment["total_size"] for segment in document["segments"]))]
    for one in reversed(document["device_traces"][0]):
        allocated, active, reserved = found[-1]
        size, action = one["size"], one["action"]
        active_change = {"alloc": size, "free_completed": -size}.get(action, 0)
        before = allocated - size * _CHANGES.get(action, 0), active - active_change
        found.append((*before, reserved - size * _RESERVES.get(action, 0)))
    return found[::-1]


def alive_at_peak(document: Document) -> dict[int, int]:
    """Bytes by address at the first entry with the most allocated, of what the history allocated."""
    allocated = [level[0] for level in levels(document)]
    peak = allocated.index(max(allocated))
    alive: dict[int, int] = {}
    for one in document["device_traces"][0][:peak]:
        if one["action"] == "alloc":
            alive[one["addr"]] = one["size"]
        elif one["action"] == "free_requested":
            alive.pop(one["addr"], None)
    return alive


def fragmentation(document: Document) -> dict[str, int]:
    """Sums over all segments."""
    sums = dict.fromkeys(("reserved", "allocated", "pending", "whole_free", "hole", "rounding", "largest_free"), 0)
    for segment in document["segments"]:
        busy = [one for one in segment["blocks"] if one["state"] != "inactive"]
        free = [one["size"] for one in segment["blocks"] if one["state"] == "inactive"]
        own = sum(one["size"] for one in busy if one["state"] == "active_allocated")
        sums["reserved"] += segment["total_size"]
        sums["allocated"] += own
        sums["pending"] += sum(one["size"] for one in busy) - own
        sums["hole" if busy else "whole_free"] += sum(free)
        sums["rounding"] += sum(one["size"] - one["requested_size"] for one in busy)
        sums["largest_free"] = max([sums["largest_free"], *free])
    return sums
