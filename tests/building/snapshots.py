"""Memory snapshots made in tests: an allocator of few lines that writes what PyTorch's writes."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import stepscope

START_US = 1_700_000_000_000_000
_ROUND = 512
MIB = 1 << 20


def frames(*places: str) -> list[dict[str, Any]]:
    """Frames, innermost first, from texts like ``train.py:12 forward``."""
    found = []
    for place in places:
        where, _, name = place.partition(" ")
        file, _, line = where.rpartition(":")
        found.append({"filename": file, "line": int(line), "name": name})
    return found


class MadeSnapshot:
    """Segments with blocks one behind the other, and the history of what happened to them.

    Attributes:
        history: entries of device 0.
        now_us: time of the next entry; each takes a microsecond.
    """

    def __init__(self, timed: bool = True) -> None:
        self.history: list[dict[str, Any]] = []
        self.now_us = START_US
        self.segments: dict[int, dict[str, Any]] = {}
        self.blocks: dict[int, dict[str, Any]] = {}
        self.annotations: list[dict[str, Any]] = []
        self.settings: dict[str, Any] = {"expandable_segments": False}
        self._timed = timed

    def segment(self, size: int, pool: tuple[int, int] = (0, 0), stream: int = 0, expandable: bool = False) -> int:
        """Reserve a segment; returns its address."""
        address = 0x7F00_0000_0000 + (len(self.segments) << 36)
        kind = "small" if size <= 2 << 20 else "large"
        self.segments[address] = {
            "device": 0,
            "address": address,
            "total_size": size,
            "stream": stream,
            "segment_type": kind,
            "segment_pool_id": pool,
            "is_expandable": expandable,
            "frames": [],
            "next": address,
        }
        self._entry("segment_map" if expandable else "segment_alloc", address, size, ("segment.py:1 grow",), stream)
        return address

    def alloc(self, segment: int, size: int, *stack: str) -> int:
        """Allocate behind the last block of a segment; returns the address."""
        owner = self.segments[segment]
        address, rounded = owner["next"], -(-size // _ROUND) * _ROUND
        assert address + rounded <= segment + owner["total_size"]
        owner["next"] = address + rounded
        self.alloc_at(segment, address, size, *stack)
        return int(address)

    def alloc_at(self, segment: int, address: int, size: int, *stack: str) -> None:
        """Allocate where there is room already."""
        self.blocks[address] = {
            "segment": segment,
            "address": address,
            "size": -(-size // _ROUND) * _ROUND,
            "requested_size": size,
            "state": "active_allocated",
            "frames": frames(*stack),
        }
        self._entry("alloc", address, size, stack, self.segments[segment]["stream"])

    def free(self, address: int, completed: bool = True) -> None:
        """Release a block, perhaps while a stream still uses it."""
        block = self.blocks[address]
        stream = self.segments[block["segment"]]["stream"]
        self._entry("free_requested", address, block["requested_size"], (), stream)
        block["state"] = "active_pending_free"
        if completed:
            self._entry("free_completed", address, block["requested_size"], (), stream)
            block["state"] = "inactive"

    def oom(self, size: int, device_free: int, *stack: str) -> None:
        self._entry("oom", None, size, stack, 0)
        self.history[-1]["device_free"] = device_free
        del self.history[-1]["addr"]

    def range(self, name: str, *, end: bool = False) -> None:
        """A range begins, or ends."""
        stage = "END" if end else "START"
        self.annotations.append({"name": name, "stage": stage, "device": 0, "time_us": self.now_us})
        self.now_us += 1

    def _entry(self, action: str, address: int | None, size: int, stack: tuple[str, ...], stream: int) -> None:
        entry = {"action": action, "addr": address, "size": size, "stream": stream, "frames": frames(*stack)}
        if self._timed:
            entry["time_us"] = self.now_us
        self.now_us += 1
        self.history.append(entry)

    def document(self) -> dict[str, Any]:
        """What ``_snapshot()`` gives."""
        segments = []
        for address, segment in self.segments.items():
            segments.append({key: value for key, value in segment.items() if key != "next"} | self._sums(address))
        return {
            "segments": segments,
            "device_traces": [self.history],
            "allocator_settings": self.settings,
            "external_annotations": self.annotations,
        }

    def _sums(self, address: int) -> dict[str, Any]:
        blocks = sorted((one for one in self.blocks.values() if one["segment"] == address), key=lambda b: b["address"])
        segment = self.segments[address]
        rest = address + segment["total_size"] - segment["next"]
        listed = [{key: value for key, value in one.items() if key != "segment"} for one in blocks]
        if rest:
            listed.append(
                {"address": segment["next"], "size": rest, "requested_size": 0, "state": "inactive", "frames": []}
            )
        active = [one for one in blocks if one["state"] != "inactive"]
        return {
            "blocks": listed,
            "allocated_size": sum(one["size"] for one in blocks if one["state"] == "active_allocated"),
            "active_size": sum(one["size"] for one in active),
            "requested_size": sum(one["requested_size"] for one in active),
        }

    def write(self, path: Path, protocol: int = 4) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(self.document(), protocol))
        return path

    def opened(self, folder: Path, name: str = "snapshot.pickle") -> stepscope.OpenProfile:
        """The snapshot, opened."""
        return stepscope.open(self.write(folder / name))


def small_training(steps: int = 3) -> MadeSnapshot:
    """Weights, then steps that allocate and release an activation, and an optimizer's state in the first."""
    made = MadeSnapshot()
    large = made.segment(64 << 20)
    made.alloc(large, 4_000_000, "torch/nn/modules/linear.py:9 __init__", "train.py:3 build")
    scratch = made.alloc(large, 8_000_001, "train.py:9 forward")
    made.free(scratch)
    for step in range(steps):
        made.alloc_at(large, scratch, 8_000_001, "torch/nn/modules/linear.py:20 forward", "train.py:9 forward")
        made.range("Optimizer.step#SGD.step")
        if step == 0:
            made.alloc(large, 4_000_000, "torch/optim/sgd.py:50 step", "train.py:12 main")
        made.free(scratch)
        made.range("Optimizer.step#SGD.step", end=True)
    return made


def troubled() -> MadeSnapshot:
    """A training that grows by 2 MiB a step until memory runs out."""
    made = MadeSnapshot()
    large = made.segment(200 * MIB)
    made.alloc(large, 10 * MIB, "torch/nn/modules/linear.py:9 __init__", "train.py:3 build")
    for _ in range(6):
        made.alloc(large, 2 * MIB, "train.py:7 log")
        made.range("Optimizer.step#AdamW.step")
        made.range("Optimizer.step#AdamW.step", end=True)
    made.oom(400 * MIB, 64 << 30, "train.py:8 evaluate")
    return made


def random_history(seed: int, entries: int, timed: bool = True, lines: int = 40, whole: bool = False) -> MadeSnapshot:
    """Allocations and releases in any order, with pauses of any length, cut at the beginning unless whole."""
    dice = random.Random(seed)
    made = MadeSnapshot(timed)
    large = made.segment(4000 * MIB)
    room = [made.segments[large]["next"] + place * 4 * MIB for place in range(900)]
    made.segments[large]["next"] += 3600 * MIB
    alive: list[int] = []
    while len(made.history) < entries:
        if alive and dice.random() < 0.45:
            address = alive.pop(dice.randrange(len(alive)))
            made.free(address, completed=dice.random() < 0.9)
            if made.blocks[address]["state"] == "inactive":
                room.append(address)
        else:
            alive.append(room.pop())
            part = dice.choice(["torch/optim/adamw.py:5 _init_group", "torch/nn/modules/linear.py:1 forward"])
            made.alloc_at(large, alive[-1], dice.randrange(1, 4 * MIB), part, f"train.py:{dice.randrange(lines)} main")
        made.now_us += dice.choice([0, 0, 0, 1, 10_000])
    del made.history[: 0 if whole else dice.randrange(entries // 2)]
    return made
