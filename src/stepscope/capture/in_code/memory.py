"""The history of the CUDA allocator around a part of the program, and why it ran out of memory."""

from __future__ import annotations

import json
import os
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any

from stepscope.capture.agent.identity import process_name
from stepscope.capture.in_code.said import say, sentence, size
from stepscope.capture.plan import MEMORY_ENTRIES

SUFFIX = ".memory.pickle"
LIMIT, FRAGMENTED, OTHERS, FULL = "limit", "fragmented", "others", "full"
"""Why an allocation failed."""

_PROTOCOL = 4
"""Newer ones, which Python 3.14 writes by itself, PyTorch's own viewer cannot read."""
_LEAST_SMALL_SHARE = 0.5
"""Memory is taken by others where the allocator has less than this share of it."""


_active = [0]
"""How many blocks record the history now."""


@contextmanager
def memory_history(
    out: str | os.PathLike[str], *, entries: int = MEMORY_ENTRIES, snapshot_at_end: bool = True
) -> Iterator[None]:
    """Record the history of CUDA memory: what is in a snapshot at the end, and at once where memory runs out.

    Where it does, a snapshot is written before the program sees the error, beside it a JSON file with the reason, and
    the reason is said in a line. Does nothing without CUDA.

    Args:
        out: folder of the snapshots.
        entries: of the history, the latest ones.
        snapshot_at_end: whether to write one when the block ends.
    """
    import torch  # type: ignore[import-not-found, unused-ignore]

    if not torch.cuda.is_available():
        yield
        return
    folder = os.path.abspath(os.fspath(out))
    os.makedirs(folder, exist_ok=True)
    end = _begin(torch, folder, entries)
    _active[0] += 1
    try:
        yield
    finally:
        _active[0] -= 1
        if snapshot_at_end:
            with suppress(OSError):
                _write(folder, torch.cuda.memory._snapshot(), "")
        end()


def _begin(torch: Any, folder: str, entries: int) -> Callable[[], None]:
    """Begin to record, and to watch for memory that runs out; returns what ends both."""
    torch.cuda.init()
    # Python stacks only: symbols of C++ frames took minutes when a snapshot was written.
    torch.cuda.memory._record_memory_history(max_entries=entries, stacks="python")
    is_on = [True]

    def out_of_memory(device: int, asked: int, allowed: int, free: int) -> None:
        if is_on[0]:
            with suppress(Exception):  # the program gets its own error, whatever becomes of the snapshot
                report_out_of_memory(torch, folder, device, asked, allowed, free)

    def end() -> None:
        is_on[0] = False
        torch.cuda.memory._record_memory_history(enabled=None)

    # An observer cannot be taken away again.
    torch._C._cuda_attach_out_of_memory_observer(out_of_memory)
    return end


def step_range(step: int) -> AbstractContextManager[Any]:
    """A step, as the history of memory notes it; nothing where none is recorded."""
    if not _active[0]:
        return nullcontext()
    import torch

    found: AbstractContextManager[Any] = torch.autograd.profiler.record_function(f"ProfilerStep#{step}")
    return found


def report_out_of_memory(torch: Any, folder: str, device: int, asked: int, allowed: int, free: int) -> dict[str, Any]:
    """Write a snapshot and the reason, and say it.

    Args:
        asked: bytes that were asked for.
        allowed: bytes that the process may take of the device: all of it, or what a limit leaves.
        free: bytes of the device.

    Returns:
        What the JSON file holds.
    """
    snapshot = torch.cuda.memory._snapshot()
    total = int(torch.cuda.mem_get_info(device)[1])
    limit = allowed if allowed < total else None
    facts = reason(snapshot.get("segments", []), device, asked, total, free, limit)
    path = _write(folder, snapshot, ".oom")
    text = json.dumps({**facts, "snapshot": os.path.basename(path)}, indent=1)
    _whole(path[: -len(SUFFIX)] + ".json", text.encode())
    bytes_ = {key: size(value) for key, value in facts.items() if key.endswith("_bytes") and value is not None}
    why = sentence(
        f"oom-{facts['reason']}",
        limit=bytes_.get("limit_bytes"),
        free=bytes_["free_bytes"],
        holes=bytes_["hole_bytes"],
        largest=bytes_["largest_free_bytes"],
        others=bytes_["other_bytes"],
        reserved=bytes_["reserved_bytes"],
        allocated=bytes_["allocated_bytes"],
        total=bytes_["total_bytes"],
    )
    say(sentence("oom", device=device, requested=bytes_["requested_bytes"], reason=why, path=path))
    return facts


def reason(
    segments: list[dict[str, Any]], device: int, asked: int, total: int, free: int, limit: int | None
) -> dict[str, Any]:
    """Why an allocation failed, with the figures that say so, in bytes.

    Args:
        segments: of a snapshot.
        limit: bytes that the process may take; None where there is none.
    """
    mine = [one for one in segments if one.get("device", 0) == device]
    holes = [block["size"] for one in mine for block in one["blocks"] if block["state"] == "inactive"]
    reserved = sum(one["total_size"] for one in mine)
    found: dict[str, Any] = {
        "device": device,
        "requested_bytes": asked,
        "free_bytes": free,
        "total_bytes": total,
        "limit_bytes": limit,
        "reserved_bytes": reserved,
        "allocated_bytes": sum(one["allocated_size"] for one in mine),
        "hole_bytes": sum(holes),
        "largest_free_bytes": max(holes, default=0),
        "other_bytes": max(0, total - free - reserved),
    }
    if sum(holes) >= asked > max(holes, default=0):
        why = FRAGMENTED
    elif limit is not None and reserved + asked > limit and free >= asked:
        why = LIMIT
    elif reserved < _LEAST_SMALL_SHARE * (total - free) and found["other_bytes"] >= asked:
        why = OTHERS
    else:
        why = FULL
    return {"reason": why, **found}


def _write(folder: str, snapshot: Any, mark: str) -> str:
    path = os.path.join(folder, f"{process_name()}.{time.time_ns()}{mark}{SUFFIX}")
    _whole(path, pickle.dumps(snapshot, protocol=_PROTOCOL))
    return path


def _whole(path: str, content: bytes) -> None:
    with open(f"{path}.tmp", "wb") as file:
        file.write(content)
    os.replace(f"{path}.tmp", path)
