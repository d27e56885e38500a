"""Optimizers, gradients and averages of weights, one parameter at a time."""

from __future__ import annotations

import copy
import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.models import GraphNet, residual_mlp
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import adamw, fit, vectors


@scenario("AdamW one parameter at a time; fixed: fused", "optimizer-loop")
def adamw_one_by_one() -> Pair:
    def program(fused: bool) -> Step:
        net = residual_mlp(32, 48, 32, 8)
        how: dict[str, Any] = {"fused": True} if fused else {"foreach": False}
        return fit(net, vectors(24, 32, 8), optimizer=torch.optim.AdamW(net.parameters(), lr=1e-4, **how))

    return program(False), program(True)


@scenario("weights updated by a loop of the program; fixed: SGD with `foreach`", "parameter-loop", "optimizer-loop")
def hand_written_sgd() -> Pair:
    def model() -> nn.Module:
        return nn.Sequential(*(part for _ in range(80) for part in (nn.Linear(32, 32), nn.Tanh())))

    net, batch = model(), vectors(16, 32)
    velocity = [torch.zeros_like(parameter) for parameter in net.parameters()]

    def by_hand() -> None:
        x, y = batch()
        F.cross_entropy(net(x), y).backward()
        with torch.no_grad():
            for parameter, speed in zip(net.parameters(), velocity, strict=True):
                assert parameter.grad is not None
                speed.mul_(0.9).add_(parameter.grad).add_(parameter, alpha=1e-4)
                parameter.sub_(speed * 1e-3)
                parameter.grad = None

    other = model()
    sgd = torch.optim.SGD(other.parameters(), lr=1e-3, momentum=0.9, weight_decay=1e-4, foreach=True)
    return by_hand, fit(other, batch, optimizer=sgd)


@scenario(
    "gradient norms read one by one; fixed: `clip_grad_norm_`", "gradient-norms", "parameter-loop", "operator-loop"
)
def gradient_norms() -> Pair:
    def one_by_one(net: nn.Module, *_: Tensor) -> None:
        grads = [parameter.grad for parameter in net.parameters() if parameter.grad is not None]
        norm = math.sqrt(sum((grad**2).sum().item() for grad in grads))
        for grad in grads:
            grad.mul_(min(1.0, 5.0 / (norm + 1e-6)))

    def at_once(net: nn.Module, *_: Tensor) -> None:
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)

    slow = fit(residual_mlp(32, 32, 32, 10), vectors(8, 32), after=one_by_one)
    return slow, fit(residual_mlp(32, 32, 32, 10), vectors(8, 32), after=at_once)


@scenario("an average of the weights by `deepcopy`; fixed: in place", "deep-copy", "parameter-loop")
def ema_deepcopy() -> Pair:
    kept: dict[str, Tensor] = {}
    averages: list[Tensor] = []

    def copied(net: nn.Module, *_: Tensor) -> None:
        new = copy.deepcopy(net.state_dict())
        for name, value in kept.items():
            new[name] = 0.99 * value + 0.01 * new[name]
        kept.update(copy.deepcopy(new))

    def in_place(net: nn.Module, *_: Tensor) -> None:
        now = [parameter.detach() for parameter in net.parameters()]
        if not averages:
            averages.extend(each.clone() for each in now)
        torch._foreach_lerp_(averages, now, 0.01)

    slow = fit(residual_mlp(96, 192, 12, 10), vectors(32, 96), after=copied)
    return slow, fit(residual_mlp(96, 192, 12, 10), vectors(32, 96), after=in_place)


@scenario("a new AdamW in every step; fixed: one for all", "renewed-optimizer", "python-work")
def optimizer_each_step() -> Pair:
    def program(renewed: bool) -> Step:
        net = residual_mlp(32, 64, 24, 10)
        kept, batch = adamw(net), vectors(24, 32)

        def train_step() -> None:
            optimizer = adamw(net) if renewed else kept
            x, y = batch()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
            optimizer.zero_grad()

        return train_step

    return program(True), program(False)


@scenario("gradients replaced by zeros one by one; fixed: `zero_grad`", "parameter-loop")
def zeros_one_by_one() -> Pair:
    source, target = torch.randint(0, 64, (400,)), torch.randint(0, 64, (400,))

    def collect(x: Tensor) -> Tensor:
        return torch.zeros_like(x).index_add(0, target, x[source])

    def program(loop: bool) -> Step:
        net = GraphNet(288, 16, collect)
        optimizer = torch.optim.SGD(net.parameters(), lr=1e-4, foreach=True)

        def train_step() -> None:
            if loop:
                for parameter in net.parameters():
                    parameter.grad = torch.zeros_like(parameter)
            else:
                optimizer.zero_grad()
            net(torch.randn(64, 288) * 0.01).square().mean().backward()
            optimizer.step()

        return train_step

    return program(True), program(False)
