"""Made traces of many ranks, whose truth is known: see `ranks_working` for what ranks do, `ranks_simulated` for when.

>>> made = MadeRanks(data_parallel(Layout(dp=4)), world=4, extras=(Extra(2, Compute(5 * MS, range="extra_work")),))
>>> {call.last for call in made.calls}
{2}

``made.write(folder)`` writes the files, ``made.open(folder)`` opens them as a profile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import stepscope
from building import Event, timed, write
from ranks_simulated import Job, Network, Ran, TrueCall
from ranks_working import (
    MS,
    Call,
    Compute,
    Copy,
    Extra,
    HostWork,
    Layout,
    Parallel,
    Program,
    Wait,
    data_parallel,
    fully_sharded,
    loading,
    with_extras,
)
from stepscope.api import OpenProfile

__all__ = [
    "MS",
    "Call",
    "Clock",
    "Compute",
    "Copy",
    "Extra",
    "HostWork",
    "Layout",
    "MadeRanks",
    "Network",
    "Parallel",
    "TrueCall",
    "Wait",
    "data_parallel",
    "fully_sharded",
    "loading",
]

START = 4_326_000_000_000_000
"""When the job begins on the true clock, in ns: as far from zero as in real traces."""

LISTED = 30
"""Of a longer group PyTorch writes only so many ranks into an event."""

_KERNELS = {
    "allreduce": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "_allgather_base": "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "_reduce_scatter_base": "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "broadcast": "ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "barrier": "ncclDevKernel_AllReduce_Sum_f32_TREE_LL(ncclDevKernelArgsStorage<4096ul>)",
}
_SEND_RECV = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"
_LAUNCH_DETAILS = {"grid": [2, 1, 1], "block": [288, 1, 1], "registers per thread": 96, "shared memory": 103808}


@dataclass(frozen=True)
class Clock:
    """How a host's clock runs against the true one.

    Attributes:
        offset_ns: by how much it is ahead when the job begins.
        drift_ppm: how many us it gains in a second.
    """

    offset_ns: int = 0
    drift_ppm: float = 0.0

    def shown(self, true: int) -> int:
        """What the clock shows, of a time since the job began."""
        return START + true + self.offset_ns + round(self.drift_ppm * true / 1e6)


@dataclass(frozen=True)
class MadeRanks:
    """A job that ran in the simulator, and how it was recorded.

    Attributes:
        program: what each rank does in each step.
        world: number of ranks.
        extras: what some ranks do besides.
        jitter_ns: by how much durations of work differ at most.
        clocks: of ranks whose clock is off.
        windows: first and last recorded step of ranks that did not record all.
        unlaunched: how many of a rank's first activities were launched before its window, as it were: real traces
            hold them without their launch, and calls among them without name, size and group.
        dropped: calls whose kernel is missing in a rank's trace: rank and number in `MadeRanks.calls`.
        numbered: write the number of each call in its group as ``Seq``.
        described: write what a call is at all; without, only kernels' names tell.
        begins_ns: by how much later it begins than other made jobs.
        named_alike: groups of a description have the same name on all ranks, as those of a device mesh may have.
    """

    program: Program
    world: int
    steps: int = 3
    extras: tuple[Extra, ...] = ()
    network: Network = field(default_factory=Network)
    jitter_ns: int = 20_000
    seed: int = 1
    clocks: Mapping[int, Clock] = field(default_factory=dict)
    windows: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    unlaunched: Mapping[int, int] = field(default_factory=dict)
    dropped: frozenset[tuple[int, int]] = frozenset()
    numbered: bool = False
    described: bool = True
    named_alike: bool = False
    backend: str = "nccl"
    begins_ns: int = 0

    @cached_property
    def job(self) -> Job:
        """The job as it truly ran."""
        program = with_extras(self.program, self.extras)
        return Job(self.world, program, self.steps, self.network, self.jitter_ns, self.seed)

    @property
    def calls(self) -> list[TrueCall]:
        """Every call between ranks that ended, as it truly happened."""
        return self.job.calls

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id(true): number for number, true in enumerate(self.calls)}

    @cached_property
    def groups(self) -> dict[tuple[str, tuple[int, ...]], str]:
        """Names of process groups by description and ranks; the whole job is group 0."""
        whole = tuple(range(self.world))
        names = {("default_pg", whole): "0"}
        for true in self.calls:
            key = (true.call.description or "default_pg", true.call.ranks)
            alike = [name for (text, _), name in names.items() if text == key[0]]
            names.setdefault(key, alike[0] if alike and self.named_alike else str(len(names)))
        return names

    def shown(self, rank: int, true: int) -> int:
        """What a rank's trace writes for a time of the true clock, in ns."""
        return self.clocks.get(rank, Clock()).shown(true) + self.begins_ns

    def head(self, rank: int) -> dict[str, Any]:
        """What a trace says of its rank."""
        configured = [
            {"pg_name": name, "pg_desc": text, "backend_config": "cuda:nccl", "pg_size": len(ranks), "ranks": ranks}
            for (text, ranks), name in self.groups.items()
            if rank in ranks
        ]
        info = {"backend": self.backend, "rank": rank, "world_size": self.world, "nccl_version": "2.28.9"}
        return {
            "schemaVersion": 1,
            "distributedInfo": {**info, "pg_count": len(configured), "pg_config": configured},
            "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "numSms": 132, "warpSize": 32}],
            "displayTimeUnit": "ms",
            "baseTimeNanoseconds": 1_790_857_026_000_000_000,
        }

    def events(self, rank: int) -> list[Event]:
        """What a rank's profiler recorded."""
        ran = self.job.players[rank].ran
        first, last = self.windows.get(rank, (0, self.steps - 1))
        steps = {one.name: one for one in ran if one.kind == "step"}
        opened, closed = steps[f"ProfilerStep#{first}"].start, steps[f"ProfilerStep#{last}"].end
        launches = {one.linked: one.start for one in ran if one.kind == "launch"}
        on_gpu = sorted((one for one in ran if one.stream >= 0 and one.start >= opened), key=lambda one: one.start)
        early = {one.linked for one in on_gpu[: self.unlaunched.get(rank, 0)]}
        early |= {one.linked for one in on_gpu if launches[one.linked] < opened}
        kept = [one for one in ran if opened <= one.start < closed and not (one.stream < 0 and one.linked in early)]
        kept.sort(key=lambda one: one.stream >= 0)  # the GPU's events last, as PyTorch writes them
        return [event for one in kept for event in self._events(rank, one, one.linked in early)]

    def _events(self, rank: int, ran: Ran, early: bool) -> Iterator[Event]:
        linked = {"External id": ran.linked} if ran.linked and not early else {}
        if ran.kind in ("step", "range"):
            yield self._timed(rank, "user_annotation", ran, 1)
        elif ran.kind == "op":
            yield self._timed(rank, "cpu_op", ran, 1, **linked)
            if ran.about is not None:
                inside = Ran("op", "record_param_comms", ran.start + 1_000, ran.end - 500)
                yield self._timed(rank, "cpu_op", inside, 1, **linked, **self._metadata(ran.about, None))
        elif ran.kind in ("launch", "sync"):
            correlated = {"correlation": ran.linked} if ran.linked else {}
            yield self._timed(rank, "cuda_runtime", ran, 1, **correlated, **linked)
        else:
            yield from self._activity(rank, ran, early, linked)

    def _activity(self, rank: int, ran: Ran, early: bool, linked: Event) -> Iterator[Event]:
        about = {"device": 0, "context": 1, "stream": ran.stream, "correlation": ran.linked, **linked}
        if ran.kind == "copy":
            yield self._timed(rank, "gpu_memcpy", ran, ran.stream, **about, bytes=ran.about.bytes)
        elif ran.kind == "compute":
            yield self._timed(rank, "kernel", ran, ran.stream, **about, **_LAUNCH_DETAILS)
        else:
            true, call = ran.about
            if (rank, self._numbers[id(true)]) in self.dropped:
                return
            kernel = Ran("call", _KERNELS.get(call.op, _SEND_RECV), ran.start, true.ends[rank])
            metadata = {} if early else self._metadata(call, true.position)
            yield self._timed(rank, "kernel", kernel, ran.stream, **about, **_LAUNCH_DETAILS, **metadata)

    def _metadata(self, call: Call, position: int | None) -> Event:
        """What PyTorch writes of a call; the host's operator has no number of it."""
        if not self.described:
            return {}
        listed = ", ".join(map(str, call.ranks[:LISTED])) + (", ..." if len(call.ranks) > LISTED else "")
        peer = {} if call.peer is None else {("Dst Rank" if "send" in call.op else "Src Rank"): call.peer}
        return {
            "Collective name": call.op,
            "In msg nelems": call.in_elements,
            "Out msg nelems": call.out_elements,
            "Group size": len(call.ranks),
            "dtype": call.dtype,
            "In split size": f"[{', '.join(map(str, call.sent))}]",
            "Out split size": f"[{', '.join(map(str, call.received))}]",
            "Process Group Name": self.groups[(call.description or "default_pg", call.ranks)],
            "Process Group Description": call.description or "default_pg",
            "Process Group Ranks": f"[{listed}]",
            **peer,
            **({"Seq": position} if self.numbered and position is not None else {}),
        }

    def _timed(self, rank: int, category: str, ran: Ran, thread: int, **args: Any) -> Event:
        start, end = self.shown(rank, ran.start), self.shown(rank, ran.end)
        return timed(
            category, ran.name, start, end, process=0 if ran.stream >= 0 or thread != 1 else 1, thread=thread, **args
        )

    def write(self, folder: Path, ranks: Iterable[int] | None = None) -> list[Path]:
        """Write the traces of some ranks, or of all, as ``rankN.json``."""
        folder.mkdir(parents=True, exist_ok=True)
        chosen = range(self.world) if ranks is None else ranks
        return [write(folder / f"rank{rank}.json", *self.events(rank), **self.head(rank)) for rank in chosen]

    def open(self, folder: Path, ranks: Iterable[int] | None = None) -> OpenProfile:
        """The traces of some ranks, or of all, as a profile."""
        self.write(folder, ranks)
        return stepscope.open(str(folder))
