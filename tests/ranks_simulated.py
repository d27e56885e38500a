"""A tiny simulator of ranks: when would everything run if calls began and ended together on a true clock?

The host of a rank launches one thing after the other. A GPU has a stream for compute and one for each group or pair of
ranks. A call arrives on a rank when its launch, the work before it and the call before it in its stream are done. It
ends when the last rank has arrived and the transfer is over. All times are whole nanoseconds of the true clock.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ranks_working import Call, Compute, Copy, HostWork, Item, Program, Wait

OP, LAUNCH, QUEUE, GAP = 6_000, 3_000, 5_000, 1_000
"""An operator on the host, its launch, the way to the GPU, and between two kernels."""

BYTES = {"Float": 4, "BFloat16": 2, "Long": 8, "Byte": 1}


@dataclass
class TrueCall:
    """A call as it truly happened.

    Attributes:
        ranks: those that take part: the group, or sender and receiver.
        position: how many calls of the same group, or from the same sender to the same receiver, were before it.
        arrivals, ends: of each rank's kernel, on the true clock; empty until they are known.
    """

    call: Call
    ranks: tuple[int, ...]
    position: int
    step: int
    transfer_ns: int = 0
    arrivals: dict[int, int] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The rank that arrived last."""
        return max(self.arrivals, key=lambda rank: (self.arrivals[rank], rank))

    @property
    def waits(self) -> dict[int, int]:
        """How long each rank waited for the last one."""
        return {rank: self.arrivals[self.last] - arrival for rank, arrival in self.arrivals.items()}

    @property
    def bytes(self) -> int:
        """Size of the call: of input or output, whichever is larger."""
        return max(self.call.in_elements, self.call.out_elements) * BYTES[self.call.dtype]


@dataclass(frozen=True)
class Ran:
    """Something that ran, on the true clock.

    Attributes:
        kind: step, range, op, launch, sync, compute, copy or call.
        linked: number that ties what ran on the GPU to its launch.
        stream: of the GPU; -1 on the host.
    """

    kind: str
    name: str
    start: int
    end: int
    linked: int = 0
    stream: int = -1
    about: Any = None


@dataclass(frozen=True)
class Network:
    """How fast messages travel.

    Attributes:
        gbps: GB/s of a link; a call of a group is as fast as the slowest link inside the group.
        slow: GB/s of some links by their two ranks, lower rank first.
        latency_ns: of every call.
        root_leaves: a broadcast's root ends after its own transfer, without waiting for anybody.
        end_jitter_ns: by how much ends of the ranks differ at most.
    """

    gbps: float = 100.0
    slow: dict[tuple[int, int], float] = field(default_factory=dict)
    latency_ns: int = 10_000
    root_leaves: bool = False
    end_jitter_ns: int = 0

    def transfer(self, true: TrueCall) -> int:
        """Time of the call from the moment when all are there, with the bus factors of the NCCL tests."""
        inside = [gbps for (a, b), gbps in self.slow.items() if a in true.ranks and b in true.ranks]
        count = len(true.ranks)
        factor = 1.0
        if any(word in true.call.op for word in ("gather", "scatter", "all_to_all", "allreduce")):
            factor = (2 if "allreduce" in true.call.op else 1) * (count - 1) / count
        return self.latency_ns + round(true.bytes * factor / min([self.gbps, *inside]))


class Job:
    """All ranks of a job and the calls between them."""

    def __init__(self, world: int, program: Program, steps: int, network: Network, jitter_ns: int, seed: int) -> None:
        self.calls: list[TrueCall] = []
        self.moved = 0
        self._network = network
        self._random = random.Random(seed)
        self._jitter_ns = jitter_ns
        self._waiting: dict[tuple[Any, ...], TrueCall] = {}
        self._counts: defaultdict[tuple[Any, ...], int] = defaultdict(int)
        self._world = world
        self.players = [Player(rank, self) for rank in range(world)]
        running = {player.rank: player.run(program, steps) for player in self.players}
        while running:
            before = self.moved
            running = {rank: one for rank, one in running.items() if next(one, "over") != "over"}
            if self.moved == before and running:
                raise AssertionError(f"ranks {sorted(running)} wait for each other for ever")

    def jittered(self, ns: int) -> int:
        """A duration, a little longer."""
        return ns + self._random.randint(0, self._jitter_ns)

    def arrive(self, rank: int, call: Call, step: int, at: int) -> TrueCall:
        """A rank comes to a call; the last one to come decides when it ends."""
        if call.peer is not None:
            ranks = (rank, call.peer) if "send" in call.op else (call.peer, rank)
            key: tuple[Any, ...] = ("message", *ranks)
        else:
            ranks, key = call.ranks, ("group", call.description, *call.ranks)
        position = self._counts[(rank, *key)]
        self._counts[(rank, *key)] += 1
        true = self._waiting.get((position, *key))
        if true is None:
            true = self._waiting[(position, *key)] = TrueCall(call, ranks, position, step)
            self.calls.append(true)
        true.arrivals[rank] = at
        if all(member in true.arrivals for member in ranks if member < self._world):
            self._end(true)
        return true

    def _end(self, true: TrueCall) -> None:
        true.transfer_ns = self._network.transfer(true)
        over = max(true.arrivals.values()) + true.transfer_ns
        for rank in sorted(true.arrivals):
            true.ends[rank] = over + self._random.randint(0, self._network.end_jitter_ns)
        if true.call.op == "broadcast" and self._network.root_leaves:
            root = true.ranks[0]
            true.ends[root] = true.arrivals[root] + true.transfer_ns
            for rank in set(true.arrivals) - {root}:
                true.ends[rank] = max(true.arrivals[rank], true.arrivals[root]) + true.transfer_ns


class Player:
    """One rank, which does what its program says."""

    def __init__(self, rank: int, job: Job) -> None:
        self.rank, self._job = rank, job
        self.ran: list[Ran] = []
        self._now, self._free, self._linked, self._step = 0, 0, 0, 0
        self._last: dict[int, TrueCall] = {}
        self._streams: dict[tuple[Any, ...], int] = {}

    def run(self, program: Program, steps: int) -> Iterator[None]:
        """Do all steps; stops wherever it needs the end of a call that is not known yet."""
        for step in range(steps):
            self._step, start = step, self._now
            self._now += 2_000
            for item in program(self.rank, step):
                yield from self._do(item)
                self._job.moved += 1
            yield from self._wait()
            self._synchronise()
            self.ran.append(Ran("step", f"ProfilerStep#{step}", start, self._now))
            self._now += 10_000

    def _do(self, item: Item) -> Iterator[None]:
        if isinstance(item, Wait):
            yield from self._wait()
            return
        start = self._now
        if isinstance(item, HostWork):
            self._now += item.ns
        elif isinstance(item, Call):
            yield from self._call(item)
        else:
            self._queue(item)
        name = "" if isinstance(item, Call) else item.range
        if name:
            self.ran.append(Ran("range", name, start, self._now))
        self._now += GAP

    def _launch(self, op: str, about: Any = None) -> int:
        """An operator that launches something; from when on that can run."""
        self._linked += 1
        start = self._now
        self.ran.append(Ran("op", op, start, start + OP, self._linked, about=about))
        self.ran.append(Ran("launch", "cudaLaunchKernel", start + 2_000, start + 2_000 + LAUNCH, self._linked))
        self._now += OP
        return start + 2_000 + QUEUE

    def _queue(self, item: Compute | Copy) -> None:
        ready = self._launch(item.op if isinstance(item, Compute) else "aten::copy_")
        start = max(ready, self._free)
        end = start + self._job.jittered(item.ns)
        kind = "compute" if isinstance(item, Compute) else "copy"
        name = item.name if isinstance(item, Compute) else "Memcpy HtoD (Pinned -> Device)"
        self.ran.append(Ran(kind, name, start, end, self._linked, 7, item))
        self._free = end + GAP

    def _call(self, call: Call) -> Iterator[None]:
        lane = (call.op, call.peer) if call.peer is not None else (call.description, *call.ranks)
        stream = self._streams.setdefault(lane, 20 + len(self._streams))
        ready = self._launch(f"c10d::{call.op.strip('_')}_", call)
        linked = self._linked
        if stream in self._last:
            yield from self._ended(self._last[stream])
            ready = max(ready, self._last[stream].ends[self.rank] + GAP)
        true = self._job.arrive(self.rank, call, self._step, max(ready, self._free))
        self.ran.append(Ran("call", call.op, true.arrivals[self.rank], 0, linked, stream, (true, call)))
        self._last[stream] = true
        if call.waited:
            yield from self._wait(true)

    def _ended(self, true: TrueCall) -> Iterator[None]:
        while not true.ends:
            yield
        self._job.moved += 1

    def _wait(self, *those: TrueCall) -> Iterator[None]:
        for true in those or tuple(self._last.values()):
            yield from self._ended(true)
            self._free = max(self._free, true.ends[self.rank] + GAP)

    def _synchronise(self) -> None:
        start = self._now
        self._now = max(start, self._free) + 2_000
        self.ran.append(Ran("sync", "cudaDeviceSynchronize", start, self._now))
