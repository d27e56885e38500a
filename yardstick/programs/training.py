"""A training step, and the batches that programs train with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.registry import Step

Batch = Callable[[], tuple[Any, Tensor]]
"""Makes the inputs, one or a tuple, and what the outputs should be."""

After = Callable[[nn.Module, Tensor, Tensor, Tensor], object]
"""What a program does between backward pass and optimizer, with model, loss, outputs and targets."""


def adamw(net: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.AdamW(net.parameters(), lr=1e-4, foreach=True)


def fit(
    net: nn.Module,
    batch: Batch,
    loss: Callable[[Tensor, Tensor], Tensor] = F.cross_entropy,
    *,
    after: After | None = None,
    optimizer: torch.optim.Optimizer | None = None,
) -> Step:
    """Forward pass, backward pass, optimizer."""
    kept = optimizer or adamw(net)

    def train_step() -> None:
        x, y = batch()
        out = net(*x) if isinstance(x, tuple) else net(x)
        value = loss(out, y)
        value.backward()
        if after:
            after(net, value, out, y)
        kept.step()
        kept.zero_grad()

    return train_step


def token_loss(out: Tensor, y: Tensor) -> Tensor:
    return F.cross_entropy(out.flatten(0, 1), y.flatten())


def tokens(count: int, length: int, vocabulary: int = 400) -> Batch:
    def batch() -> tuple[Tensor, Tensor]:
        ids = torch.randint(0, vocabulary, (count, length))
        return ids, ids.roll(-1, 1)

    return batch


def images(count: int, size: int, classes: int = 10) -> Batch:
    return lambda: (torch.randn(count, 3, size, size), torch.randint(0, classes, (count,)))


def vectors(count: int, width: int, classes: int = 10) -> Batch:
    return lambda: (torch.randn(count, width), torch.randint(0, classes, (count,)))


def device() -> torch.device:
    """Where the programs make their tensors, as record.py has it."""
    return torch.empty(0).device
