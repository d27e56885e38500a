"""The host launches more kernels, and shorter ones, than it has to."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.gpu.models import Mixed, language_model, text, train_language_model
from yardstick.programs.models import LastOfSequence, residual_mlp
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import fit, token_loss, vectors


@scenario("gradients of 8 batches of 2 added up; fixed: one batch of 16", "small-batch", "launch-bound")
def small_micro_batches() -> Pair:
    net = Mixed(language_model(depth=4))
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4, fused=True)
    take = text(2)

    def accumulated() -> None:
        for _ in range(8):
            ids, y = take()
            (token_loss(net(ids), y) / 8).backward()
        optimizer.step()
        optimizer.zero_grad()

    return accumulated, train_language_model(language_model(depth=4), count=16)


@scenario("a small model in eager mode; fixed: replayed as a CUDA graph", "launch-bound", "small-batch")
def eager_inference() -> Pair:
    net, x = residual_mlp(256, 512, 24, 100).requires_grad_(False), torch.randn(32, 256)

    def eager() -> None:
        for _ in range(4):
            net(x)

    return eager, _graphed(net, x)


def _graphed(net: nn.Module, x: Tensor) -> Step:
    if x.device.type != "cuda":
        return lambda: net(x)
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            net(x)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        net(x)

    def replayed() -> None:
        for _ in range(4):
            graph.replay()

    return replayed


@scenario("a GRU called for one step of the sequence after another; fixed: for all", "unrolled-loop", "operator-loop")
def gru_by_steps() -> Pair:
    class Steps(nn.Module):
        """The last state of a GRU cell."""

        def __init__(self) -> None:
            super().__init__()
            self.cell, self.head = nn.GRUCell(128, 256), nn.Linear(256, 50)

        def forward(self, x: Tensor) -> Tensor:
            state = x.new_zeros(len(x), 256)
            for each in x.unbind(1):
                state = self.cell(each, state)
            return self.head(state)

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(64, 100, 128), torch.randint(0, 50, (64,))

    return fit(Steps(), batch), fit(LastOfSequence(nn.GRU(128, 256, batch_first=True), 50), batch)


@scenario("an average of the weights, one parameter at a time; fixed: `foreach`", "parameter-loop")
def averaged_one_by_one() -> Pair:
    def program(loop: bool) -> Step:
        averages: list[Tensor] = []

        def average(net: nn.Module, *_: Tensor) -> None:
            now = [each.detach() for each in net.parameters()]
            if not averages:
                averages.extend(each.clone() for each in now)
            if loop:
                for kept, new in zip(averages, now, strict=True):
                    kept.mul_(0.999).add_(new, alpha=0.001)
            else:
                torch._foreach_lerp_(averages, now, 0.001)

        net = residual_mlp(128, 256, 40, 100)
        kept = torch.optim.AdamW(net.parameters(), lr=1e-4, fused=True)
        return fit(net, vectors(256, 128, 100), F.cross_entropy, after=average, optimizer=kept)

    return program(True), program(False)
