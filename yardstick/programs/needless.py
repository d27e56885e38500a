"""Calls that cost next to nothing: their fix is not worth a promise."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.models import Transformer, convnet
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import adamw, fit, images, token_loss, tokens


@scenario("`loss.item()` in every step; fixed: not called", "host-synchronisation")
def loss_item() -> Pair:
    seen = [0.0]

    def read(net: nn.Module, loss: Tensor, *_: Tensor) -> None:
        seen[0] = loss.item()

    return fit(Transformer(), tokens(4, 48), token_loss, after=read), fit(Transformer(), tokens(4, 48), token_loss)


@scenario("`.to()`, `.float()` and `.contiguous()` of tensors that are so; fixed: without")
def needless_to() -> Pair:
    batch = images(12, 28)

    def moved() -> tuple[Tensor, Tensor]:
        x, y = batch()
        return x.to("cpu").float().contiguous().to(torch.device("cpu"), non_blocking=True), y.to("cpu").long()

    return fit(convnet(), moved), fit(convnet(), batch)


@scenario("validation without `no_grad`; fixed: with it")
def validation_with_grad() -> Pair:
    def program(grad: bool) -> Step:
        net = nn.Sequential(nn.Conv2d(3, 24, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(8), nn.Flatten())
        net.append(nn.Linear(1536, 10))
        optimizer, batch, seen = adamw(net), images(24, 28), [0.0]

        def train_step() -> None:
            x, y = batch()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
            optimizer.zero_grad()
            x, y = batch()
            with torch.set_grad_enabled(grad):
                seen[0] = F.cross_entropy(net(x), y).item()

        return train_step

    return program(True), program(False)
