"""Small models of different kinds, as the programs train them."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

Attention = Callable[[Tensor, Tensor, Tensor, "Tensor | None"], Tensor]
"""From queries, keys, values and what is added to the scores; causal without the last."""


def fused(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    """Attention as PyTorch has it."""
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)


def by_hand(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    """Attention in its single operations, with a mask made anew in each call."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        causal = torch.tril(torch.ones(q.shape[-2], k.shape[-2])).expand_as(scores)
        scores = scores.masked_fill(causal == 0, -1e9)
    else:
        scores = scores + mask
    weights = torch.exp(scores - scores.amax(-1, keepdim=True))
    return (weights / weights.sum(-1, keepdim=True)) @ v


class Layer(nn.Module):
    """A layer of a transformer, norms first."""

    def __init__(self, width: int, heads: int, attention: Attention) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.heads, self.attention = heads, attention

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(self.before(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        x = x + self.out(self.attention(q, k, v, mask).transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.between(x))


class Transformer(nn.Module):
    """A language model."""

    def __init__(
        self, vocabulary: int = 400, width: int = 64, depth: int = 3, heads: int = 4, attention: Attention = fused
    ) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(Layer(width, heads, attention) for _ in range(depth))
        self.head = nn.Linear(width, vocabulary)

    def forward(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(x)


class Residual(nn.Module):
    """A block of a residual MLP."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.down(F.gelu(self.up(self.norm(x))))


def residual_mlp(inputs: int, width: int, depth: int, outputs: int) -> nn.Sequential:
    blocks = [Residual(width) for _ in range(depth)]
    return nn.Sequential(nn.Linear(inputs, width), *blocks, nn.Linear(width, outputs))


def convnet(channels: int = 16, depth: int = 3, classes: int = 10) -> nn.Sequential:
    """Convolutions with batch norms over images of three channels."""
    layers: list[nn.Module] = []
    for inputs in [3] + [channels] * depth:
        layers += [nn.Conv2d(inputs, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes))


def strided_convnet(classes: int = 10) -> nn.Sequential:
    """Convolutions that halve the image, without norms."""
    layers: list[nn.Module] = [nn.Conv2d(3, 16, 3, padding=1), nn.ReLU()]
    for inputs, outputs in ((16, 16), (16, 32)):
        layers += [nn.Conv2d(inputs, outputs, 3, 2, padding=1), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, classes))


class Recommender(nn.Module):
    """Embedding tables and numbers, joined by an MLP."""

    def __init__(self, fields: int, rows: int = 500, width: int = 16, numbers: int = 13) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(rows, width) for _ in range(fields))
        self.bottom = nn.Linear(numbers, width)
        inner = (nn.Linear(width * (fields + 1), 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU())
        self.top = nn.Sequential(*inner, nn.Linear(128, 1))

    def forward(self, numbers: Tensor, ids: Tensor) -> Tensor:
        found = [table(ids[:, field]) for field, table in enumerate(self.tables)]
        return self.top(torch.cat([self.bottom(numbers), *found], 1)).squeeze(1)


class GraphNet(nn.Module):
    """Layers that add to each node what `collect` makes of its neighbours."""

    def __init__(self, width: int, depth: int, collect: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.collect = collect

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = torch.relu(layer(x))
            x = x + self.collect(x)
        return x


class TextClassifier(nn.Module):
    """A convolution over embedded tokens."""

    def __init__(self, vocabulary: int, width: int = 64, channels: int = 96, classes: int = 4) -> None:
        super().__init__()
        self.embed, self.conv = nn.Embedding(vocabulary, width), nn.Conv1d(width, channels, 5, padding=2)
        self.head = nn.Linear(channels, classes)

    def forward(self, ids: Tensor) -> Tensor:
        return self.head(torch.relu(self.conv(self.embed(ids).transpose(1, 2))).amax(2))


class LastOfSequence(nn.Module):
    """A recurrent network; its last output is classified."""

    def __init__(self, recurrent: nn.RNNBase, outputs: int) -> None:
        super().__init__()
        self.recurrent, self.head = recurrent, nn.Linear(recurrent.hidden_size, outputs)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.recurrent(x)[0][:, -1])


class MixerBlock(nn.Module):
    """MLPs over patches, then over channels."""

    def __init__(self, patches: int = 36, width: int = 64) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.patches = nn.Sequential(nn.Linear(patches, 72), nn.GELU(), nn.Linear(72, patches))
        self.channels = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.patches(self.before(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.between(x))


def autoencoder(channels: int = 24) -> nn.Sequential:
    """Of images of three channels."""
    down = (nn.Conv2d(3, channels, 3, 2, 1), nn.ReLU(), nn.Conv2d(channels, channels, 3, 2, 1), nn.ReLU())
    up = (nn.ConvTranspose2d(channels, channels, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(channels, 3, 4, 2, 1))
    return nn.Sequential(*down, *up)


def signal_net(classes: int = 6) -> nn.Sequential:
    """Convolutions over a signal of one channel."""
    layers: list[nn.Module] = []
    for inputs, outputs in ((1, 8), (8, 16), (16, 32)):
        layers += [nn.Conv1d(inputs, outputs, 9, 4, 4), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(32, classes))
