"""Memory snapshots of any length, made up: ``python snapshots.py FILE MEGABYTES``.

As PyTorch writes them: every entry is a dict with a list of frames of its own, and frames are shared.
"""

from __future__ import annotations

import pickle
import random
import sys
from typing import Any

_STACKS, _FRAMES, _LIVE = 300, 24, 400
_BYTES_PER_ENTRY = 197
_SEGMENT = 512 << 20


def _stacks(dice: random.Random) -> list[list[dict[str, Any]]]:
    shared = [
        {"filename": f"torch/nn/modules/module_{at % 97}.py", "line": at, "name": f"function_{at % 211}"}
        for at in range(1500)
    ]
    lines = [{"filename": "train.py", "line": at, "name": "forward"} for at in range(_STACKS)]
    return [[*dice.sample(shared, _FRAMES), line] for line in lines]


def _entry(action: str, address: int, size: int, now: int, frames: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "action": action,
        "addr": address,
        "size": size,
        "stream": 0,
        "time_us": now,
        "compile_context": "N/A",
        "user_metadata": "",
        "frames": frames,
    }


def document(megabytes: int) -> dict[str, Any]:
    """Allocations and releases of blocks of 1 MiB at a few hundred addresses, in steps."""
    dice = random.Random(1)
    stacks = _stacks(dice)
    base, now = 0x7F0000000000, 1_700_000_000_000_000
    history = [_entry("segment_alloc", base, _SEGMENT, now, list(stacks[0]))]
    live: list[int] = []
    free = [base + at * (1 << 20) for at in range(_LIVE)]
    while len(history) * _BYTES_PER_ENTRY < megabytes * 1_000_000:
        now += dice.randrange(1, 9)
        if free and (not live or dice.random() < 0.5):
            live.append(free.pop(dice.randrange(len(free))))
            history.append(_entry("alloc", live[-1], 1 << 20, now, list(dice.choice(stacks))))
        else:
            address = live.pop(dice.randrange(len(live)))
            free.append(address)
            stack = dice.choice(stacks)
            both = ("free_requested", "free_completed")
            history.extend(_entry(what, address, 1 << 20, now, list(stack)) for what in both)
    blocks = [
        {
            "address": base + at * (1 << 20),
            "size": 1 << 20,
            "requested_size": 1 << 20,
            "state": "active_allocated" if base + at * (1 << 20) in live else "inactive",
            "frames": stacks[at % _STACKS],
        }
        for at in range(_SEGMENT >> 20)
    ]
    segment = {"device": 0, "address": base, "total_size": _SEGMENT, "stream": 0, "segment_type": "large"}
    segment |= {"segment_pool_id": (0, 0), "is_expandable": False, "frames": [], "blocks": blocks}
    return {"segments": [segment], "device_traces": [history], "allocator_settings": {}, "external_annotations": []}


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        pickle.dump(document(int(sys.argv[2])), file)
