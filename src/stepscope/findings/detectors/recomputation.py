"""Activation checkpointing where the memory that it saves is free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.memory.allocations import MemoryDevice, memory_changes, memory_devices
from stepscope.analyses.memory.memory_timeline import device_timeline
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed, stretched
from stepscope.analyses.simulation.lead_ups import lead_ups
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause, inside, outermost
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.store.autograd import backward_pass

_FULL = 0.9
"""Of the device's memory: the rest is for what the allocator cannot use."""

CHECKPOINTING = r"torch[/\\]utils[/\\]checkpoint\.py\(\d+\): "
_HOOKS = (
    CHECKPOINTING
    + r"(?:pack_hook|unpack_hook|inner_pack|inner_unpack|check_recomputed_tensors_match|_get_autocast_kwargs"
    r"|recompute_fn|_checkpoint_without_reentrant_generator)$"
)
_RANDOM_STATE = r"torch[/\\](?:random|cuda[/\\]random)\.py\(\d+\): (?:[gs]et_rng_state\w*|fork_rng)$"
"""What checkpointing itself does: it keeps what to run again for each saved tensor, and the state of random numbers."""

_LEAST_PART = 0.1
"""Of what would have to be kept; where less of it fits, checkpointing is needed."""


@dataclass(frozen=True)
class _Room:
    """Memory of the GPU.

    Attributes:
        kept_bytes: what stays of a step's recomputed work until its backward pass needs it.
        free_bytes: of the device at the step's peak.
        size_bytes: of the device.
    """

    kept_bytes: int
    free_bytes: int
    size_bytes: int

    @property
    def fits(self) -> float:
        """Share of what would have to be kept that fits."""
        spare = self.free_bytes - (1 - _FULL) * self.size_bytes
        return float(np.clip(spare / max(1, self.kept_bytes), 0.0, 1.0))


def detect(case: Case) -> list[Cause]:
    """A cause where operators of the forward pass run again in the backward pass."""
    ranges = _recomputed(case)
    if len(ranges.start) == 0:
        return []
    room = _room(case, ranges)
    if room is not None and room.fits < _LEAST_PART:
        return []
    number = np.arange(len(ranges.start))
    part = 1.0 if room is None else room.fits
    chosen = ranges.chosen(np.floor((number + 1) * part + 1e-9) > np.floor(number * part + 1e-9))
    which = launched_inside(case.rank, case.model, chosen) & ~_communication(case)
    around = _hooks(case).and_those(lead_ups(case.rank, case.model, which)) if part == 1 else NOWHERE
    leading = chosen.and_those(around)
    spent = max(case.gpu_ns(which), case.host_ns(chosen))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = stretched(slowed(edit, shares(case.model, leading), 0.0), which, 0)
        return case.freed(edit, leading)

    return [
        Cause(
            id="recomputation",
            category="memory",
            title=_title(room, round(spent)),
            fix=fix,
            claims=chosen,
            spent_ns=spent,
            advice=_advice(room),
            change="x = block(x)  # was: x = checkpoint(block, x, use_reentrant=False)",
            links=("https://docs.pytorch.org/docs/stable/checkpoint.html",),
            unknown=Message("finding-recomputation-unknown") if room is None else None,
            where=case.where(chosen),
            general=room is None,
            count=case.a_step(len(chosen.start)),
        )
    ]


def _title(room: _Room | None, spent_ns: int) -> Message:
    if room is None:
        return Message("finding-recomputation-title", spent_ns=spent_ns)
    free, size = room.free_bytes, room.size_bytes
    return Message("finding-recomputation-title-free", spent_ns=spent_ns, free_bytes=free, size_bytes=size)


def _advice(room: _Room | None) -> Message:
    if room is None:
        return Message("finding-recomputation-advice")
    kept = room.kept_bytes
    if room.fits < 1:
        return Message("finding-recomputation-advice-some", kept_bytes=kept, fits_pct=100 * room.fits)
    return Message("finding-recomputation-advice-all", kept_bytes=kept)


def _recomputed(case: Case) -> Ranges:
    """For each backward function, the time from its beginning to where what it ran again has ended.

    Python that looks up what to run again lies in front of the first operator, and what compares the results behind
    the last.
    """
    backward = backward_pass(case.rank)
    rows = np.flatnonzero(backward.recomputed)
    every = case.rank.trace.frame("operator", ["start_ns", "duration_ns"])
    start = every["start_ns"].to_numpy()
    end = start + every["duration_ns"].to_numpy()
    threads, _ = host_threads(case.rank).numbered(case.rank, "operator")
    found = pl.DataFrame({"function": backward.function[rows], "thread": threads[rows], "end": end[rows]})
    found = found.group_by("function", "thread").agg(pl.col("end").max()).sort("function", "thread")
    thread, function, until = (found[name].cast(pl.Int64).to_numpy() for name in ("thread", "function", "end"))
    found_at = Ranges(thread, start[function], np.minimum(_next_start(threads, start, thread, until), end[function]))
    first, last = case.model.window
    return outermost(found_at.chosen((found_at.start < last) & (found_at.end > first) & (thread >= 0)))


def _hooks(case: Case) -> Ranges:
    """Python of checkpointing itself. The program may keep the state of random numbers for something else, too."""
    random, of = case.named(_RANDOM_STATE, "python"), case.named(CHECKPOINTING, "python")
    return case.named(_HOOKS, "python").and_those(random.chosen(inside(of, random.thread, random.start)))


def _next_start(threads: Ints, start: Ints, thread: Ints, at: Ints) -> Ints:
    """When the next operator of a thread begins, of each of some moments; the moment itself where none follows."""
    found = at.copy()
    for number in np.unique(thread).tolist():
        mine, times = thread == number, np.sort(start[threads == number])
        place = np.searchsorted(times, at[mine])
        found[mine] = np.append(times, 0)[place]
    return np.maximum(found, at)


def _communication(case: Case) -> Flags:
    """What the backward pass would have to gather in any case."""
    communicates = case.rank.whole.activity["communication"].gather(case.model.gpu.rows)
    return communicates.fill_null(False).to_numpy()


def _room(case: Case, ranges: Ranges) -> _Room | None:
    """Memory of the GPU with the highest peak, None where it was not recorded."""
    known = [device for device in memory_devices(case.rank) if device.capacity_bytes and device.totals]
    rooms = [_room_on(case, ranges, device, device.capacity_bytes or 0) for device in known]
    return min(rooms, key=lambda room: room.free_bytes) if rooms else None


def _room_on(case: Case, ranges: Ranges, device: MemoryDevice, size: int) -> _Room:
    peak = int(device_timeline(case.rank, device)["allocated_bytes"].max() or 0)  # type: ignore[arg-type]
    changes = memory_changes(case.rank).filter(pl.col("device") == device.number)
    thread, at = host_threads(case.rank).numbers(changes), changes["at_ns"].to_numpy()
    kept = int(changes["change_bytes"].to_numpy()[inside(ranges, thread, at)].sum())
    return _Room(max(0, round(case.a_step(kept))), size - peak, size)
