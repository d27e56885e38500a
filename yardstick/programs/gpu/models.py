"""Models whose kernels take the time, in mixed precision."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.models import Attention, Transformer, fused
from yardstick.programs.registry import Step
from yardstick.programs.training import After, Batch, device, fit, token_loss, tokens

VOCABULARY, WIDTH, DEPTH, HEADS = 8192, 768, 6, 12
COUNT, LENGTH = 16, 512
"""Sequences of a batch and tokens of each."""


class Mixed(nn.Module):
    """A model under autocast to bfloat16."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, *inputs: Tensor) -> Tensor:
        with torch.autocast(device().type, torch.bfloat16):
            return self.net(*inputs)


def train(
    net: nn.Module,
    batch: Batch,
    loss: Callable[[Tensor, Tensor], Tensor] = F.cross_entropy,
    *,
    after: After | None = None,
) -> Step:
    """A step in mixed precision with a fused optimizer."""
    mixed = Mixed(net)
    return fit(mixed, batch, loss, after=after, optimizer=torch.optim.AdamW(mixed.parameters(), lr=1e-4, fused=True))


def language_model(attention: Attention = fused, depth: int | None = None) -> Transformer:
    return Transformer(VOCABULARY, WIDTH, depth or DEPTH, HEADS, attention)


def text(count: int | None = None, length: int | None = None) -> Batch:
    return tokens(count or COUNT, length or LENGTH, VOCABULARY)


def train_language_model(net: nn.Module | None = None, *, count: int | None = None, after: After | None = None) -> Step:
    return train(net or language_model(), text(count), token_loss, after=after)


class PerBlock(nn.Module):
    """A language model that does something more with the output of each block."""

    def __init__(self, each: Callable[[Tensor], Tensor], depth: int | None = None) -> None:
        super().__init__()
        self.inner, self.each = language_model(depth=depth), each

    def forward(self, ids: Tensor) -> Tensor:
        x = self.inner.embed(ids)
        for layer in self.inner.layers:
            x = self.each(layer(x))
        return self.inner.head(x)


def resnet(channels: int = 128, depth: int = 6, classes: int = 100) -> nn.Sequential:
    """Residual convolutions at a quarter of the image's size."""
    return nn.Sequential(
        *(nn.Conv2d(3, channels, 7, 4, padding=3), nn.BatchNorm2d(channels), nn.ReLU()),
        *(ResidualConv(channels) for _ in range(depth)),
        *(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes)),
    )


class ResidualConv(nn.Module):
    """Two convolutions and what they are added to."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.second = (nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2))
        self.norm, self.after = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.after(self.second(torch.relu(self.norm(self.first(x))))))
