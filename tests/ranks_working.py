"""What ranks of a made job do in a step, and how a job of DP x TP x PP x EP puts them into groups."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

MS = 1_000_000
"""Nanoseconds in a millisecond."""


@dataclass(frozen=True)
class Compute:
    """A kernel on the stream of compute, under a named range where one is given."""

    ns: int
    name: str = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off"
    op: str = "aten::mm"
    range: str = ""


@dataclass(frozen=True)
class Copy:
    """A copy from the host's memory to the GPU's."""

    ns: int
    bytes: int = 64 << 20
    range: str = ""


@dataclass(frozen=True)
class HostWork:
    """The host does something for a while and launches nothing; without a name it only sleeps."""

    ns: int
    range: str = ""


def loading(ns: int, loader: str = "_SingleProcessDataLoaderIter") -> HostWork:
    """The host waits for the next batch."""
    return HostWork(ns, f"enumerate(DataLoader)#{loader}.__next__")


@dataclass(frozen=True)
class Call:
    """A collective of a group, or with a peer a message of one rank to another.

    Attributes:
        op: ``allreduce``, ``_allgather_base``, ``_reduce_scatter_base``, ``all_to_allv``, ``broadcast``, ``barrier``,
            ``send`` or ``recv``.
        ranks: the group, as ranks of the job.
        elements: of the input.
        peer: the other rank of a message, as a rank of the job.
        waited: whether what computes next waits for its end.
        sent, received: elements for and from each rank of the group, of an all-to-all of uneven parts.
        description: of the process group.
    """

    op: str
    ranks: tuple[int, ...]
    elements: int
    dtype: str = "BFloat16"
    peer: int | None = None
    waited: bool = True
    sent: tuple[int, ...] = ()
    received: tuple[int, ...] = ()
    description: str = ""

    @property
    def out_elements(self) -> int:
        """Elements of the output."""
        if self.received:
            return sum(self.received)
        if "gather" in self.op:
            return self.elements * len(self.ranks)
        return self.elements // len(self.ranks) if "reduce_scatter" in self.op else self.elements

    @property
    def in_elements(self) -> int:
        """Elements of the input."""
        return sum(self.sent) or self.elements


@dataclass(frozen=True)
class Wait:
    """What computes next waits for every call before it."""


Item = Compute | Copy | HostWork | Call | Wait
Program = Callable[[int, int], list[Item]]
"""What a rank does in a step: of rank and number of the step."""


@dataclass(frozen=True)
class Layout:
    """How many parts the job has in each dimension; experts divide data parallel ranks.

    >>> Layout(dp=2, tp=2).groups("tp"), Layout(dp=2, tp=2).groups("dp")
    ([(0, 1), (2, 3)], [(0, 2), (1, 3)])
    """

    dp: int = 1
    tp: int = 1
    pp: int = 1
    ep: int = 1

    @property
    def world(self) -> int:
        """Number of ranks."""
        return self.dp * self.tp * self.pp

    def rank(self, dp: int, tp: int, pp: int) -> int:
        """The rank at some place: neighbours share their data, as in Megatron."""
        return (pp * self.dp + dp) * self.tp + tp

    def place(self, rank: int) -> tuple[int, int, int]:
        """Number of the rank's replica, part and stage."""
        return rank // self.tp % self.dp, rank % self.tp, rank // self.tp // self.dp

    def group(self, dimension: str, rank: int) -> tuple[int, ...]:
        """The group of a rank in a dimension: dp, tp, pp or ep."""
        dp, tp, pp = self.place(rank)
        if dimension == "dp":
            return tuple(self.rank(i, tp, pp) for i in range(self.dp))
        if dimension == "tp":
            return tuple(self.rank(dp, i, pp) for i in range(self.tp))
        if dimension == "pp":
            return tuple(self.rank(dp, tp, i) for i in range(self.pp))
        first = dp // self.ep * self.ep
        return tuple(self.rank(i, tp, pp) for i in range(first, first + self.ep))

    def groups(self, dimension: str) -> list[tuple[int, ...]]:
        """All groups of a dimension."""
        return list(dict.fromkeys(self.group(dimension, rank) for rank in range(self.world)))


@dataclass(frozen=True)
class Extra:
    """Work that some rank has and the others have not.

    Attributes:
        at: before which item of the rank's step.
        steps: in which steps; in all without.
        times: how often, one after the other.
    """

    rank: int
    item: Item
    at: int = 0
    steps: tuple[int, ...] | None = None
    times: int = 1

    def joins(self, rank: int, step: int) -> bool:
        """Whether a rank does it in a step."""
        return rank == self.rank and (self.steps is None or step in self.steps)


def with_extras(program: Program, extras: tuple[Extra, ...]) -> Program:
    """The same program, and the extra work in it."""

    def items(rank: int, step: int) -> list[Item]:
        plain = program(rank, step)
        joined: list[Item] = []
        for at, item in itertools.zip_longest(range(len(plain) + 1), plain):
            for extra in extras:
                if extra.joins(rank, step) and extra.at == at:
                    joined += [extra.item] * extra.times
            joined += [] if item is None else [item]
        return joined

    return items


def data_parallel(layout: Layout, *, buckets: int = 3, layer_ns: int = 2 * MS, elements: int = 4 << 20) -> Program:
    """Forward, backward with an all-reduce per bucket that runs beside what follows, optimizer."""

    def items(rank: int, step: int) -> list[Item]:
        group = layout.group("dp", rank)
        backward: list[Item] = []
        for _ in range(buckets):
            reduced = Call("allreduce", group, elements, waited=False, description="data parallel")
            backward += [Compute(2 * layer_ns), reduced]
        forward: list[Item] = [Compute(layer_ns) for _ in range(buckets)]
        return [*forward, *backward, Wait(), Compute(layer_ns // 2, op="aten::_fused_adamw_", name="multi_tensor")]

    return items


def fully_sharded(layout: Layout, *, layers: int = 2, layer_ns: int = 2 * MS, elements: int = 1 << 20) -> Program:
    """Every layer gathers its parameters, and scatters its gradients."""

    def items(rank: int, step: int) -> list[Item]:
        group = layout.group("dp", rank)
        gather = Call("_allgather_base", group, elements, description="fsdp")
        scatter = Call("_reduce_scatter_base", group, elements * len(group), waited=False, description="fsdp")
        forward: list[Item] = [gather, Compute(layer_ns)]
        backward: list[Item] = [gather, Compute(2 * layer_ns), scatter]
        return [*forward * layers, *backward * layers, Wait(), Compute(layer_ns // 2, op="aten::_fused_adamw_")]

    return items


@dataclass(frozen=True)
class Parallel:
    """A step of all dimensions: stages exchange microbatches (all forward, then all backward).

    Tensor parallel ranks reduce after every layer, experts exchange tokens, replicas reduce gradients at the end.
    """

    layout: Layout
    microbatches: int = 2
    layers: int = 1
    layer_ns: int = MS
    elements: int = 1 << 20
    expert_load: tuple[int, ...] = field(default=())
    """Elements for each rank of an expert group; alike without."""

    def __call__(self, rank: int, step: int) -> list[Item]:
        stages = self.layout.group("pp", rank)
        at = stages.index(rank)
        before = stages[at - 1] if at else None
        after = stages[at + 1] if at + 1 < len(stages) else None
        forward = [
            *self._message("recv", stages, before),
            *self._layers(rank, 1),
            *self._message("send", stages, after),
        ]
        backward = [
            *self._message("recv", stages, after),
            *self._layers(rank, 2),
            *self._message("send", stages, before),
        ]
        reduced = Call("allreduce", self.layout.group("dp", rank), 4 * self.elements, description="data parallel")
        ending: list[Item] = [reduced] if self.layout.dp > 1 else []
        return [*forward * self.microbatches, *backward * self.microbatches, Wait(), *ending, Compute(self.layer_ns)]

    def _message(self, op: str, stages: tuple[int, ...], peer: int | None) -> list[Item]:
        if peer is None:
            return []
        return [Call(op, stages, self.elements, peer=peer, waited=op == "recv", description="pipeline")]

    def _layers(self, rank: int, factor: int) -> list[Item]:
        tensor, experts = self.layout.group("tp", rank), self.layout.group("ep", rank)
        layer: list[Item] = [Compute(factor * self.layer_ns)]
        if len(tensor) > 1:
            layer.append(Call("allreduce", tensor, self.elements, description="tensor parallel"))
        if len(experts) > 1:
            load = self.expert_load or (self.elements // len(experts),) * len(experts)
            own = load[experts.index(rank)]
            there = Call("all_to_allv", experts, 0, sent=load, received=(own,) * len(load), description="experts")
            back = Call("all_to_allv", experts, 0, sent=(own,) * len(load), received=load, description="experts")
            layer += [there, Compute(factor * self.layer_ns), back]
        return layer * self.layers
